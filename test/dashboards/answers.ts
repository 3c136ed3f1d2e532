import aggregation from '../../api/docs/openapi/examples/aggregations.show.json' with { type: 'json' };
import datasets from '../../api/docs/openapi/examples/datasets.list.json' with { type: 'json' };
import me from '../../api/docs/openapi/examples/me.show.json' with { type: 'json' };
import reference from '../../api/docs/openapi/examples/reference.values.json' with { type: 'json' };
import age from '../../api/docs/openapi/examples/region.altersstruktur.json' with { type: 'json' };
import snapshot from '../../api/docs/openapi/examples/region.momentaufnahme.json' with { type: 'json' };
import series from '../../api/docs/openapi/examples/region.zeitreihe.json' with { type: 'json' };
import units from '../../api/docs/openapi/examples/units.list.json' with { type: 'json' };
import type {
  AgeStructure,
  Aggregation,
  DatasetList,
  MeAnswer,
  ReferenceValues,
  SnapshotAnswer,
  TimeSeries,
  UnitList,
} from '../../dashboards/web/v1/answers.ts';

/**
 * Nothing here runs: the compiler holds what pages believe of answers to the examples of the documentation, which are real
 * answers of the service.
 */
age.state.answer.body satisfies AgeStructure;
aggregation.carriers.answer.body satisfies Aggregation;
datasets.all.answer.body satisfies DatasetList;
me.key.answer.body satisfies MeAnswer;
reference.states.answer.body satisfies ReferenceValues;
series.district.answer.body satisfies TimeSeries;
snapshot.country.answer.body satisfies SnapshotAnswer;
units.largest.answer.body satisfies UnitList;
