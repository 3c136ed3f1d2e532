import changes from '../../api/docs/openapi/examples/aenderungen.list.json' with { type: 'json' };
import moved from '../../api/docs/openapi/examples/aenderungen.summe.json' with { type: 'json' };
import aggregation from '../../api/docs/openapi/examples/aggregations.show.json' with { type: 'json' };
import alert from '../../api/docs/openapi/examples/alerts.create.json' with { type: 'json' };
import alerts from '../../api/docs/openapi/examples/alerts.list.json' with { type: 'json' };
import runs from '../../api/docs/openapi/examples/alerts.runs.json' with { type: 'json' };
import alertTests from '../../api/docs/openapi/examples/alerts.test.json' with { type: 'json' };
import tenders from '../../api/docs/openapi/examples/ausschreibungen.list.json' with { type: 'json' };
import awards from '../../api/docs/openapi/examples/ausschreibungen.zuschlaege.json' with { type: 'json' };
import ownFields from '../../api/docs/openapi/examples/custom-fields.list.json' with { type: 'json' };
import ownValues from '../../api/docs/openapi/examples/custom-fields.values.json' with { type: 'json' };
import datasets from '../../api/docs/openapi/examples/datasets.list.json' with { type: 'json' };
import version from '../../api/docs/openapi/examples/datasets.version.json' with { type: 'json' };
import events from '../../api/docs/openapi/examples/events.list.json' with { type: 'json' };
import me from '../../api/docs/openapi/examples/me.show.json' with { type: 'json' };
import operators from '../../api/docs/openapi/examples/netz.betreiber.json' with { type: 'json' };
import points from '../../api/docs/openapi/examples/netz.punkte.json' with { type: 'json' };
import grid from '../../api/docs/openapi/examples/netz.show.json' with { type: 'json' };
import portfolio from '../../api/docs/openapi/examples/portfolio.list.json' with { type: 'json' };
import written from '../../api/docs/openapi/examples/portfolio.put.json' with { type: 'json' };
import quality from '../../api/docs/openapi/examples/qualitaet.show.json' with { type: 'json' };
import qualityDays from '../../api/docs/openapi/examples/qualitaet.verlauf.json' with { type: 'json' };
import sets from '../../api/docs/openapi/examples/reference.list.json' with { type: 'json' };
import reference from '../../api/docs/openapi/examples/reference.values.json' with { type: 'json' };
import age from '../../api/docs/openapi/examples/region.altersstruktur.json' with { type: 'json' };
import snapshot from '../../api/docs/openapi/examples/region.momentaufnahme.json' with { type: 'json' };
import series from '../../api/docs/openapi/examples/region.zeitreihe.json' with { type: 'json' };
import savedFilter from '../../api/docs/openapi/examples/saved-filters.create.json' with { type: 'json' };
import savedFilters from '../../api/docs/openapi/examples/saved-filters.list.json' with { type: 'json' };
import shares from '../../api/docs/openapi/examples/shares.list.json' with { type: 'json' };
import fields from '../../api/docs/openapi/examples/units.fields.json' with { type: 'json' };
import history from '../../api/docs/openapi/examples/units.historie.json' with { type: 'json' };
import units from '../../api/docs/openapi/examples/units.list.json' with { type: 'json' };
import unit from '../../api/docs/openapi/examples/units.show.json' with { type: 'json' };
import usage from '../../api/docs/openapi/examples/usage.show.json' with { type: 'json' };
import endpoints from '../../api/docs/openapi/examples/webhooks.list.json' with { type: 'json' };
import portal from '../../api/docs/openapi/examples/webhooks.portal.json' with { type: 'json' };
import type {
  AgeStructure,
  Aggregation,
  DatasetList,
  DatasetVersionAnswer,
  MeAnswer,
  ReferenceValues,
  SeriesPerPlace,
  SnapshotAnswer,
  TimeSeries,
  UnitList,
} from '../../dashboards/web/v1/answers.ts';
import type { ConnectionPoints, Grid, GridOperators } from '../../dashboards/web/v1/grid-answers.ts';
import type { ChangeFeed, SumChange, UnitHistory } from '../../dashboards/web/v1/history-answers.ts';
import type {
  AlertAnswer,
  AlertList,
  AlertRunList,
  AlertTest,
  EndpointList,
  EventList,
  PortalLink,
  PortfolioList,
  ShareList,
  Usage,
  WriteAnswer,
} from '../../dashboards/web/v1/organisation-answers.ts';
import type { QualityHistory, QualityRules } from '../../dashboards/web/v1/quality-answers.ts';
import type { AwardList, TenderRounds } from '../../dashboards/web/v1/tender-answers.ts';
import type {
  FieldCatalog,
  OwnFieldList,
  OwnValueList,
  ReferenceSetList,
  SavedFilterAnswer,
  SavedFilterList,
  UnitAward,
  UnitDetail,
  UnitRows,
  UnitWithNeighbours,
} from '../../dashboards/web/v1/unit-answers.ts';

/**
 * Nothing here runs: the compiler holds what pages believe of answers to the examples of the documentation, which are real
 * answers of the service.
 */
age.state.answer.body satisfies AgeStructure;
aggregation.carriers.answer.body satisfies Aggregation;
datasets.all.answer.body satisfies DatasetList;
me.key.answer.body satisfies MeAnswer;
reference.states.answer.body satisfies ReferenceValues;
series.district.answer.body satisfies SeriesPerPlace;
series.district.answer.body satisfies TimeSeries;
snapshot.country.answer.body satisfies SnapshotAnswer;
units.largest.answer.body satisfies UnitList;
reference.signals.answer.body satisfies ReferenceValues;

fields.all.answer.body satisfies FieldCatalog;
ownFields.fields.answer.body satisfies OwnFieldList;
ownValues.values.answer.body satisfies OwnValueList;
savedFilters.all.answer.body satisfies SavedFilterList;
sets.all.answer.body satisfies ReferenceSetList;
unit.unit.answer.body satisfies UnitDetail;
unit.neighbours.answer.body satisfies UnitWithNeighbours;
unit.unit.answer.body.data.ausschreibungen satisfies readonly UnitAward[];
units.largest.answer.body satisfies UnitRows;
awards.page.answer.body satisfies AwardList;
alert.newStorage.answer.body satisfies AlertAnswer;
alerts.all.answer.body satisfies AlertList;
runs.runs.answer.body satisfies AlertRunList;
alertTests.shown.answer.body.data satisfies AlertTest;
savedFilter.created.answer.body satisfies SavedFilterAnswer;
shares.shares.answer.body satisfies ShareList;
endpoints.all.answer.body satisfies EndpointList;
events.first.answer.body satisfies EventList;
portal.link.answer.body satisfies PortalLink;
portfolio.owned.answer.body satisfies PortfolioList;
portfolio.removed.answer.body satisfies PortfolioList;
grid.grid.answer.body satisfies Grid;
points.points.answer.body satisfies ConnectionPoints;
operators.named.answer.body satisfies GridOperators;
quality.solar.answer.body satisfies QualityRules;
qualityDays.conspicuous.answer.body satisfies QualityHistory;
tenders.newest.answer.body satisfies TenderRounds;
tenders.ahead.answer.body satisfies TenderRounds;
usage.month.answer.body satisfies Usage;
version.version.answer.body satisfies DatasetVersionAnswer;
written.entries.answer.body satisfies WriteAnswer;
written.partly.answer.body satisfies WriteAnswer;
changes.feed.answer.body satisfies ChangeFeed;
moved.sum.answer.body satisfies SumChange;
history.history.answer.body satisfies UnitHistory;
