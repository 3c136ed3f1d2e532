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
