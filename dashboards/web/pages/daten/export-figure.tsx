import { count } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { TableView } from '../../frame/table-view.tsx';
import type { DatasetVersion } from '../../v1/answers.ts';
import type { Loaded } from '../../v1/loaded.ts';
import { VERSION } from './version-facts.tsx';

type Account = NonNullable<DatasetVersion['export']>;

/** The fates of the records, in the order in which they add up to what was read. */
const PARTS: readonly (readonly [keyof Account, string])[] = [
  ['gelesen', 'gelesen'],
  ['geladen', 'davon übernommen'],
  ['doppelt', 'davon doppelt: der jüngere Datensatz gilt'],
  ['abgelehnt', 'davon nicht lesbar'],
  ['ungenutzt', 'davon aus Dateien, die der Dienst nicht nutzt'],
];

const tableOf = (account: Account) => ({
  columns: [{ name: 'Datensätze des Exports' }, { name: 'Anzahl', numeric: true, digits: 0 }],
  rows: PARTS.map(([member, name]) => [name, account[member]]),
});

/** Shows what became of the records of the export. */
export function ExportFigure({ loaded }: { loaded: Loaded<DatasetVersion> }) {
  const title = 'Was aus dem Export wurde';
  return (
    <Figure
      title={title}
      unit="Datensätze aller Dateien"
      loaded={loaded}
      requests={[VERSION]}
      shows="die Zahl der übernommenen Datensätze"
      table={(version) => (version.export === null ? { columns: [], rows: [] } : tableOf(version.export))}
      empty={(version) =>
        version.export === null
          ? 'Der Dienst weiß es von diesem Stand nicht: Eine frühere Fassung hat ihn gebaut.'
          : null
      }
      plain
    >
      {(version) =>
        version.export !== null && (
          <>
            <p class="note">
              <bdi>{version.export.name}</bdi>: {count(version.export.dateien)} Dateien
              {version.export.fassung !== null && `, Fassung ${version.export.fassung} des Formats`}
            </p>
            <TableView table={tableOf(version.export)} caption={title} />
          </>
        )
      }
    </Figure>
  );
}
