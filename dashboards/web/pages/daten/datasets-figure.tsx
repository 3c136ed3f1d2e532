import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import { DATASETS } from '../../frame/source.ts';
import type { Dataset, DatasetList } from '../../v1/answers.ts';
import { mapLoaded } from '../../v1/loaded.ts';
import { useAnswer } from '../../v1/use-answer.ts';
import { cycleOf, labelOf } from './dataset-words.ts';

const COLUMNS: readonly RowColumn<Dataset>[] = [
  { name: say('Datensatz', 'Dataset'), value: labelOf },
  { name: say('Zeilen', 'Rows'), numeric: true, digits: 0, value: ({ rows }) => rows },
  { name: say('Stand', 'As of'), value: ({ asOf }) => day(asOf) },
  {
    name: say('Wird erneuert', 'Renewed'),
    value: cycleOf,
  },
  { name: say('Quelle', 'Source'), value: ({ source }) => source },
];

export function DatasetsFigure() {
  const loaded = mapLoaded(useAnswer<DatasetList>(DATASETS), ({ data }) => data);
  const title = say('Datensätze des Dienstes', 'Datasets of the service');
  return (
    <Figure
      title={title}
      unit={say('Zeilen im ausgelieferten Stand', 'Rows in the state that is served')}
      loaded={loaded}
      requests={[DATASETS]}
      shows={say('die Datensätze mit Stand und Umfang', 'the datasets with day and size')}
      table={(datasets) => tableOf(COLUMNS, datasets)}
      empty={(datasets) =>
        datasets.length === 0 ? say('Es wird kein Datensatz ausgeliefert.', 'No dataset is served.') : null
      }
      plain
    >
      {(datasets) => <RowTable columns={COLUMNS} rows={datasets} caption={title} idOf={({ name }) => name} />}
    </Figure>
  );
}
