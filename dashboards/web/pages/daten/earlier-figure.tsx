import { day, time } from '../../format/dates.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import type { DatasetVersion, PublishedVersion } from '../../v1/answers.ts';
import type { Loaded } from '../../v1/loaded.ts';
import { VERSION } from './version-facts.tsx';

const COLUMNS: readonly RowColumn<PublishedVersion>[] = [
  { name: 'Version', value: ({ version }) => version },
  { name: 'Stand', value: ({ exportTag }) => day(exportTag) },
  { name: 'Ausgeliefert seit', value: ({ veroeffentlichtAm }) => time(veroeffentlichtAm) },
  {
    name: 'Warum',
    value: ({ grund }) => (grund === 'ruecknahme' ? 'Rücknahme eines späteren Stands' : 'neuer Export'),
  },
];

/** Versions that were served before. */
export function EarlierFigure({ loaded }: { loaded: Loaded<DatasetVersion> }) {
  const title = 'Frühere Stände';
  return (
    <Figure
      title={title}
      unit="Was vorher ausgeliefert wurde, das Neueste zuerst"
      loaded={loaded}
      requests={[VERSION]}
      shows="die früheren Stände"
      table={({ frueher }) => tableOf(COLUMNS, frueher)}
      empty={({ frueher }) => (frueher.length === 0 ? 'Dies ist der erste Stand, den der Dienst ausliefert.' : null)}
      height={110}
      plain
    >
      {({ frueher }) => (
        <RowTable
          columns={COLUMNS}
          rows={frueher}
          caption={title}
          idOf={({ version, veroeffentlichtAm }) => `${version} ${veroeffentlichtAm}`}
        />
      )}
    </Figure>
  );
}
