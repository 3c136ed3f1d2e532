import { day, time } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import type { DatasetVersion, PublishedVersion } from '../../v1/answers.ts';
import type { Loaded } from '../../v1/loaded.ts';
import { VERSION } from './version-facts.tsx';

const COLUMNS: readonly RowColumn<PublishedVersion>[] = [
  { name: 'Version', value: ({ version }) => version },
  { name: say('Stand', 'As of'), value: ({ exportTag }) => day(exportTag) },
  { name: say('Ausgeliefert seit', 'Served since'), value: ({ veroeffentlichtAm }) => time(veroeffentlichtAm) },
  {
    name: say('Warum', 'Why'),
    value: ({ grund }) =>
      grund === 'ruecknahme'
        ? say('Rücknahme eines späteren Stands', 'a later state was taken back')
        : say('neuer Export', 'new export'),
  },
];

/** Versions that were served before. */
export function EarlierFigure({ loaded }: { loaded: Loaded<DatasetVersion> }) {
  const title = say('Frühere Stände', 'Earlier states');
  return (
    <Figure
      title={title}
      unit={say('Was vorher ausgeliefert wurde, das Neueste zuerst', 'What was served before, the newest first')}
      loaded={loaded}
      requests={[VERSION]}
      shows={say('die früheren Stände', 'the earlier states')}
      table={({ frueher }) => tableOf(COLUMNS, frueher)}
      empty={({ frueher }) =>
        frueher.length === 0
          ? say(
              'Dies ist der erste Stand, den der Dienst ausliefert.',
              'This is the first state that the service serves.',
            )
          : null
      }
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
