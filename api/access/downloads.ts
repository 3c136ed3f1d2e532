import pLimit, { type LimitFunction } from 'p-limit';
import { Problem } from '../problem/problem.ts';

/** Downloads of an organisation at a time. Readers of Parquet open several connections for one file. */
const MAX_RUNNING = 8;

/** Further ones wait; when there are more of them, a call is refused. */
const MAX_WAITING = 32;

/** Bounds the downloads of each organisation, so that a slow reader only holds up its own. */
export interface Downloads {
  /**
   * Waits for a place. The caller returns it, by calling the function, when the download has ended however it ended.
   * @throws Problem RATE_LIMITED when too many wait already
   */
  begin(organisationId: string): Promise<() => void>;
}

export function boundedDownloads(): Downloads {
  const limits = new Map<string, LimitFunction>();
  return {
    begin(organisationId) {
      const limit = limits.get(organisationId) ?? pLimit(MAX_RUNNING);
      limits.set(organisationId, limit);
      if (limit.pendingCount >= MAX_WAITING) {
        const detail = `The organisation has ${MAX_RUNNING} downloads running and ${MAX_WAITING} waiting`;
        throw new Problem('RATE_LIMITED', detail, { retryAt: Date.now() + 5_000 });
      }
      return new Promise((begun) => {
        void limit(() => new Promise<void>((ended) => begun(ended))).then(() => {
          if (limit.activeCount + limit.pendingCount === 0) limits.delete(organisationId);
        });
      });
    },
  };
}
