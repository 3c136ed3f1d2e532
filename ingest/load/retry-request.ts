import { PASSING_CODES } from '../../sql/warehouse/clickhouse/passing-errors.ts';
import { type RetryPolicy, retry } from '../run/retry.ts';
import { withRemedy } from './remedies.ts';

/** For a caller who waits for the answer. */
export const BRIEF_RETRIES: RetryPolicy = { firstPauseMs: 250, longestPauseMs: 2_000, maxElapsedMs: 8_000 };

/** For a long task: enough time for a server to be updated and to load its tables again. */
export const PERSISTENT_RETRIES: RetryPolicy = {
  firstPauseMs: 500,
  longestPauseMs: 30_000,
  maxElapsedMs: 20 * 60_000,
};

/** ClickHouse does not answer, or refuses. */
export class ServerFailed extends Error {}

/**
 * Besides the errors that always pass, those that another attempt may be spared: a timeout (159), memory in use (241), too many
 * parts (252), and a statement that somebody has cancelled (394).
 */
const TRANSIENT_CODES: ReadonlySet<string> = new Set([...PASSING_CODES, '159', '241', '252', '394']);

/**
 * Repeats a request until it is answered. The request must be idempotent.
 * @param server name of the server, for messages
 * @param onRetry receives a sentence about each failure after which the request is sent again
 * @throws ServerFailed when the server refuses or the policy ends; an error of this machine; the reason of the signal
 */
export function retryServerRequest<T>(
  server: string,
  request: () => Promise<T>,
  policy: RetryPolicy,
  signal?: AbortSignal,
  onRetry: (message: string) => void = () => {},
): Promise<T> {
  return retry(request, policy, {
    signal,
    retryAfterMs(error) {
      if (isLocal(error)) throw error;
      if (isRefusal(error))
        throw new ServerFailed(withRemedy(`${server} refused: ${firstLine(error)}`, error), { cause: error });
      return 0;
    },
    giveUp: ({ error }) =>
      new ServerFailed(withRemedy(`${server} does not answer: ${firstLine(error)}`, error), { cause: error }),
    beforePause: ({ error }) => onRetry(`${server}: ${firstLine(error)}; asking again`),
  });
}

/** Files that cannot be opened, and disks that are full: it is this machine that failed, not the server. */
function isLocal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { path, code } = error as NodeJS.ErrnoException;
  return path !== undefined || LOCAL_CODES.has(code);
}

const LOCAL_CODES: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS']);

/** Errors of the engine have a numeric code; those of the connection have a word, or none. */
function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[0-9]+$/.test(code) && !TRANSIENT_CODES.has(code);
}

/** The error of a host with several addresses has no message, only a code. The engine's sentences end with a stop. */
function firstLine(error: unknown): string {
  const text =
    error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code || error.name : String(error);
  return text.replace(/\.?\s*(?:\n.*)?$/s, '');
}
