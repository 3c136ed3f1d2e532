import { describe, expect, test } from 'vitest';
import { csvOf } from '../../dashboards/web/frame/table.ts';
import { FORMULA } from '../../runtime/csv-dialect.ts';

/** Files that pages write by themselves keep to the rules of those that the service writes. */

const cellOf = (text: string): string =>
  csvOf({ columns: [{ name: 'a' }], rows: [[text]] }, 'source').split('\r\n')[1] ?? '';

describe('a cell of a file', () => {
  test.each(['=1+1', '+49 30', '-5', '@SUM(A1)', '\t=1', '＝1', '－1', "'=1"])(
    'that spreadsheets would take for a formula stays a text: %j',
    (text) => {
      expect(new RegExp(FORMULA).test(text)).toBe(true);
      expect(cellOf(text)).toBe(`'${text}`);
    },
  );

  test.each([
    ['Süd 1', 'Süd 1'],
    ["d'Artagnan = 1", "d'Artagnan = 1"],
    ['a;b', '"a;b"'],
    ['say "so"', '"say ""so"""'],
  ])('that is none is written as it is, in quotes where it must be: %j', (text, written) => {
    expect(cellOf(text)).toBe(written);
  });
});

describe('a number of a file', () => {
  const numberOf = (value: number): string =>
    csvOf({ columns: [{ name: 'a' }], rows: [[value]] }, 'source').split('\r\n')[1] ?? '';

  test.each([
    [1806.1013850000002, '1806,101385'],
    [0.1 + 0.2, '0,3'],
    [0.30000000000000004 * 3, '0,9'],
    [1_806_101.385, '1806101,385'],
    [312_345_678.123, '312345678,123'],
    [(1 / 3) * 100, '33,333333'],
    [-0.000001, '-0,000001'],
    [52.123456, '52,123456'],
    [0, '0'],
    [2026, '2026'],
  ])('has no noise of the calculation: %d', (value, written) => {
    expect(numberOf(value)).toBe(written);
  });

  test('is what whole watts add up to, however many there are', () => {
    const watts = Array.from({ length: 100_000 }, (_, place) => (place * 7919) % 5_000_000);
    const megawatts = watts.reduce((sum, one) => sum + one / 1e6, 0);
    const exact = watts.reduce((sum, one) => sum + one, 0) / 1e6;
    expect(numberOf(megawatts)).toBe(String(exact).replace('.', ','));
  });
});
