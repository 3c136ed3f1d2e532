import { useState } from 'preact/hooks';
import { say } from '../../format/language.ts';
import { count, plural } from '../../format/numbers.ts';
import { type RowColumn, RowTable } from '../../frame/row-table.tsx';
import { Failed } from '../../frame/state.tsx';
import { RoleChoice } from '../../units/role-choice.tsx';
import { type Role, roleName } from '../../units/roles.ts';
import type { PortfolioEntry, WrittenRow } from '../../v1/organisation-answers.ts';
import { rowWords } from '../../v1/problem-words.ts';
import { batchesOf, type Change } from './change.ts';
import { outcomeText } from './outcomes.ts';
import { type Pasted, readPasted } from './pasted.ts';
import { useWriter, type Written } from './use-writer.ts';
import { WritingState } from './writing-state.tsx';

/** More numbers than this are no longer looked through by anyone: 40 writes, and a minute of waiting. */
const MOST_NUMBERS = 10_000;

/** Adds units by their numbers: what would happen is shown before anything is written. */
export function AddForm({
  isBusy,
  former,
  onAdd,
}: {
  isBusy: boolean;
  /** Entries that are known, by number. */
  former: ReadonlyMap<string, PortfolioEntry>;
  onAdd: (change: Change) => Promise<void>;
}) {
  const [text, setText] = useState('');
  const [role, setRole] = useState<Role>('OPERATOR');
  const [checked, setChecked] = useState<{ readonly pasted: Pasted; readonly tried: Written } | null>(null);
  const [checking, tryOut] = useWriter();
  const isTooMuch = (checked?.pasted.numbers.length ?? 0) > MOST_NUMBERS;

  const check = async (event: Event): Promise<void> => {
    event.preventDefault();
    const pasted = readPasted(text);
    const change = changeOf(pasted.numbers, role, pasted.roles);
    const tried =
      pasted.numbers.length > MOST_NUMBERS
        ? { rows: [], problem: null, remaining: [] }
        : await tryOut(batchesOf(change, { dryRun: true }));
    setChecked({ pasted, tried });
  };
  const good = checked?.tried.rows.filter(({ status }) => status === 'created' || status === 'updated') ?? [];
  const add = async (): Promise<void> => {
    await onAdd(
      changeOf(
        good.flatMap(({ externalId }) => externalId ?? []),
        role,
        checked?.pasted.roles ?? new Map(),
      ),
    );
    setText('');
    setChecked(null);
  };
  return (
    <details class="figure add">
      <summary>{say('Anlagen hinzufügen oder Rollen ändern', 'Add units or change roles')}</summary>
      <form onSubmit={check}>
        <label>
          {say(
            'Nummern der Einheiten, etwa Zeilen aus Excel oder einer CSV-Datei; anderer Text dazwischen stört nicht. Eine Spalte „Rolle“ gilt vor der Auswahl unten.',
            'Numbers of units, such as rows of Excel or of a CSV file; other text between them does no harm. A column “Rolle” or “role” goes before the choice below.',
          )}
          <textarea
            rows={6}
            value={text}
            placeholder="SEE900000000001"
            spellcheck={false}
            required
            onInput={(event) => {
              setText(event.currentTarget.value);
              setChecked(null);
            }}
          />
        </label>
        <div class="choices">
          <RoleChoice
            label={say('Rolle der Organisation', 'Role of the organisation')}
            value={role}
            onChange={(next) => {
              setRole(next);
              setChecked(null);
            }}
          />
          <button type="submit" disabled={checking !== null || isBusy}>
            {say('Prüfen', 'Check')}
          </button>
          {checked !== null && good.length > 0 && (
            <button type="button" class="primary" disabled={isBusy} onClick={add}>
              {plural(good.length, say('Eintrag', 'entry'), say('Einträge', 'entries'))}
              {say(' speichern', ': save')}
            </button>
          )}
        </div>
      </form>
      {checking !== null && <WritingState writing={checking} />}
      <div role="status">
        {checked !== null && <Summary pasted={checked.pasted} rows={checked.tried.rows} role={role} />}
        {isTooMuch && (
          <p>
            {say('Das sind mehr als ', 'These are more than ')}
            {count(MOST_NUMBERS)}
            {say(
              ' Nummern; bitte in Teilen einfügen. Für so viele eignet sich die Schnittstelle besser.',
              ' numbers; please paste them in parts. For so many the interface is better.',
            )}
          </p>
        )}
      </div>
      {checked?.tried.problem != null && (
        <Failed
          problem={checked.tried.problem}
          retry={() => setChecked(null)}
          shows={say('die Folgen für jeden Eintrag', 'what would become of each entry')}
        />
      )}
      {checked !== null && checked.tried.rows.length > 0 && (
        <RowTable
          columns={outcomes(former, (number) => checked.pasted.roles.get(number) ?? role)}
          rows={sorted(checked.tried.rows)}
          caption={say('Was geschehen würde', 'What would happen')}
          idOf={({ externalId }) => externalId ?? ''}
        />
      )}
    </details>
  );
}

