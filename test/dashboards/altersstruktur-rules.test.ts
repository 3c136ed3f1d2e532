import { expect, test } from 'vitest';
import { ticksTo } from '../../dashboards/web/charts/ticks.ts';
import { partsOf } from '../../dashboards/web/pages/altersstruktur/cohorts.ts';
import { agesOf, momentOfDay, pyramidOf } from '../../dashboards/web/pages/altersstruktur/pyramid.ts';

/** Rules of the page Altersstruktur that need no browser. */

const group = (key: string | null, count: number, bruttoleistungKw: number) => ({
  key,
  count,
  bruttoleistungKw,
  durchschnittsleistungKw: null,
  speicherkapazitaetKwh: 0,
});

const TODAY = '2026-03-15';

test('a pyramid has a row for each year up to this one, also for those without units', () => {
  const groups = [group('2024', 3, 1500), group('2021', 1, 500), group(null, 2, 9)];
  const { rows, withoutYear } = pyramidOf([{ carrier: null, groups }], TODAY);
  expect(rows.map(({ year, count, mw }) => [year, count, mw])).toEqual([
    [2021, 1, 0.5],
    [2022, 0, 0],
    [2023, 0, 0],
    [2024, 3, 1.5],
    [2025, 0, 0],
    [2026, 0, 0],
  ]);
  expect(withoutYear).toBe(2);
});

test('carriers of a year add up, in their order', () => {
  const { rows } = pyramidOf(
    [
      { carrier: 'wind', groups: [group('2026', 1, 3000)] },
      { carrier: 'solar', groups: [group('2026', 10, 100)] },
    ],
    TODAY,
  );
  expect(rows).toEqual([
    {
      year: 2026,
      count: 11,
      mw: 3.1,
      parts: [
        { carrier: 'solar', count: 10, mw: 0.1 },
        { carrier: 'wind', count: 1, mw: 3 },
      ],
    },
  ]);
});

test('units from before 1900 share a row', () => {
  const groups = [group('1850', 1, 100), group('1899', 2, 200), group('0201', 1, 1)];
  const [oldest] = pyramidOf([{ carrier: null, groups }], TODAY).rows;
  expect(oldest).toMatchObject({ year: 1899, count: 4, mw: 0.301 });
});

test('a place without units has no pyramid, and no age', () => {
  const empty = pyramidOf([{ carrier: null, groups: [] }], TODAY);
  expect(empty).toEqual({ rows: [], withoutYear: 0 });
  expect(agesOf(empty, TODAY)).toBeNull();
});

test('ages are means over units and over capacity, and a median over units', () => {
  const groups = [group('2026', 2, 1000), group('2016', 1, 1000), group('2006', 1, 2000)];
  // Units of 0, 0, 10 and 20 years, and twice the capacity in the oldest.
  expect(agesOf(pyramidOf([{ carrier: null, groups }], TODAY), TODAY)).toEqual({
    mean: 7.5,
    meanOfCapacity: 12.5,
    median: 10,
  });
});

test('a day lies in its year', () => {
  expect(momentOfDay('2026-01-01')).toBe(2026);
  expect(momentOfDay('2024-07-02')).toBeCloseTo(2024.5, 5);
});

test('cohorts come young to old, and carriers in their order', () => {
  const row = (kohorte: string, energietraeger: string) => ({ kohorte, energietraeger, anzahl: 1, mw: 1 });
  const rows = [row('25+', 'wind'), row('0-20', 'wind'), row('0-20', 'solar'), row('20-25', 'nuclear')];
  expect(partsOf(rows, ['solar', 'wind']).map(({ cohort, carrier }) => `${cohort} ${carrier}`)).toEqual([
    '0-20 solar',
    '0-20 wind',
    '25+ wind',
  ]);
});

test.each([
  [0, 4, [0]],
  [3089, 4, [0, 1000, 2000, 3000]],
  [0.33, 4, [0, 0.1, 0.2, 0.3]],
  [1, 2, [0, 0.5, 1]],
])('ticks up to %d are round', (most, about, ticks) => {
  expect(ticksTo(most, about)).toEqual(ticks);
});
