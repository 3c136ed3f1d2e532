import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { say } from '../format/language.ts';
import { count, unitCount } from '../format/numbers.ts';
import { PageTitle } from '../frame/page-title.ts';
import { sourceLine, useSource } from '../frame/source.ts';
import { Countdown, ProgressBar } from '../frame/state.tsx';
import type { Table } from '../frame/table.ts';
import { saveTable, type TableFile } from '../frame/table-file.ts';
import type { Progress } from '../v1/loaded.ts';
import { type Problem, problemOf } from '../v1/problem.ts';
import { sentenceOf } from '../v1/problem-words.ts';
import type { ApiRequest } from '../v1/request.ts';
import type { UnitFields } from '../v1/unit-answers.ts';
import { useVisit } from '../v1/use-answer.ts';
import { wholeList } from './whole-list.ts';

type State =
  | { readonly is: 'idle' }
  | { readonly is: 'reading'; readonly progress: Progress; readonly waitingUntil: number | null }
  | { readonly is: 'saved'; readonly rows: number; readonly total: number }
  | { readonly is: 'failed'; readonly problem: Problem };

/**
 * Saves the whole list as a file, with the columns that the table shows. The file ends where the interface or the
 * organisation's limit ends it, and says so.
 */
export function ListDownload({
  title,
  request,
  total,
  tableOf,
  filter,
}: {
  title: string;
  /** What the list asks for, in words. Default: the title of the page. */
  filter?: string;
  request: ApiRequest;
  total: number;
  tableOf: (rows: readonly UnitFields[]) => Table;
}) {
  const { client, me, root } = useVisit();
  const page = useContext(PageTitle);
  const dataset = useSource();
  const source = sourceLine(dataset);
  const [state, set] = useState<State>({ is: 'idle' });
  const aborter = useRef<AbortController | null>(null);
  const { maxPageSize, maxRowsPerQuery, exportRows } = me.limits;
  // A saved filter cannot be narrowed, so its list ends where the interface ends it.
  const isOne = total <= maxRowsPerQuery || exportRows <= maxRowsPerQuery || request.query?.savedFilterId != null;
  const most = isOne ? Math.min(maxRowsPerQuery, exportRows) : exportRows;
  const id = JSON.stringify(request);
  // Another list is asked for now: what is being read belongs to the former one.
  useEffect(() => {
    set({ is: 'idle' });
    return () => aborter.current?.abort();
  }, [id]);

  const save = async (kind: TableFile): Promise<void> => {
    aborter.current = new AbortController();
    const { signal } = aborter.current;
    const report = (change: Partial<Extract<State, { is: 'reading' }>>): void => {
      if (!signal.aborted) set((before) => (before.is === 'reading' ? { ...before, ...change } : before));
    };
    set({ is: 'reading', progress: { done: 0, of: Math.min(total, most) }, waitingUntil: null });
    try {
      const gathered = await wholeList(
        {
          ask: (page) => client.ask(page, { signal, onWait: (until) => report({ waitingUntil: until }) }),
          progress: (progress) => report({ progress, waitingUntil: null }),
        },
        { ...request, query: { ...request.query, limit: maxPageSize } },
        { total, most: exportRows, ceiling: maxRowsPerQuery },
      );
      const { rows } = gathered;
      const whole = gathered.total ?? rows.length;
      const cut =
        rows.length < whole
          ? isOne
            ? say(
                ` · Nur die ersten ${count(rows.length)} von ${count(whole)} Einheiten`,
                ` · Only the first ${count(rows.length)} of ${count(whole)} units`,
              )
            : say(
                ` · Nur ${count(rows.length)} von ${count(whole)} Einheiten, nach dem Tag der Registrierung`,
                ` · Only ${count(rows.length)} of ${count(whole)} units, by day of registration`,
              )
          : '';
      await saveTable(kind, tableOf(rows), {
        ...{
          title,
          page: filter ?? page,
          asOf: dataset?.asOf ?? null,
          source: `${source}${cut}`,
          requests: [request],
          root,
        },
      });
      set({ is: 'saved', rows: rows.length, total: whole });
    } catch (error) {
      if (!signal.aborted) set({ is: 'failed', problem: problemOf(error) });
    }
  };
  const cancel = (): void => {
    aborter.current?.abort();
    set({ is: 'idle' });
  };

  if (state.is === 'reading') {
    return (
      <div class="list-download" role="status">
        {state.waitingUntil !== null && <Countdown until={state.waitingUntil} />}
        <ProgressBar progress={state.progress} />
        <button type="button" onClick={cancel}>
          {say('Abbrechen', 'Cancel')}
        </button>
      </div>
    );
  }
  return (
    <>
      <button type="button" onClick={() => save('CSV')}>
        CSV:{' '}
        {total <= most
          ? unitCount(total)
          : isOne
            ? say(`die ersten ${count(most)}`, `the first ${count(most)}`)
            : say(`${count(most)} von ${count(total)}`, `${count(most)} of ${count(total)}`)}
      </button>
      <button
        type="button"
        onClick={() => save('XLSX')}
        aria-label={say(`XLSX speichern: ${title}`, `Save XLSX: ${title}`)}
      >
        XLSX
      </button>
      {state.is === 'saved' && (
        <p class="note" role="status">
          {unitCount(state.rows)}
          {say(' gespeichert.', ' saved.')}
          {state.rows < state.total &&
            say(
              ` Die Datei endet dort; die Liste hat ${count(state.total)}. Engere Filter, etwa ein Bundesland nach dem anderen, liefern den Rest.`,
              ` The file ends there; the list has ${count(state.total)}. Narrower filters, such as one state after another, give the rest.`,
            )}
        </p>
      )}
      {state.is === 'failed' && (
        <p class="fault" role="alert">
          {say('Nicht gespeichert: ', 'Not saved: ')}
          {sentenceOf(state.problem)}
        </p>
      )}
    </>
  );
}
