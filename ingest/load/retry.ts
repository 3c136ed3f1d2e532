import { setTimeout as sleep } from 'node:timers/promises';

/** How long a server may be away before a load is given up. */
export interface RetryPolicy {
  /** Until the first repetition, milliseconds; doubled from one to the next. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** From the first failure of a request on, milliseconds. */
  readonly overallMs: number;
}

/** For somebody who waits for an answer. */
export const BRIEF_RETRIES: RetryPolicy = { firstMs: 250, longestMs: 2_000, overallMs: 8_000 };

/** Long enough for a server to be updated and to load its tables again. */
export const PERSISTENT_RETRIES: RetryPolicy = { firstMs: 500, longestMs: 30_000, overallMs: 20 * 60_000 };

/** ClickHouse was asked in vain: it does not answer, or it refuses. */
export class ServerFailed extends Error {}

/**
 * Errors of ClickHouse that pass by themselves, by code: time-outs (159, 209, 210), too many queries (202), memory in use
 * (241), a table that is read-only while its replica is away (242), too many parts (252), an insert of which a replica
 * does not know whether it took place (319), a server that stops (236, 394), and Keeper's (999).
 */
const PASSING = new Set(['159', '202', '209', '210', '236', '241', '242', '252', '319', '394', '999']);

/**
 * Sends a request until it is answered. It must be one that does no harm when it arrives twice.
 * @param server how messages name it
 * @param note hears of each failure that it gets over
 * @throws ServerFailed when it is refused for good, or patience ends; the signal's reason when it is stopped
 */
export async function retry<T>(
  server: string,
  request: () => Promise<T>,
  policy: RetryPolicy,
  signal?: AbortSignal,
  note: (text: string) => void = () => {},
): Promise<T> {
  const begun = Date.now();
  for (let wait = policy.firstMs; ; wait = Math.min(wait * 2, policy.longestMs)) {
    signal?.throwIfAborted();
    try {
      return await request();
    } catch (error) {
      signal?.throwIfAborted();
      if (isRefusal(error)) throw new ServerFailed(`${server} refused: ${firstLine(error)}`, { cause: error });
      if (Date.now() + wait - begun > policy.overallMs) {
        throw new ServerFailed(`${server} does not answer: ${firstLine(error)}`, { cause: error });
      }
      note(`${server}: ${firstLine(error)}; asking again`);
      await sleep(wait, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }
}

/** What the engine itself says has its number; whatever happens to a connection has none. */
function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[0-9]+$/.test(code) && !PASSING.has(code);
}

const firstLine = (error: unknown): string => {
  const text =
    error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code || error.name : String(error);
  return text.split('\n')[0]!;
};
