import fc from 'fast-check';
import readWorkbook from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import { workbookBytes } from '../../../api/representation/workbook.ts';
import { xlsxBytes } from '../../../api/representation/xlsx.ts';
import { cases } from '../../support/cases.ts';

/** Workbooks that we write can be read back by a reader that is not ours. */

/** Reads the rows of the sheet of data, without its header. */
async function readBack(rows: readonly unknown[][], isDay = false): Promise<unknown[][]> {
  const columns = (rows[0] ?? []).map((_, at) => ({ name: `c${at}`, isDay }));
  const sheets = await readWorkbook(await workbookBytes({ columns, rows, source: [['Quelle', 'x']] }), { trim: false });
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['Daten', 'Quelle']);
  return (sheets[0]?.data ?? []).slice(1);
}

describe('a cell', () => {
  test.each([
    ['numbers as in JSON', [0.3, -3.5, 1e21, 0.1 + 0.2, 2020, 12_345_678.9]],
    ['booleans', [true, false]],
    ['texts that look like numbers', ['01067', '1e5', '2026-11-01']],
    ['texts of markup', ['<a href="x">&amp;</a>', 'ä–§ 😀', ' with blanks ', 'a\nb']],
    ['texts that begin like a formula', ['=1+1', '+49', '-1', '@SUM(A1)', "'=1", '＝1']],
  ])('%s', async (_, values) => {
    expect(await readBack([values])).toEqual([values]);
  });

  test('a missing value and an empty text are empty', async () => {
    expect(await readBack([[null, 'a', undefined, '', 1]])).toEqual([[null, 'a', null, null, 1]]);
  });

  test('a calendar day is a date; what spreadsheets cannot count from 1900 on stays a text', async () => {
    const days = ['2024-02-29', '1900-03-01', '1900-02-28', '1898-01-01', 'unknown'];
    expect(await readBack([days], true)).toEqual([[new Date('2024-02-29'), new Date('1900-03-01'), ...days.slice(2)]]);
  });

  test('a text that is longer than a cell is cut, and says so', async () => {
    const [[text]] = (await readBack([['a'.repeat(40_000)]])) as [[string]];
    expect([text.length, text.at(-1)]).toEqual([32_767, '…']);
  });

  test('names that objects have from the start, and texts like codes of characters, keep what they say', async () => {
    const texts = ['constructor', '__proto__', 'toString', '_x0041_', 'a_x000a_b'];
    expect(await readBack([texts])).toEqual([texts]);
  });
});

test('every value comes back', async () => {
  const value = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'ab1.-=+@\'",; \tä＝<>&'), minLength: 1 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
  );
  const rows = fc.integer({ min: 1, max: 5 }).chain((width) =>
    fc.array(
      fc.array(value, { minLength: width, maxLength: width }).map((cells) => [...cells, 'last']),
      { minLength: 1, maxLength: 5 },
    ),
  );
  await fc.assert(
    fc.asyncProperty(rows, async (sent) => {
      expect(await readBack(sent)).toEqual(sent);
    }),
    { numRuns: cases(40) },
  );
});

test('a thread writes several at a time, each its own; too many are refused', async () => {
  const workbook = (value: number) => ({ columns: [{ name: 'a', isDay: false }], rows: [[value]], source: [] });
  const asked = Array.from({ length: 16 }, (_, at) => xlsxBytes(workbook(at)));
  expect(() => xlsxBytes(workbook(0))).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
  const read = await Promise.all(asked.map(async (bytes) => (await readWorkbook(await bytes))[0]?.data));
  expect(read).toEqual(asked.map((_, at) => [['a'], [at]]));
  expect(await xlsxBytes(workbook(1))).toBeInstanceOf(Buffer);
});
