import { expect, test } from 'vitest';
import { regionMeta } from '../../../api/regions/covered.ts';
import type { VersionReader } from '../../../api/warehouse/version.ts';
import { duckdb } from '../../../sql/query/duckdb.ts';

/** The places that the region of an answer covers, as `meta` lists them. */

const place = (schluessel: string, name: string, bundesland: string | null) => ({ schluessel, name, bundesland });

const meta = (...places: object[]) => {
  const dataset = { dialects: { units: duckdb }, kept: async () => places } as unknown as VersionReader;
  return regionMeta({ ebene: 'landkreis', region: 'Sömmerda' }, false, dataset);
};

test('a place is listed once, although one of its units lacks the state', async () => {
  const named = place('16068', 'Sömmerda', 'Thüringen');
  expect(await meta(place('16068', 'Sömmerda', null), named)).toMatchObject({ regionen: [named] });
});

test.each([
  ['no unit of the place has one', [place('16068', 'Sömmerda', null)]],
  ['another place has the name', [place('16068', 'Sömmerda', null), place('99068', 'Sömmerda', 'Hessen')]],
])('a row without state stays where %s', async (_, places) => {
  expect(await meta(...places)).toMatchObject({ regionen: places });
});
