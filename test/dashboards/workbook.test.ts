import readWorkbook from 'read-excel-file/node';
import { expect, test } from 'vitest';
import type { Cell } from '../../dashboards/web/frame/table.ts';
import { workbookOf } from '../../dashboards/web/frame/workbook.ts';

/** Workbooks that pages write by themselves can be read by a reader that is not ours. */

async function readBack(rows: readonly (readonly Cell[])[]) {
  const columns = (rows[0] ?? []).map((_, at) => ({ name: `Spalte ${at}`, ...(at === 0 ? { unit: 'MW' } : {}) }));
  const blob = await workbookOf({ columns, rows }, [
    ['Quelle', 'Bundesnetzagentur & <andere>'],
    ['Anfrage', 'GET https://api.example/v1/units?plz=01067'],
  ]);
  return readWorkbook(Buffer.from(await blob.arrayBuffer()), { trim: false });
}

test('numbers are such without noise, texts stay texts, days are dates, what is not known is empty', async () => {
  const row: Cell[] = [0.1 + 0.2, '=1+1', '01067', '01.05.2023', '01.05.1898', null, '', ' a\n<b>&"ä', '_x0041_', -5];
  const [data, source] = await readBack([row]);
  expect(data).toEqual({
    sheet: 'Daten',
    data: [
      ['Spalte 0 (MW)', ...row.slice(1).map((_, at) => `Spalte ${at + 1}`)],
      [0.3, '=1+1', '01067', new Date('2023-05-01'), '01.05.1898', null, null, ' a\n<b>&"ä', '_x0041_', -5],
    ],
  });
  expect(source).toEqual({
    sheet: 'Quelle',
    data: [
      ['Quelle', 'Bundesnetzagentur & <andere>'],
      ['Anfrage', 'GET https://api.example/v1/units?plz=01067'],
    ],
  });
});

test('periods are numbers or first days, as the pages or the interface write them; other texts stay', async () => {
  const rows = ['2026', 'Q3 2022', 'März 2024', 'Sept. 2024', '2024-02', '2024-Q4', 'unbekannt'].map((text) => [text]);
  const blob = await workbookOf({ columns: [{ name: 'Periode', isPeriod: true }], rows }, [['Stand', '31.12.2025']]);
  const [data, source] = await readWorkbook(Buffer.from(await blob.arrayBuffer()));
  const days = ['2022-07-01', '2024-03-01', '2024-09-01', '2024-02-01', '2024-10-01'].map((day) => new Date(day));
  expect(data?.data.slice(1).flat()).toEqual([2026, ...days, 'unbekannt']);
  expect(source?.data).toEqual([['Stand', new Date('2025-12-31')]]);
});

test('the rows of the largest list come back', async () => {
  const rows = Array.from({ length: 10_000 }, (_, at) => [at / 8, `Anlage ${at}`, `${at % 2 ? '01' : '28'}.02.2024`]);
  const [data] = await readBack(rows);
  expect(data?.data).toHaveLength(10_001);
  expect(data?.data.at(-1)).toEqual([9999 / 8, 'Anlage 9999', new Date('2024-02-01')]);
});

test('characters that XML cannot have do not break the file', async () => {
  const [data] = await readBack([['a\u0000\u000bb\ud800c\uffff', 'x'.repeat(40_000)]]);
  expect(data?.data[1]).toEqual(['ab\ufffdc', 'x'.repeat(32_767)]);
});
