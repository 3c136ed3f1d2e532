import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Scanner } from '../../ingest/scan/scanner.ts';
import { unitsOf } from '../../ingest/scan/text.ts';
import type { DayBounds } from '../../ingest/stage/columns.ts';
import type { Finding } from '../../ingest/stage/findings.ts';
import type { StagingPlan } from '../../ingest/stage/plan.ts';
import { StagedFiles } from '../../ingest/stage/staged-files.ts';
import { Staging } from '../../ingest/stage/staging.ts';
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
  /** As of a member. */
  readonly bytes?: number;
  readonly slices?: number;
}

/** A member to be staged: its document, and the plan of its kind. */
export interface StagedMember {
  readonly index: number;
  readonly plan: StagingPlan;
  readonly text: string;
  /** Size in bytes; the number of rows that are staged at a time follows from it. */
  readonly bytes?: number;
}

/** Stages members one after another, as one thread does, and completes the files. */
export function stageMembers(folder: string, members: readonly StagedMember[], slices = 1): Staging[] {
  const files = new StagedFiles(folder, 0);
  const stagings = members.map(({ index, plan, text, bytes = text.length * 2 }) => {
    const staging = new Staging(plan, { index, bytes }, files, slices, BOUNDS);
    const scanner = new Scanner(plan.slots, staging);
    scanner.push(unitsOf(text));
    scanner.end();
    staging.close();
    return staging;
  });
  files.close();
  return stagings;
}

/** The file with the rows that a thread has staged in a slice of a table. */
export const stagedFile = (folder: string, table: string, slice = 0): string =>
  join(folder, table, String(slice), '0.parquet');

/** Stages the records of a document and reads what was written back, in the order of the records. */
export function stage(plan: StagingPlan, text: string, options: Options = {}): Promise<Staged> {
  const { select = '* EXCLUDE slice', bytes, slices = 1 } = options;
  return inFolder(async (folder) => {
    const member = { index: 7, plan, text, ...(bytes === undefined ? {} : { bytes }) };
    const [staging] = stageMembers(folder, [member], slices) as [Staging];
    const { read, refused, staged } = staging;
    const files = Array.from({ length: slices }, (_, slice) => ({
      slice,
      path: stagedFile(folder, plan.table, slice),
    })).filter(({ path }) => existsSync(path));
    const all = files.map(({ slice, path }) => `SELECT *, ${slice} AS slice FROM read_parquet('${path}')`);
    const rows =
      all.length === 0 ? [] : await query(`SELECT ${select} FROM (${all.join(' UNION ALL ')} ORDER BY _zeile)`);
    return { read, refused, staged, findings: staging.findings.list(), rows };
  });
}

let instance: Promise<DuckDBInstance> | null = null;

/** Rows that the engine answers. */
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
