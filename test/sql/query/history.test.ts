import { expect, test } from 'vitest';
import { differingColumns, type HeldRow } from '../../../sql/query/history.ts';

const row = (since: number, until: number | null, differing: string | null = null): HeldRow => ({
  ...{ digits: 900_000_000_001, since, until, differing },
  table: until === null ? 'units' : 'units_ersetzt',
});

const named = (rows: readonly HeldRow[]) =>
  differingColumns(rows)?.filter((name) => ['bruttoleistungKw', 'plz', 'hoehe', 'longitude'].includes(name)) ?? null;

test('the rows of a unit differ from the present one in what any row after them changed, and perhaps in what can be forgotten', () => {
  expect(named([row(7, null), row(2, 5, 'plz'), row(5, 7, 'bruttoleistungKw,plz')])).toEqual([
    'longitude',
    'plz',
    'bruttoleistungKw',
  ]);
  expect(named([row(7, null)])).toEqual(['longitude']);
});

test('they may differ in any column where a row is missing, where one says nothing, and where the unit has left', () => {
  expect(named([row(2, 5, 'plz'), row(6, null)])).toBeNull();
  expect(named([row(2, 5, 'plz'), row(5, 7), row(7, null)])).toBeNull();
  expect(named([row(2, 5, 'plz'), row(5, 7, 'plz')])).toBeNull();
  // Two that ended with one build: one of them was of a version that was withdrawn.
  expect(named([row(2, 7, 'plz'), row(5, 7, 'plz'), row(7, null)])).toBeNull();
});
