import { expect, test } from 'vitest';
import type { Caller } from '../../../api/access/caller.ts';
import { listUnits } from '../../../api/units/list.ts';
import { unitsQuery } from '../../../api/units/query.ts';
import type { Dataset } from '../../../api/warehouse/warehouse.ts';
import { queryNotation } from '../../../api/wire/notation.ts';
import { cursorSigner } from '../../../api/wire/paging.ts';
import { duckdb, duckdbProjections } from '../../../sql/query/duckdb.ts';

/** The total of a list is counted once for each dataset version that its pages are read from. */

const cursors = cursorSigner('secret');

/** A version with many units; it notes the statements that it is asked. */
function datasetOf(version: string, statements: string[]) {
  return {
    publication: { version },
    total: async () => {
      statements.push('count');
      return 1234;
    },
    query: async () => {
      statements.push('page');
      return Array.from({ length: 3 }, (_, index) => ({ digits: 900_000_000_000 + index }));
    },
    dialects: { units: duckdb, projections: duckdbProjections },
    orders: null,
    units: { read: async (numbers: readonly string[]) => numbers.map((number) => new Map([['mastrNummer', number]])) },
  } as unknown as Dataset;
}

async function page(version: string, cursor?: string) {
  const statements: string[] = [];
  const texts = { limit: '2', ...(cursor === undefined ? {} : { cursor }) };
  const answer = await listUnits.handle({
    query: unitsQuery(queryNotation).parse(texts),
    search: new URLSearchParams(texts),
    service: { settings: { BASE_URL: 'http://x', APP_URL: 'http://x/app', DUMPS_DIR: null }, cursors },
    media: 'application/json',
    today: '2026-11-01',
    caller: { organisation: { modules: new Set(), signals: new Set() } } as unknown as Caller,
    dataset: () => datasetOf(version, statements),
  } as unknown as Parameters<typeof listUnits.handle>[0]);
  const { meta } = answer.body as { meta: { page: { total: number; cursor: string } } };
  return { asked: statements.sort(), ...meta.page };
}

test('counted on the first page, carried on, and counted anew in another version', async () => {
  const first = await page('20261101-0001');
  expect(first).toMatchObject({ asked: ['count', 'page'], total: 1234 });
  const second = await page('20261101-0001', first.cursor);
  expect(second).toMatchObject({ asked: ['page'], total: 1234 });
  const third = await page('20261102-0002', second.cursor);
  expect(third).toMatchObject({ asked: ['count', 'page'], total: 1234 });
  expect((await page('20261102-0002', third.cursor)).asked).toEqual(['page']);
});
