import pLimit, { type LimitFunction } from 'p-limit';
import { Problem } from '../problem/problem.ts';

/** Downloads of an organisation, or of a network without a key, at a time. Readers of Parquet open several connections for one file. */
const MAX_RUNNING = 8;

/** Further ones wait; when there are more of them, a call is refused. */
const MAX_WAITING = 32;

/** Bounds what each reader does at a time, so that a slow reader only holds up its own. */
export interface Downloads {
  /**
   * Waits for a place. The caller returns it, by calling the function, when the work has ended however it ended.
   * @throws Problem RATE_LIMITED when too many wait already
   */
  begin(reader: string): Promise<() => void>;
}

export const boundedDownloads = (): Downloads => boundedTurns('downloads', MAX_RUNNING);

/**
 * @param what in words, for who is refused
 * @param running of each reader at a time
 */
export function boundedTurns(what: string, running: number): Downloads {
  const limits = new Map<string, LimitFunction>();
  return {
    begin(reader) {
      const limit = limits.get(reader) ?? pLimit(running);
      limits.set(reader, limit);
      if (limit.pendingCount >= MAX_WAITING) {
        const detail = `There are ${running} ${what} of the same caller running and ${MAX_WAITING} waiting`;
        throw new Problem('RATE_LIMITED', detail, { retryAt: Date.now() + 5_000 });
      }
      return new Promise((begun) => {
        void limit(() => new Promise<void>((ended) => begun(ended))).then(() => {
          if (limit.activeCount + limit.pendingCount === 0) limits.delete(reader);
        });
      });
    },
  };
}
