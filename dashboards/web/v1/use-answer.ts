import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Me } from './answers.ts';
import type { Answer, Client } from './client.ts';
import { type Loaded, type Progress, shown } from './loaded.ts';
import { problemOf } from './problem.ts';
import { type ApiRequest, addressOf } from './request.ts';

/** The key that asks, and the client through which it does. */
export interface Visit {
  readonly client: Client;
  readonly me: Me;
  /** True where a public link shows one view: nobody has a key there. */
  readonly isShared: boolean;
  /** Address of the service, with a slash at the end. */
  readonly root: string;
  /** Ends the visit: the key is forgotten. */
  leave(): void;
}

export const VisitContext = createContext<Visit | null>(null);

/** The visit in which a page is shown. Pages are drawn only once a key was accepted. */
export function useVisit(): Visit {
  const visit = useContext(VisitContext);
  if (visit === null) throw new Error('A page is drawn without a key');
  return visit;
}

/** The means of a load: each request that it sends is waited for, and can be broken off. */
export interface Loading {
  ask<T extends Answer<unknown>>(request: ApiRequest): Promise<T>;
  progress(progress: Progress): void;
  readonly signal: AbortSignal;
}

interface LoadingInParts<Value> extends Loading {
  /** Shows a part of what is being loaded. */
  part(value: Value): void;
}

const LOADING = { state: 'loading', previous: null, progress: null, waitingUntil: null } as const;

/**
 * Loads something that takes several requests. A load that is no longer wanted is broken off.
 * @param id of what is loaded: another one begins another load; null = nothing yet
 */
export function useLoad<T>(id: string | null, load: (loading: Loading) => Promise<T>): Loaded<T> {
  return useLoadInParts<T>(id, load);
}

/** The same, for what can be shown before all of it is there. */
export function useLoadInParts<T>(id: string | null, load: (loading: LoadingInParts<T>) => Promise<T>): Loaded<T> {
  const { client } = useVisit();
  const [{ of, loaded }, setState] = useState<{ of: string | null; loaded: Loaded<T> }>({ of: id, loaded: LOADING });
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  // `id` stands for everything that the load depends on.
  useEffect(() => {
    const aborter = new AbortController();
    const { signal } = aborter;
    const set = (next: (before: Loaded<T>) => Loaded<T>): void =>
      setState((before) => ({ of: id, loaded: next(before.loaded) }));
    set((before) => ({ ...LOADING, previous: shown(before) }));
    if (id === null) return;
    const report = (change: { previous?: T; progress?: Progress; waitingUntil?: number | null }): void => {
      if (!signal.aborted) set((before) => (before.state === 'loading' ? { ...before, ...change } : before));
    };
    // Some of several requests may wait while others are answered.
    const waits = new Map<ApiRequest, number>();
    const loading: LoadingInParts<T> = {
      signal,
      progress: (progress) => report({ progress }),
      part: (value) => report({ previous: value }),
      async ask(request) {
        const wait = (until: number | null): void => {
          if (until === null) waits.delete(request);
          else waits.set(request, until);
          report({ waitingUntil: waits.size === 0 ? null : Math.max(...waits.values()) });
        };
        const answer = await client.ask(request, { signal, onWait: wait });
        wait(null);
        return answer as never;
      },
    };
    latest.current(loading).then(
      (value) => {
        if (!signal.aborted) set(() => ({ state: 'ready', value }));
      },
      (error) => {
        if (signal.aborted) return;
        const retry = (): void => setAttempt((count) => count + 1);
        set(() => ({ state: 'failed', problem: problemOf(error), retry }));
      },
    );
    return () => aborter.abort();
  }, [client, id, attempt]);
  // The load of another id begins after this drawing: until then, the former value is not the one that was asked for.
  return of === id ? loaded : { ...LOADING, previous: shown(loaded) };
}

/** Asks one question. @param request null = nothing yet */
export function useAnswer<T extends Answer<unknown>>(request: ApiRequest | null): Loaded<T> {
  const id = request === null ? null : `${addressOf(request)} ${JSON.stringify(request.body ?? null)}`;
  return useLoad<T>(id, ({ ask }) => ask<T>(request as ApiRequest));
}
