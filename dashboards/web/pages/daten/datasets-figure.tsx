import { day } from '../../format/dates.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import { DATASETS } from '../../frame/source.ts';
import type { Dataset, DatasetList } from '../../v1/answers.ts';
import { mapLoaded } from '../../v1/loaded.ts';
import { useAnswer } from '../../v1/use-answer.ts';

const COLUMNS: readonly RowColumn<Dataset>[] = [
  { name: 'Datensatz', value: ({ label }) => label },
  { name: 'Zeilen', numeric: true, digits: 0, value: ({ rows }) => rows },
  { name: 'Stand', value: ({ asOf }) => day(asOf) },
  { name: 'Wird erneuert', value: ({ updateCycle }) => updateCycle },
  { name: 'Quelle', value: ({ source }) => source },
];

export function DatasetsFigure() {
  const loaded = mapLoaded(useAnswer<DatasetList>(DATASETS), ({ data }) => data);
  const title = 'Datensätze des Dienstes';
  return (
    <Figure
      title={title}
      unit="Zeilen im ausgelieferten Stand"
      loaded={loaded}
      requests={[DATASETS]}
      shows="die Datensätze mit Stand und Umfang"
      table={(datasets) => tableOf(COLUMNS, datasets)}
      empty={(datasets) => (datasets.length === 0 ? 'Es wird kein Datensatz ausgeliefert.' : null)}
      plain
    >
      {(datasets) => <RowTable columns={COLUMNS} rows={datasets} caption={title} idOf={({ name }) => name} />}
    </Figure>
  );
}
