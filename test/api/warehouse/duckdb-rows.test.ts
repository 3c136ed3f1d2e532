import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openDuckdbTables } from '../../../api/warehouse/duckdb/version.ts';

/** The rows of a statement of DuckDB: all of them in their order, however many chunks the engine holds them in. */

const folder = mkdtempSync(join(tmpdir(), 'duckdb-rows-'));
let tables: Awaited<ReturnType<typeof openDuckdbTables>>;

beforeAll(async () => {
  const path = join(folder, 'empty.duckdb');
  const instance = await DuckDBInstance.create(path);
  instance.closeSync();
  tables = await openDuckdbTables(path, { threads: 1, memoryMb: 128 }, { statementEnded() {}, unitsRead() {} }, 1);
});
afterAll(() => {
  tables?.close();
  rmSync(folder, { recursive: true, force: true });
});

const row = z.strictObject({ number: z.number(), names: z.array(z.string()).nullable() });

/** A chunk has 2,048 rows. */
test.each([0, 1, 2047, 2048, 2049, 5000])('%i rows', async (count) => {
  const text = `SELECT range::DOUBLE AS number, if(range % 2 = 0, ['a', 'b' || range], NULL) AS names FROM range(${count})`;
  const expected = Array.from({ length: count }, (_, number) => ({
    number,
    names: number % 2 === 0 ? ['a', `b${number}`] : null,
  }));
  expect(await tables.query(row, { text, values: {} })).toEqual(expected);
});
