import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { pageByStatements } from '../../../api/units/read.ts';
import type { VersionReader } from '../../../api/warehouse/version.ts';
import type { Dialect } from '../../../sql/query/dialect.ts';
import { duckdb, duckdbProjections } from '../../../sql/query/duckdb.ts';
import type { KeyValue, SortKey } from '../../../sql/query/keyset.ts';
import { type CountedPageRequest, pageStatement } from '../../../sql/query/units.ts';
import { unitNumberOf } from '../../../sql/register/mastr-number.ts';
import { cases } from '../../support/cases.ts';
import { sorts, units } from './arbitraries.ts';
import { type MemoryUnits, memoryUnits, type Unit } from './memory.ts';

/** Keyset paging meets every row once, in the order of plain code, whatever ties and nulls there are. */

let database: MemoryUnits;
beforeAll(async () => {
  database = await memoryUnits();
});
afterAll(() => database.close());

/** A way to read the numbers of a page. */
type Way = (page: CountedPageRequest) => Promise<string[]>;

const whole: Way = async (page) => {
  const rows = await database.query(pageStatement(page, duckdbProjections));
  return rows.map(({ digits }) => unitNumberOf(Number(digits)));
};

const inParts =
  (projections: Dialect): Way =>
  async (page) => {
    const query: VersionReader['query'] = async (shape, statement) =>
      z.array(shape).parse(await database.query(statement));
    const found = await pageByStatements({ dialects: { units: duckdb, projections }, query }, page);
    return found.map(({ digits }) => unitNumberOf(digits));
  };

/** @param total assumed number of units, which decides the projection of each page */
async function readPages(
  register: readonly Unit[],
  sort: SortKey[],
  limit: number,
  total: number,
  read: Way,
): Promise<unknown[]> {
  const met: string[] = [];
  let after: KeyValue[] | null = null;
  while (met.length <= register.length) {
    const question = { conditions: [], sort, after, delivered: met.length, limit, total, today: '2026-03-15' };
    const rows = await read(question);
    met.push(...rows);
    const last = register.find(({ mastrNummer }) => mastrNummer === met.at(-1));
    if (last === undefined || rows.length === 0) return met;
    // Keys pass through JSON and back, as in a cursor.
    after = JSON.parse(JSON.stringify(sort.map(({ field }) => last[field.name as keyof Unit])));
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

test.each<[string, Way]>([
  ['whole pages', whole],
  ['pages in parts', inParts(duckdbProjections)],
  ['pages that are read backwards in parts', inParts({ ...duckdbProjections, pagesInParts: 'backwards' })],
])('%s have every row exactly once, in order', async (_name, way) => {
  await fc.assert(
    fc.asyncProperty(
      units,
      sorts,
      fc.integer({ min: 1, max: 9 }),
      fc.nat(300),
      async (register, sort, limit, total) => {
        await database.replace(register);
        const expected = register.toSorted((a, b) => compare(sort, a, b)).map((unit) => unit.mastrNummer);
        expect(await readPages(register, sort, limit, total, way)).toEqual(expected);
      },
    ),
    { numRuns: cases(40) },
  );
});
