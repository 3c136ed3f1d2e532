import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Scanner } from '../../ingest/scan/scanner.ts';
import { unitsOf } from '../../ingest/scan/text.ts';
import type { DayBounds } from '../../ingest/stage/columns.ts';
import type { Finding } from '../../ingest/stage/findings.ts';
import { Staging, stagedFile } from '../../ingest/stage/staging.ts';
import type { StagingPlan } from '../../ingest/stage/tables.ts';
import { dayNumber } from '../../ingest/stage/values.ts';

/** Records staged and read back. */

export const BOUNDS: DayBounds = { first: dayNumber(1880, 1, 1), last: dayNumber(2046, 12, 31) };

/** A folder that is gone when `use` is done. */
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

/**
 * Stages the records of a document and reads the file back, in the order of the records.
 * @param select what is read of it, as a SQL select list
 * @param bytes size of the member; the rows of a row group follow from it
 */
export function stage(plan: StagingPlan, text: string, select = '*', bytes = text.length * 2): Promise<Staged> {
  return inFolder(async (folder) => {
    const staging = new Staging(plan, { index: 7, bytes }, folder, 1, BOUNDS);
    const scanner = new Scanner(plan.slots, staging);
    scanner.push(unitsOf(text));
    scanner.end();
    staging.close();
    const { read, refused, staged } = staging;
    const rows = await query(
      `SELECT ${select} FROM read_parquet('${stagedFile(folder, plan.table, 0, { index: 7 })}')`,
    );
    return { read, refused, staged, findings: staging.findings.list(), rows };
  });
}

let instance: Promise<DuckDBInstance> | null = null;

export async function query(sql: string): Promise<Readonly<Record<string, unknown>>[]> {
  instance ??= DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await (await instance).connect();
  try {
    const reader = await connection.runAndReadAll(sql);
    return reader.getRowObjectsJS();
  } finally {
    connection.closeSync();
  }
}
