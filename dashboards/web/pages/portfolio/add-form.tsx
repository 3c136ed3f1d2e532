import { useState } from 'preact/hooks';
import { say } from '../../format/language.ts';
import { count, plural } from '../../format/numbers.ts';
import { type RowColumn, RowTable } from '../../frame/row-table.tsx';
import { Failed } from '../../frame/state.tsx';
import { RoleChoice } from '../../units/role-choice.tsx';
import type { Role } from '../../units/roles.ts';
import type { PortfolioEntry, WrittenRow } from '../../v1/organisation-answers.ts';
import { rowWords } from '../../v1/problem-words.ts';
import type { OwnField } from '../../v1/unit-answers.ts';
import { batchesOf, type Change, isValueRow, type NewValue } from './change.ts';
import { FileChoice, type ImportedFile } from './file-choice.tsx';
import { ImportSummary } from './import-summary.tsx';
import { asImported, type Imported } from './imported.ts';
import { outcomeText, valueOutcome } from './outcomes.ts';
import { readPasted } from './pasted.ts';
import { useWriter, type Written } from './use-writer.ts';
import { WritingState } from './writing-state.tsx';

/** More numbers than this are no longer looked through by anyone: 40 writes, and a minute of waiting. */
const MOST_NUMBERS = 10_000;

interface Checked {
  readonly source: Imported;
  readonly change: Change;
  readonly tried: Written;
}

/** Adds units by their numbers, pasted or out of a file: what would happen is shown before anything is written. */
export function AddForm({
  isBusy,
  former,
  knowsAll,
  onAdd,
}: {
  isBusy: boolean;
  /** Entries that are known, by number. */
  former: ReadonlyMap<string, PortfolioEntry>;
  /** True: what is not among them is no entry. */
  knowsAll: boolean;
  onAdd: (change: Change) => Promise<void>;
}) {
  const [text, setText] = useState('');
  const [file, setFile] = useState<ImportedFile | null>(null);
  // Another number is another element, which has forgotten the file.
  const [files, countFiles] = useState(0);
  const [role, setRole] = useState<Role>('OPERATOR');
  const [checked, setChecked] = useState<Checked | null>(null);
  const [checking, tryOut] = useWriter();
  const isTooMuch = (checked?.source.numbers.length ?? 0) > MOST_NUMBERS;

  const check = async (event: Event): Promise<void> => {
    event.preventDefault();
    const source = file?.imported ?? asImported(readPasted(text));
    const change = changeOf(source, role, former, knowsAll);
    const tried =
      source.numbers.length > MOST_NUMBERS
        ? { rows: [], problem: null, remaining: [] }
        : await tryOut(batchesOf(change, { dryRun: true }));
    setChecked({ source, change, tried });
  };
  const goodRows = new Set(
    checked?.tried.rows.flatMap(({ externalId, status }) =>
      externalId !== null && (status === 'created' || status === 'updated') ? [externalId] : [],
    ),
  );
  const good = checked === null ? null : onlyGood(checked.change, goodRows);
  const goodValues = new Set(good?.values?.map(placeOf)).size;
  const forgetFile = (): void => {
    setFile(null);
    countFiles(files + 1);
  };
  const add = async (): Promise<void> => {
    if (good !== null) await onAdd(good);
    setText('');
    forgetFile();
    setChecked(null);
  };
  return (
    <details class="figure add">
      <summary>{say('Anlagen hinzufügen oder Rollen ändern', 'Add assets or change roles')}</summary>
      <form onSubmit={check}>
        <label>
          {say(
            'Nummern der Einheiten, etwa Zeilen aus Excel oder einer CSV-Datei; anderer Text dazwischen stört nicht. Eine Spalte „Rolle“ gilt vor der Auswahl unten.',
            'Numbers of units, such as rows of Excel or of a CSV file; other text between them does not matter. A column of roles (“Rolle”) comes before the choice below.',
          )}
          <textarea
            rows={6}
            value={text}
            placeholder="SEE900000000001"
            spellcheck={false}
            required={file === null}
            onInput={(event) => {
              setText(event.currentTarget.value);
              if (file !== null) forgetFile();
              setChecked(null);
            }}
          />
        </label>
        <FileChoice
          key={files}
          onFile={(next) => {
            setFile(next);
            setText('');
            setChecked(null);
          }}
        />
        <div class="choices">
          <RoleChoice
            label={say('Rolle der Organisation', 'Role of the organisation')}
            value={role}
            onChange={(next) => {
              setRole(next);
              setChecked(null);
            }}
          />
          <button type="submit" disabled={checking !== null || isBusy || (file !== null && file.imported === null)}>
            {say('Prüfen', 'Check')}
          </button>
          {good !== null && good.entries.length + goodValues > 0 && (
            <button type="button" class="primary" disabled={isBusy} onClick={add}>
              {savingOf(good.entries.length, goodValues)}
            </button>
          )}
        </div>
      </form>
      {checking !== null && <WritingState writing={checking} />}
      <div role="status">
        {checked !== null && <ImportSummary source={checked.source} rows={checked.tried.rows} role={role} />}
        {isTooMuch && (
          <p>
            {say(
              `Das sind mehr als ${count(MOST_NUMBERS)} Nummern; bitte in Teilen einfügen. Für so viele eignet sich die Schnittstelle besser.`,
              `These are more than ${count(MOST_NUMBERS)} numbers; add them in parts. For so many the interface is better suited.`,
            )}
          </p>
        )}
      </div>
      {checked?.tried.problem != null && (
        <Failed
          problem={checked.tried.problem}
          retry={() => setChecked(null)}
          shows={say('die Folgen für jeden Eintrag', 'what becomes of each entry')}
        />
      )}
      {checked !== null && checked.tried.rows.length > 0 && (
        <RowTable
          columns={outcomes(checked, former, file?.fields ?? [])}
          rows={sorted(checked.tried.rows)}
          caption={say('Was geschehen würde', 'What would happen')}
          idOf={({ externalId }) => externalId ?? ''}
        />
      )}
    </details>
  );
}

