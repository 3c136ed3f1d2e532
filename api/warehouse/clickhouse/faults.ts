import { ClickHouseError } from '@clickhouse/client';
import { Problem } from '../../problem/problem.ts';

/** What a failed statement means for whoever asked. */

/** Codes of the server for what asks too much of it: time, memory, rows, quota. */
const EXHAUSTED = new Set(['158', '159', '160', '201', '241', '307', '394', '396']);

/** Codes for a server that has too much to do, starts, stops, or does not reach its own parts. */
const BUSY = new Set([
  '198',
  '202',
  '203',
  '209',
  '210',
  '236',
  '242',
  '279',
  '319',
  '373',
  '425',
  '439',
  '745',
  '999',
]);

/** Codes for a server that does not let the service in, and for a version that it no longer has. */
const NO_ACCESS = new Set(['60', '81', '192', '193', '194', '497', '516']);

const inSeconds = (seconds: number): number => Date.now() + seconds * 1000;

/**
 * Problem SERVICE_UNAVAILABLE for everything that may pass; any other error of the server is a fault of a statement, and
 * comes back as it is. What is no error of the server is one on the way to it.
 */
export function translatedError(error: unknown): unknown {
  if (!(error instanceof ClickHouseError)) {
    return unavailable('The warehouse does not answer', 5, error);
  }
  if (EXHAUSTED.has(error.code)) {
    return unavailable('The question needs more time or memory than one request may take', 30, error);
  }
  if (BUSY.has(error.code)) return unavailable('The warehouse has too much to do', 5, error);
  if (NO_ACCESS.has(error.code))
    return unavailable('The warehouse does not give access to the dataset version', 30, error);
  return error;
}

const unavailable = (detail: string, seconds: number, cause: unknown): Problem =>
  new Problem('SERVICE_UNAVAILABLE', detail, { retryAt: inSeconds(seconds), cause });
