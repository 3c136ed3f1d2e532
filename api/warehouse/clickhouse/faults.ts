import { ClickHouseError } from '@clickhouse/client';
import { PASSING_CODES } from '../../../sql/warehouse/clickhouse/passing-errors.ts';
import { Problem } from '../../problem/problem.ts';
import { tooCostly } from '../version.ts';

/** Codes for a statement that exceeds a limit of time, memory or rows. */
const EXHAUSTED = new Set(['158', '159', '160', '241', '307', '394', '396']);

const BUSY: ReadonlySet<string> = new Set(PASSING_CODES);

/** Codes for a server that refuses access, and for a version that it no longer has. */
const NO_ACCESS = new Set(['60', '81', '192', '193', '194', '497', '516']);

const UNKNOWN_COLUMN = '47';

export const isUnknownColumn = (error: unknown): boolean =>
  error instanceof ClickHouseError && error.code === UNKNOWN_COLUMN;

const inSeconds = (seconds: number): number => Date.now() + seconds * 1000;

/**
 * Returns Problem SERVICE_UNAVAILABLE for every error that may pass. Any other error of the server is a bug in a statement,
 * and is returned unchanged. An error that is not the server's is one of the connection.
 */
export function translatedError(error: unknown): unknown {
  if (!(error instanceof ClickHouseError)) {
    return unavailable('The warehouse does not answer', 5, error);
  }
  if (EXHAUSTED.has(error.code)) return tooCostly(error);
  if (BUSY.has(error.code)) return unavailable('The warehouse has too much to do', 5, error);
  if (NO_ACCESS.has(error.code))
    return unavailable('The warehouse does not give access to the dataset version', 30, error);
  return error;
}

const unavailable = (detail: string, seconds: number, cause: unknown): Problem =>
  new Problem('SERVICE_UNAVAILABLE', detail, { retryAt: inSeconds(seconds), cause });