const changeOf = (numbers: readonly string[], role: Role, roles: ReadonlyMap<string, Role>): Change => ({
  entries: numbers.map((mastrNummer) => ({ mastrNummer, relationType: roles.get(mastrNummer) ?? role })),
  removals: [],
});

function Summary({ pasted, rows, role }: { pasted: Pasted; rows: readonly WrittenRow[]; role: Role }) {
  const { numbers, repeated, faulty, roles } = pasted;
  const having = (status: string): number => rows.filter((row) => row.status === status).length;
  return (
    <>
      <p>
        <b>
          {plural(numbers.length, say('Nummer', 'number'), say('Nummern', 'numbers'))}
          {say(' gefunden', ' found')}
        </b>
        {repeated.length > 0 &&
          say(`, ${count(repeated.length)} davon mehrfach`, `, ${count(repeated.length)} of them more than once`)}
        {faulty.length > 0 &&
          say(
            `; ${plural(faulty.length, 'Angabe ist', 'Angaben sind')} keine Nummer einer Einheit`,
            `; ${plural(faulty.length, 'text is', 'texts are')} no number of a unit`,
          )}
        .
        {rows.length > 0 &&
          say(
            ` ${roles.size > 0 ? `Mit der Rolle ihrer Zeile, sonst als ${roleName(role)},` : `Als ${roleName(role)}`} würden gespeichert: ${count(having('created'))} neu, ${count(having('updated'))} geändert; `,
            ` ${roles.size > 0 ? `With the role of their row, otherwise as ${roleName(role)},` : `As ${roleName(role)}`} would be saved: ${count(having('created'))} new, ${count(having('updated'))} changed; `,
          ) +
            say(
              `unverändert ${count(having('unchanged'))}, nicht möglich ${count(having('failed'))}.`,
              `unchanged ${count(having('unchanged'))}, not possible ${count(having('failed'))}.`,
            )}
      </p>
      {repeated.length > 0 && <Listed name={say('Mehrfach', 'More than once')} items={repeated} />}
      {faulty.length > 0 && (
        <Listed name={say('Nicht lesbar', 'Not readable')} items={faulty.map(({ text, why }) => `${text}: ${why}`)} />
      )}
    </>
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
            {say('und ', 'and ')}
            {count(items.length - MOST_LISTED)}
            {say(' weitere', ' more')}
          </li>
        )}
      </ul>
    </details>
  );
}

const outcomes = (
  former: ReadonlyMap<string, PortfolioEntry>,
  roleTo: (number: string) => Role,
): readonly RowColumn<WrittenRow>[] => [
  { name: say('Einheit', 'Unit'), value: ({ externalId }) => externalId },
  {
    name: say('Was geschieht', 'What happens'),
    value: (row) => outcomeText(row, former, roleTo),
    show: (row) => (
      <>
        {outcomeText(row, former, roleTo)}
        {row.error !== undefined && `: ${rowWords(row.error)}`}
      </>
    ),
  },
];

const RANKS = ['failed', 'created', 'updated', 'unchanged'];

/** What does not work comes first. */
const sorted = (rows: readonly WrittenRow[]): readonly WrittenRow[] =>
  rows.toSorted((one, other) => RANKS.indexOf(one.status) - RANKS.indexOf(other.status));
