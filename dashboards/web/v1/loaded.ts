import type { Problem } from './problem.ts';

/** Something that is being loaded, is there, or could not be loaded. */
export type Loaded<T> =
  | {
      readonly state: 'loading';
      /** The value that was there for the question before this one. */
      readonly previous: T | null;
      /** The progress of a long load; null = one answer, which comes as a whole. */
      readonly progress: Progress | null;
      /** Unix milliseconds at which the load goes on by itself, when it has to wait for a limit. */
      readonly waitingUntil: number | null;
    }
  | { readonly state: 'ready'; readonly value: T }
  | { readonly state: 'failed'; readonly problem: Problem; readonly retry: () => void };

export interface Progress {
  readonly done: number;
  /** null = not known yet. */
  readonly of: number | null;
}

/** The value that can be shown: the one that is there, or the former one while the next is loading. */
export const shown = <T>(loaded: Loaded<T>): T | null =>
  loaded.state === 'ready' ? loaded.value : loaded.state === 'loading' ? loaded.previous : null;

/** Derives a value from a loaded one. */
export function mapLoaded<T, U>(loaded: Loaded<T>, derive: (value: T) => U): Loaded<U> {
  if (loaded.state === 'ready') return { state: 'ready', value: derive(loaded.value) };
  if (loaded.state === 'failed') return loaded;
  return { ...loaded, previous: loaded.previous === null ? null : derive(loaded.previous) };
}
