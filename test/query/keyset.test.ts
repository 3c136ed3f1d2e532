import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { duckdb } from '../../sql/query/duckdb.ts';
import type { KeyValue, SortKey } from '../../sql/query/keyset.ts';
import { pageStatement } from '../../sql/query/units.ts';
import { sorts, units } from './arbitraries.ts';
import { fieldNamed, type MemoryUnits, memoryUnits, type Unit } from './memory.ts';

/** A walk by key values meets every row once, in the order of plain code, whatever ties and nulls there are. */

let database: MemoryUnits;
beforeAll(async () => {
  database = await memoryUnits();
});
afterAll(() => database.close());

async function walk(sort: SortKey[], limit: number, most: number): Promise<unknown[]> {
  const met: unknown[] = [];
  let after: KeyValue[] | null = null;
  while (met.length <= most) {
    const question = { fields: [fieldNamed('mastrNummer')], conditions: [], sort, after, limit, today: '2026-03-15' };
    const rows: Record<string, unknown>[] = await database.query(pageStatement(question, duckdb));
    const last = rows.at(-1);
    if (last === undefined) return met;
    met.push(...rows.map((row) => row.mastrNummer));
    // As in a cursor: through JSON and back.
    after = JSON.parse(JSON.stringify(sort.map(({ field }) => last[field.name])));
  }
  throw new Error('The walk does not end');
}

/** Nulls last in both directions. */
function compare(sort: SortKey[], a: Unit, b: Unit): number {
  for (const { field, direction } of sort) {
    const [x, y] = [a[field.name as keyof Unit], b[field.name as keyof Unit]];
    if (x === y) continue;
    if (x === null) return 1;
    if (y === null) return -1;
    return x < y === (direction === 'asc') ? -1 : 1;
  }
  return 0;
}

test('every row exactly once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(units, sorts, fc.integer({ min: 1, max: 9 }), async (register, sort, limit) => {
      await database.replace(register);
      const expected = register.toSorted((a, b) => compare(sort, a, b)).map((unit) => unit.mastrNummer);
      expect(await walk(sort, limit, register.length)).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});
