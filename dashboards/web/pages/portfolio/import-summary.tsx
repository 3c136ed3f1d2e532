import { say } from '../../format/language.ts';
import { count, plural } from '../../format/numbers.ts';
import { type Role, roleName } from '../../units/roles.ts';
import type { WrittenRow } from '../../v1/organisation-answers.ts';
import { isValueRow } from './change.ts';
import type { Imported } from './imported.ts';

/** Says what was found, and how many rows would be added, changed, left and refused. */
export function ImportSummary({
  source: { numbers, repeated, faulty, roles, ignored, keepsRoles },
  rows,
  role,
}: {
  source: Imported;
  rows: readonly WrittenRow[];
  role: Role;
}) {
  const entries = rows.filter((row) => !isValueRow(row));
  const values = rows.filter(isValueRow);
  const name = roleName(role);
  const as =
    roles.size > 0 || keepsRoles
      ? say(
          `Mit der Rolle ihrer Zeile, sonst ${keepsRoles ? 'mit der bisherigen oder ' : ''}als ${name},`,
          `With the role of their row, else ${keepsRoles ? 'with the present one or ' : ''}as ${name},`,
        )
      : say(`Als ${name}`, `As ${name},`);
  const found = plural(numbers.length, say('Nummer', 'number'), say('Nummern', 'numbers'));
  return (
    <>
      <p>
        <b>{say(`${found} gefunden`, `${found} found`)}</b>
        {repeated.length > 0 &&
          say(`, ${count(repeated.length)} davon mehrfach`, `, ${count(repeated.length)} of them several times`)}
        {faulty.length > 0 && `; ${unreadable(faulty.length, keepsRoles)}`}.
        {entries.length > 0 && ` ${as} ${say('würden gespeichert', 'would be saved')}: ${counted(entries)}`}
        {values.length > 0 && ` ${say('Werte eigener Felder', 'Values of own fields')}: ${counted(values)}`}
      </p>
      {ignored.length > 0 && (
        <p class="note">
          {say('Spalten, die hier nichts bedeuten', 'Columns that mean nothing here')}: <bdi>{ignored.join(', ')}</bdi>.
        </p>
      )}
      {repeated.length > 0 && <Listed name={say('Mehrfach', 'Several times')} items={repeated} />}
      {faulty.length > 0 && (
        <Listed name={say('Nicht lesbar', 'Not readable')} items={faulty.map(({ text, why }) => `${text}: ${why}`)} />
      )}
    </>
  );
}

const unreadable = (number: number, isTable: boolean): string =>
  isTable
    ? plural(
        number,
        say('Zeile ist nicht lesbar', 'row is not readable'),
        say('Zeilen sind nicht lesbar', 'rows are not readable'),
      )
    : plural(
        number,
        say('Angabe ist keine Nummer einer Einheit', 'text is no number of a unit'),
        say('Angaben sind keine Nummer einer Einheit', 'texts are no numbers of units'),
      );

function counted(rows: readonly WrittenRow[]): string {
  const having = (status: string): string => count(rows.filter((row) => row.status === status).length);
  return say(
    `${having('created')} neu, ${having('updated')} geändert; unverändert ${having('unchanged')}, nicht möglich ${having('failed')}.`,
    `${having('created')} new, ${having('updated')} changed; ${having('unchanged')} as they are, ${having('failed')} impossible.`,
  );
}

/** Items that are listed by name. */
const MOST_LISTED = 50;

function Listed({ name, items }: { name: string; items: readonly string[] }) {
  return (
    <details class="as-table">
      <summary>
        {name} ({count(items.length)})
      </summary>
      <ul>
        {items.slice(0, MOST_LISTED).map((item) => (
          <li key={item}>
            <bdi>{item}</bdi>
          </li>
        ))}
        {items.length > MOST_LISTED && (
          <li>
            {say(`und ${count(items.length - MOST_LISTED)} weitere`, `and ${count(items.length - MOST_LISTED)} more`)}
          </li>
        )}
      </ul>
    </details>
  );
}
