import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DELAY, SHIFT } from '../../../sql/catalogue/derived.ts';
import { cases } from '../../support/cases.ts';

/** A derived field has the same value computed from a row and in SQL. */

const COLUMNS = [
  'inbetriebnahmedatum',
  'geplantesInbetriebnahmedatum',
  'ersterPlantag',
  'ersterPlantagVom',
  'letzterPlantag',
  'letzterPlantagVom',
] as const;

let evaluate: (sql: string, row: Readonly<Record<string, string | null>>) => Promise<unknown>;
let close: () => void;

beforeAll(async () => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const columns = COLUMNS.map((name) => `CAST($${name} AS DATE) AS ${name}`).join(', ');
  evaluate = async (sql, row) => {
    const text = `SELECT ${sql.replaceAll('$today', 'CAST($today AS DATE)')} AS value, CAST($today AS DATE) FROM (SELECT ${columns})`;
    const reader = await connection.runAndReadAll(text, { ...row });
    return reader.getRowObjectsJS()[0]!.value;
  };
  close = () => {
    connection.closeSync();
    instance.closeSync();
  };
});
afterAll(() => close());

// The days lie around a leap day and the change to summer time.
const day = fc.constantFrom('2024-02-28', '2024-02-29', '2024-03-01', '2026-03-28', '2026-03-30');
const row = fc.record(Object.fromEntries(COLUMNS.map((name) => [name, fc.option(day)])));

test.each(Object.entries({ DELAY, SHIFT }))('%s', async (_, { read, derive }) => {
  await fc.assert(
    fc.asyncProperty(row, day, async (values, today) => {
      const expected = await evaluate(read.sql, { ...values, today });
      expect(derive((column) => values[column] ?? undefined, today)).toBe(expected === null ? null : Number(expected));
    }),
    { numRuns: cases(300) },
  );
});
