import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Scanner } from '../../ingest/scan/scanner.ts';
import { unitsOf } from '../../ingest/scan/text.ts';
import type { DayBounds } from '../../ingest/stage/columns.ts';
import type { Finding } from '../../ingest/stage/findings.ts';
import type { StagingPlan } from '../../ingest/stage/plan.ts';
import { Staging, stagedFile } from '../../ingest/stage/staging.ts';
import { dayNumber } from '../../ingest/stage/values.ts';

/** Records staged and read back. */

const BOUNDS: DayBounds = { first: dayNumber(1880, 1, 1), last: dayNumber(2046, 12, 31) };

/** Runs `use` with a folder that is removed afterwards. */
export async function inFolder<T>(use: (path: string) => Promise<T>): Promise<T> {
  const path = mkdtempSync(join(tmpdir(), 'ingest-'));
  try {
    return await use(path);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

export interface Staged {
  readonly read: number;
  readonly refused: number;
  readonly staged: number;
  readonly findings: readonly Finding[];
  readonly rows: Readonly<Record<string, unknown>>[];
}

export interface Options {
  /** The select list for reading the rows; `slice` is the slice of a row. */
  readonly select?: string;
  /** Size of the member in bytes; the rows of a row group follow from it. */
  readonly bytes?: number;
  readonly slices?: number;
}

/** Stages the records of a document and reads what was written back, in the order of the records. */
export function stage(plan: StagingPlan, text: string, options: Options = {}): Promise<Staged> {
  const { select = '* EXCLUDE slice', bytes = text.length * 2, slices = 1 } = options;
  return inFolder(async (folder) => {
    const staging = new Staging(plan, { index: 7, bytes }, folder, slices, BOUNDS);
    const scanner = new Scanner(plan.slots, staging);
    scanner.push(unitsOf(text));
    scanner.end();
    staging.close();
    const { read, refused, staged } = staging;
    const files = Array.from({ length: slices }, (_, slice) => ({
      slice,
      path: stagedFile(folder, plan.table, slice, { index: 7 }),
    })).filter(({ path }) => existsSync(path));
    const all = files.map(({ slice, path }) => `SELECT *, ${slice} AS slice FROM read_parquet('${path}')`);
    const rows =
      all.length === 0 ? [] : await query(`SELECT ${select} FROM (${all.join(' UNION ALL ')} ORDER BY _zeile)`);
    return { read, refused, staged, findings: staging.findings.list(), rows };
  });
}

let instance: Promise<DuckDBInstance> | null = null;

async function query(sql: string): Promise<Readonly<Record<string, unknown>>[]> {
  instance ??= DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await (await instance).connect();
  try {
    const reader = await connection.runAndReadAll(sql);
    return reader.getRowObjectsJS();
  } finally {
    connection.closeSync();
  }
}