function savingOf(entries: number, values: number): string {
  const parts = [
    ...(entries > 0 ? [plural(entries, say('Eintrag', 'entry'), say('Einträge', 'entries'))] : []),
    ...(values > 0 ? [plural(values, say('Wert', 'value'), say('Werte', 'values'))] : []),
  ].join(say(' und ', ' and '));
  return say(`${parts} speichern`, `Save ${parts}`);
}

const placeOf = ({ mastrNummer, defId }: NewValue): string => `${mastrNummer}/${defId}`;

function changeOf(
  { numbers, roles, references, values, keepsRoles }: Imported,
  role: Role,
  former: ReadonlyMap<string, PortfolioEntry>,
  knowsAll: boolean,
): Change {
  return {
    entries: numbers.map((mastrNummer) => {
      const before = former.get(mastrNummer);
      const relationType = roles.get(mastrNummer) ?? (keepsRoles ? before?.relationType : undefined) ?? role;
      const named = references.get(mastrNummer);
      // The interface replaces all identifiers of an entry: without those that are there, they would be lost.
      return named === undefined || (before === undefined && !knowsAll)
        ? { mastrNummer, relationType }
        : { mastrNummer, relationType, externalRefs: { ...before?.externalRefs, ...named } };
    }),
    values,
    removals: [],
  };
}

/** What of a change would be written. */
const onlyGood = ({ entries, values = [] }: Change, good: ReadonlySet<string>): Change => ({
  entries: entries.filter(({ mastrNummer }) => good.has(mastrNummer)),
  values: values.filter((value) => good.has(placeOf(value))),
  removals: [],
});

function outcomes(
  { change }: Checked,
  former: ReadonlyMap<string, PortfolioEntry>,
  fields: readonly OwnField[],
): readonly RowColumn<WrittenRow>[] {
  const roles = new Map(change.entries.map(({ mastrNummer, relationType }) => [mastrNummer, relationType]));
  const textOf = (row: WrittenRow): string =>
    isValueRow(row) ? valueOutcome(row) : outcomeText(row, former, (number) => roles.get(number) ?? '');
  return [
    { name: say('Einheit', 'Unit'), value: ({ externalId }) => externalId?.split('/', 1)[0] ?? null },
    ...(fields.length === 0
      ? []
      : [
          {
            name: say('Feld', 'Field'),
            value: ({ externalId }: WrittenRow) =>
              fields.find(({ id }) => id === externalId?.split('/')[1])?.name ?? null,
          },
        ]),
    {
      name: say('Was geschieht', 'What happens'),
      value: textOf,
      show: (row) => (
        <>
          {textOf(row)}
          {row.error !== undefined && `: ${rowWords(row.error)}`}
        </>
      ),
    },
  ];
}

const RANKS = ['failed', 'created', 'updated', 'unchanged'];

/** What does not work comes first. */
const sorted = (rows: readonly WrittenRow[]): readonly WrittenRow[] =>
  rows.toSorted((one, other) => RANKS.indexOf(one.status) - RANKS.indexOf(other.status));
