import { say } from '../../format/language.ts';
import { count, plural } from '../../format/numbers.ts';
import { Failed } from '../../frame/state.tsx';
import type { WrittenRow } from '../../v1/organisation-answers.ts';
import { rowWords } from '../../v1/problem-words.ts';
import { type Before, type Change, type Inverse, isValueRow } from './change.ts';
import type { Written } from './use-writer.ts';

/** A change that was sent, and what became of it. */
export interface Action {
  readonly change: Change;
  readonly written: Written;
  /** Entries that were loaded before it. */
  readonly before: Before;
  readonly inverse: Inverse;
}

/** Says what was written, names rows that were not, and offers to take it back. */
export function LastAction({
  action: { change, written, inverse },
  isBusy,
  onUndo,
  onResume,
  onClose,
}: {
  action: Action;
  isBusy: boolean;
  onUndo: () => void;
  onResume: () => void;
  onClose: () => void;
}) {
  const { rows, problem } = written;
  const failed = rows.filter(({ status }) => status === 'failed');
  const canUndo = inverse.entries.length > 0 || inverse.removals.length > 0;
  return (
    <section class="figure" aria-label={say('Letzte Änderung', 'Last change')}>
      <p role="status">
        <b>{sentence(change, rows)}</b>
        {valuesSentence(rows)}
        {inverse.lost > 0 &&
          say(
            ` ${plural(inverse.lost, 'Eintrag lässt', 'Einträge lassen')} sich nicht zurücknehmen: Der frühere Stand war nicht geladen.`,
            ` ${plural(inverse.lost, 'entry can', 'entries can')} not be taken back: the former state was not loaded.`,
          )}
      </p>
      {failed.length > 0 && (
        <ul>
          {failed.slice(0, MOST_NAMED).map(({ externalId, error }) => (
            <li key={externalId}>
              <bdi>{externalId}</bdi>: {error !== undefined && rowWords(error)}
            </li>
          ))}
          {failed.length > MOST_NAMED && (
            <li>
              {say('und ', 'and ')}
              {count(failed.length - MOST_NAMED)}
              {say(' weitere', ' more')}
            </li>
          )}
        </ul>
      )}
      {problem !== null && <Failed problem={problem} retry={onResume} shows={say('die Änderung', 'the change')} />}
      <p class="actions">
        {canUndo && (
          <button type="button" disabled={isBusy} onClick={onUndo}>
            {say('Rückgängig machen', 'Undo')}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {say('Schließen', 'Close')}
        </button>
      </p>
    </section>
  );
}

const MOST_NAMED = 50;

function sentence(change: Change, rows: readonly WrittenRow[]): string {
  const removals = new Set(change.removals);
  const having = (status: string, isRemoval: boolean): number =>
    rows.filter((row) => !isValueRow(row) && row.status === status && removals.has(row.externalId ?? '') === isRemoval)
      .length;
  const parts = [
    [having('created', false), say('hinzugefügt', 'added')],
    [having('updated', false), say('geändert', 'changed')],
    [having('updated', true), say('entfernt', 'removed')],
    [having('unchanged', false) + having('unchanged', true), say('unverändert', 'unchanged')],
    [having('failed', false) + having('failed', true), say('nicht gespeichert', 'not saved')],
  ] as const;
  const said = parts.filter(([number]) => number > 0).map(([number, word]) => `${count(number)} ${word}`);
  return said.length === 0
    ? say('Nichts wurde geändert.', 'Nothing was changed.')
    : say(`Einträge: ${said.join(', ')}.`, `Entries: ${said.join(', ')}.`);
}

/** Values have no way back: what stood there before is not known here. */
function valuesSentence(rows: readonly WrittenRow[]): string {
  const values = rows.filter(isValueRow);
  if (values.length === 0) return '';
  const written = values.filter(({ status }) => status === 'created' || status === 'updated').length;
  const failed = values.filter(({ status }) => status === 'failed').length;
  return say(
    ` Werte eigener Felder: ${count(written)} geschrieben, ${count(failed)} nicht; sie lassen sich nicht zurücknehmen.`,
    ` Values of own fields: ${count(written)} written, ${count(failed)} not; this cannot be undone.`,
  );
}
