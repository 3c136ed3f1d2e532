import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openDuckdbTables } from '../../../api/warehouse/duckdb/version.ts';
import type { VersionBeside } from '../../../api/warehouse/version.ts';
import { CARRIERS } from '../../../sql/catalogue/carriers.ts';
import { columnsRead, type UnitField } from '../../../sql/catalogue/field.ts';
import { fieldNamed, UNIT_FILTERS } from '../../../sql/catalogue/unit-fields.ts';
import { BIT_SETS } from '../../../sql/query/bit-sets.ts';
import type { Condition } from '../../../sql/query/conditions.ts';
import { bitsOf, DIMENSIONS } from '../../../sql/query/dimensions.ts';
import { groupRow, groupStatement } from '../../../sql/query/groups.ts';
import type { SortKey } from '../../../sql/query/keyset.ts';
import { type PageRequest, pageParts, pageStatement, totalStatement } from '../../../sql/query/units.ts';
import { currentPublication, versionFile } from '../../../sql/warehouse/versions.ts';
import { publishSample } from '../../support/built.ts';
import { drawn } from '../../support/cases.ts';
import { makeProjectionsEarlier } from '../../support/earlier-projections.ts';
import { temporaryFolder } from '../../support/fixture.ts';

/**
 * A version of this release keeps rare labels, flags and seldom values in other ways than one that an earlier release built.
 * Both find, count and group the same units.
 */

const TODAY = '2026-11-23';
const LIMITS = { threads: 1, memoryMb: 200 };
const METER = { statementEnded: () => {}, unitsRead: () => {} };

const folder = temporaryFolder();
let now: VersionBeside;
let earlier: VersionBeside;
beforeAll(async () => {
  await publishSample(folder.path);
  const file = versionFile(folder.path, currentPublication(folder.path)!.version);
  const copy = join(folder.path, 'earlier.duckdb');
  copyFileSync(file, copy);
  await makeProjectionsEarlier(copy);
  now = await openDuckdbTables(file, LIMITS, METER, 1);
  earlier = await openDuckdbTables(copy, LIMITS, METER, 1);
});
afterAll(() => {
  now?.close();
  earlier?.close();
  folder.remove();
});

test('the version says by its columns which form it has', () => {
  expect([now, earlier].map(({ dialects }) => dialects.projections.narrowProjections)).toEqual([true, false]);
});

/** Values to compare with: some that occur, and one that does not. */
async function valuesFor(name: string): Promise<Condition['value'][]> {
  const { field, filter } = UNIT_FILTERS.get(name)!;
  const [column] = filter.over?.reads ?? columnsRead(field);
  const text = `SELECT CAST(item AS VARCHAR) AS item FROM (SELECT ${column} AS item, count(*) AS units FROM units
    WHERE ${column} IS NOT NULL GROUP BY ALL ORDER BY units DESC, item LIMIT 3)`;
  const items = (await now.query(z.object({ item: z.string() }), { text, values: {} })).map(({ item }) => item);
  switch (filter.compare) {
    case 'is':
    case 'present':
      return [true, false];
    case 'carriers':
      return [...CARRIERS.map((carrier) => [carrier]), ['solar', 'storage']];
    case 'signals':
    case 'anomalies':
      return BIT_SETS[field.kind]!.map(({ id }) => [id]);
    case 'hasAny':
      return [items.flatMap((item) => item.match(/\d+/g) ?? []), ['1']];
    case 'place':
      return [...items, 'Nirgends'];
    case 'prefix':
      return [...items, '1', '80', '999', '%', ...items.map((item) => item.slice(0, 3))];
    case 'box':
      return ['9,48,11,50', '5.8,47.2,15.1,55.1'];
    case 'circle':
      return ['11.57,48.14,30', '10.5,51,200'];
    case 'polygon':
      return ['{"type":"MultiPolygon","coordinates":[[[[9,47.5],[13.5,49],[10,54.5],[9,47.5]]]]}'];
    case 'oneOf':
      return field.kind === 'number'
        ? items.map((item) => [item])
        : [...items.map((item) => [item]), [...items, 'X'], []];
    case 'min':
    case 'max':
      return [...items.map(Number).filter(Number.isFinite), 0, 29.9999];
    default:
      return [...items, '2024-02-29'];
  }
}

const by = (name: string, direction: SortKey['direction']): SortKey[] => {
  const number: SortKey = { field: fieldNamed('mastrNummer'), direction: 'asc' };
  return name === 'mastrNummer' ? [number] : [{ field: fieldNamed(name), direction }, number];
};

async function page({ query, dialects }: VersionBeside, request: Omit<PageRequest, 'total'>, total: number) {
  const found: number[] = [];
  for (const part of pageParts({ ...request, total }, dialects.projections)) {
    const limit = request.limit - found.length;
    if (limit === 0) break;
    const rows = await query(z.object({ digits: z.number() }), pageStatement({ ...part, limit }, dialects.projections));
    found.push(...rows.map(({ digits }) => digits));
  }
  return found;
}

/** The total, pages in several orders, and groups by one dimension. */
async function answers(version: VersionBeside, conditions: readonly Condition[], place: number) {
  const { projections } = version.dialects;
  const criteria = { conditions, today: TODAY };
  const [{ total } = { total: -1 }] = await version.query(
    z.object({ total: z.number() }),
    totalStatement(criteria, projections),
  );
  const orders = [by('geplantesInbetriebnahmedatum', place % 2 === 0 ? 'asc' : 'desc'), by('bruttoleistungKw', 'desc')];
  const pages = [];
  for (const sort of orders)
    pages.push(await page(version, { ...criteria, sort, after: null, delivered: 0, limit: 30 }, total));
  const dimension = DIMENSIONS[place % DIMENSIONS.length]!;
  const question = { ...criteria, dimension, ids: (bitsOf(dimension) ?? []).map(({ id }) => id), limit: 50 };
  return { total, pages, groups: await version.query(groupRow, groupStatement(question, projections)) };
}

describe('every filter', () => {
  const filters = [...UNIT_FILTERS].filter(([, { filter }]) => filter.compare !== 'search');
  // Half of them in a run: each asks both versions a hundred statements.
  const asked = filters.map(([name], place) => [name, place] as const);
  test.each(drawn(asked, asked.length / 2))('%s', async (name, place) => {
    const known = UNIT_FILTERS.get(name)! as { field: UnitField; filter: Condition['filter'] };
    const large = { ...UNIT_FILTERS.get('leistungMinKw')!, value: 20 };
    for (const value of await valuesFor(name)) {
      const condition = { ...known, value };
      for (const conditions of [[condition], [large, condition]])
        expect(await answers(now, conditions, place)).toEqual(await answers(earlier, conditions, place));
    }
  });
});

test.each(DIMENSIONS.map(({ name }, place) => [name, place] as const))('groups by %s', async (_, place) => {
  const conditions = [{ ...UNIT_FILTERS.get('leistungMinKw')!, value: 1 }];
  expect(await answers(now, conditions, place)).toEqual(await answers(earlier, conditions, place));
});

test.each(['asc', 'desc'] as const)(
  'pages by planned day, %s, have every unit once, those without a day last',
  async (direction) => {
    const conditions = [{ ...UNIT_FILTERS.get('leistungMinKw')!, value: 2000 }];
    const sort = by('geplantesInbetriebnahmedatum', direction);
    const request = { conditions, today: TODAY, sort, after: null, delivered: 0, limit: 10_000 };
    const all = await page(earlier, request, 1000);
    expect(all.length).toBeGreaterThan(80);
    expect(await page(now, request, 1000)).toEqual(all);
  },
);
