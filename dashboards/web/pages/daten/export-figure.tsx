import { say } from '../../format/language.ts';
import { count } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { TableView } from '../../frame/table-view.tsx';
import type { DatasetVersion } from '../../v1/answers.ts';
import type { Loaded } from '../../v1/loaded.ts';
import { VERSION } from './version-facts.tsx';

type Account = NonNullable<DatasetVersion['export']>;

/** The fates of the records, in the order in which they add up to what was read. */
const PARTS: readonly (readonly [keyof Account, string])[] = [
  ['gelesen', say('gelesen', 'read')],
  ['geladen', say('davon übernommen', 'of these taken')],
  ['doppelt', say('davon doppelt: der jüngere Datensatz gilt', 'of these twice: the later record holds')],
  ['abgelehnt', say('davon nicht lesbar', 'of these not readable')],
  [
    'ungenutzt',
    say('davon aus Dateien, die der Dienst nicht nutzt', 'of these from files that the service does not use'),
  ],
];

const tableOf = (account: Account) => ({
  columns: [
    { name: say('Datensätze des Exports', 'Records of the export') },
    { name: say('Anzahl', 'Number'), numeric: true, digits: 0 },
  ],
  rows: PARTS.map(([member, name]) => [name, account[member]]),
});

/** Shows what became of the records of the export. */
export function ExportFigure({ loaded }: { loaded: Loaded<DatasetVersion> }) {
  const title = say('Was aus dem Export wurde', 'What became of the export');
  return (
    <Figure
      title={title}
      unit={say('Datensätze aller Dateien', 'Records of all files')}
      loaded={loaded}
      requests={[VERSION]}
      shows={say('die Zahl der übernommenen Datensätze', 'the number of records taken')}
      table={(version) => (version.export === null ? { columns: [], rows: [] } : tableOf(version.export))}
      empty={(version) =>
        version.export === null
          ? say(
              'Der Dienst weiß es von diesem Stand nicht: Eine frühere Fassung hat ihn gebaut.',
              'The service does not know it of this state: an earlier release built it.',
            )
          : null
      }
      plain
    >
      {(version) =>
        version.export !== null && (
          <>
            <p class="note">
              <bdi>{version.export.name}</bdi>: {count(version.export.dateien)}
              {say(' Dateien', ' files')}
              {version.export.fassung !== null &&
                say(
                  `, Fassung ${version.export.fassung} des Formats`,
                  `, version ${version.export.fassung} of the format`,
                )}
            </p>
            <TableView table={tableOf(version.export)} caption={title} />
          </>
        )
      }
    </Figure>
  );
}
