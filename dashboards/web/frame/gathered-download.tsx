import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { say } from '../format/language.ts';
import type { Progress } from '../v1/loaded.ts';
import { type Problem, problemOf } from '../v1/problem.ts';
import { sentenceOf } from '../v1/problem-words.ts';
import type { ApiRequest } from '../v1/request.ts';
import { type Loading, useVisit } from '../v1/use-answer.ts';
import { PageTitle } from './page-title.ts';
import { sourceLine, useSource } from './source.ts';
import { Countdown, ProgressBar } from './state.tsx';
import type { Table } from './table.ts';
import { saveTable, type TableFile } from './table-file.ts';

type State =
  | { readonly is: 'idle' }
  | { readonly is: 'reading'; readonly progress: Progress; readonly waitingUntil: number | null }
  | { readonly is: 'saved'; readonly said: ComponentChildren }
  | { readonly is: 'failed'; readonly problem: Problem };

/** What a list became as a file. */
interface Saved {
  readonly table: Table;
  /** Said in the file beside the source, where it does not have all. */
  readonly cut?: string;
  /** Said beneath the buttons. */
  readonly said: ComponentChildren;
}

/** Saves a list that is read page by page as a file, with the columns that the table shows. */
export function GatheredDownload({
  title,
  request,
  of,
  words,
  filter,
  gather,
}: {
  title: string;
  request: ApiRequest;
  /** Rows that the file will have; null = not known. */
  of: number | null;
  /** Says on the button how many these are. */
  words: string;
  /** What the list asks for, in words. Default: the title of the page. */
  filter?: string | undefined;
  gather(loading: Pick<Loading, 'ask' | 'progress'>): Promise<Saved>;
}) {
  const { client, root } = useVisit();
  const page = useContext(PageTitle);
  const dataset = useSource();
  const [state, set] = useState<State>({ is: 'idle' });
  const aborter = useRef<AbortController | null>(null);
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
    set({ is: 'reading', progress: { done: 0, of }, waitingUntil: null });
    try {
      const {
        table,
        cut = '',
        said,
      } = await gather({
        ask: (one) => client.ask(one, { signal, onWait: (until) => report({ waitingUntil: until }) }),
        progress: (progress) => report({ progress, waitingUntil: null }),
      });
      await saveTable(kind, table, {
        ...{ title, page: filter ?? page, asOf: dataset?.asOf ?? null },
        ...{ source: `${sourceLine(dataset)}${cut}`, requests: [request], root },
      });
      set({ is: 'saved', said });
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
        CSV: {words}
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
          {state.said}
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
