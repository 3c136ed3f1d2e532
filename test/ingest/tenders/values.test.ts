import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Cell,
  dayInName,
  dayOf,
  daysAfter,
  kilowattsOf,
  numberOf,
  roundHalfUp,
} from '../../../ingest/tenders/values.ts';

describe('numbers of cells', () => {
  it.each<[Cell, number | null]>([
    [5.71, 5.71],
    ['5,71', 5.71],
    ['5.71', 5.71],
    ['1.234', 1234],
    ['1.234,5', 1234.5],
    ['2.137.000', 2_137_000],
    ['2,137,000', 2_137_000],
    ['500 000', 500_000],
    ['500\u00a0000', 500_000],
    ['70*', 70],
    ['2,65/4,50', null],
    ['k. A.', null],
    ['', null],
    [null, null],
    [true, null],
  ])('%j is %j', (cell, number) => expect(numberOf(cell)).toBe(number));
});

describe('rounding', () => {
  it.each([
    [5.715, 2, 5.72],
    [5.7149, 2, 5.71],
    [1.005, 2, 1.01],
    [686_000.5, 0, 686_001],
    [0.0000001, 2, 0],
    [7.35, 2, 7.35],
  ])('%d to %i places is %d, half up on the number as it is written', (value, places, rounded) =>
    expect(roundHalfUp(value, places)).toBe(rounded),
  );

  it('is never farther away than half a step', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 0, max: 9999 }), (whole, part) => {
        const value = Number(`${whole}.${String(part).padStart(4, '0')}`);
        expect(Math.abs(roundHalfUp(value, 2) - value)).toBeLessThanOrEqual(0.005 + 1e-6);
      }),
    );
  });
});

describe('days', () => {
  it.each<[Cell, string | null]>([
    [new Date('2019-05-01T00:00:00Z'), '2019-05-01'],
    [43_586, '2019-05-01'],
    ['01.05.2019', '2019-05-01'],
    ['1.5.2019', '2019-05-01'],
    ['1. Mai 2019', '2019-05-01'],
    ['1. März 2021', '2021-03-01'],
    ['1 . Dez. 2019', '2019-12-01'],
    ['2019-05-01', '2019-05-01'],
    ['31.02.2019', null],
    ['Summe', null],
    ['2019', null],
    [3, null],
    [null, null],
  ])('%j is %j', (cell, day) => expect(dayOf(cell)).toBe(day));

  it.each([
    ['Gebotstermin_01_12_2019.xlsx', '2019-12-01'],
    ['GT01022026.xlsx', '2026-02-01'],
    ['Gebotstermin01122022', '2022-12-01'],
    ['liste-2019-05-01.csv', '2019-05-01'],
    ['Liste.xlsx', null],
  ])('the name %s has %s', (name, day) => expect(dayInName(name)).toBe(day));

  it('go on over the end of a month', () => expect(daysAfter('2020-09-25', 7)).toBe('2020-10-02'));
});

it.each([
  ['Zuschlagsmenge (kW)', 1],
  ['Gebotsmenge [MW]', 1000],
  ['Zuschlagsmenge', null],
])('the unit of %s is read, never assumed', (label, factor) => expect(kilowattsOf(label)).toBe(factor));
