import { stored, unpacked } from './bounded-zip.ts';
import { MOST_COLUMNS, MOST_FILE_BYTES, MOST_ROWS, SheetRefused } from './refused.ts';

/**
 * Reads a table out of a file, in the browser: nothing of it leaves the machine before somebody has seen what it would change. The
 * readers are loaded when a file is chosen.
 */

export type SheetCell = string | number | boolean | Date | null;

/** @throws SheetRefused */
export async function readSheet(file: Blob): Promise<readonly (readonly SheetCell[])[]> {
  if (file.size > MOST_FILE_BYTES) throw new SheetRefused('large');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const rows = isZip ? await workbookRows(bytes) : await csvRows(bytes);
  const filled = rows.filter((row) => row.some((cell) => cell !== null && cell !== ''));
  if (filled.length === 0) throw new SheetRefused('empty');
  if (filled.length > MOST_ROWS + 1 || filled.some(({ length }) => length > MOST_COLUMNS))
    throw new SheetRefused('large');
  return filled;
}

/** The places of cells and rows, and the extent that a sheet claims: one cell can claim a place in row 1,048,576. */
const PLACES =
  /\sr=["']([A-Za-z]{1,4})?(\d{1,9})["']|<(?:\w+:)?dimension\s[^>]{0,80}?ref=["'](?:[A-Z\d]+:)?([A-Z]+)(\d+)/g;
const FARTHEST_ROW = 2 * MOST_ROWS;

async function workbookRows(bytes: Uint8Array): Promise<SheetCell[][]> {
  const members = await unpacked(bytes);
  const text = new TextDecoder();
  for (const { name, bytes: content } of members) {
    if (!text.decode(name).includes('worksheets/')) continue;
    const xml = text.decode(content);
    let cells = 0;
    for (const [, column = 'A', row, lastColumn = 'A', lastRow = '1'] of xml.matchAll(PLACES)) {
      cells += 1;
      const farthest = Math.max(columnNumber(column), columnNumber(lastColumn));
      // What a sheet claims may be wider than what is in it.
      if (farthest > 20 * MOST_COLUMNS || Number(row ?? lastRow) > FARTHEST_ROW) throw new SheetRefused('large');
    }
    if (cells > MOST_ROWS * MOST_COLUMNS) throw new SheetRefused('large');
  }
  const { readSheet: read } = await import('read-excel-file/universal');
  try {
    const rows = (await read(stored(members), { trim: false })) as unknown as SheetCell[][];
    return rows.map(withoutEmptyEnd);
  } catch {
    throw new SheetRefused('damaged');
  }
}

const withoutEmptyEnd = (row: readonly SheetCell[]): SheetCell[] =>
  row.slice(0, row.findLastIndex((cell) => cell !== null && cell !== '') + 1);

const columnNumber = (letters: string): number =>
  [...letters.toUpperCase()].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

async function csvRows(bytes: Uint8Array): Promise<string[][]> {
  const text = decoded(bytes).replace(/^\u{feff}/u, '');
  if (text.includes('\0')) throw new SheetRefused('damaged');
  const [firstLine = ''] = text.split('\n', 1);
  const delimiter = [';', '\t', ','].reduce((best, one) =>
    firstLine.split(one).length > firstLine.split(best).length ? one : best,
  );
  const { parse } = await import('csv-parse/browser/esm/sync');
  try {
    return parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: MOST_ROWS + 2,
    });
  } catch {
    throw new SheetRefused('damaged');
  }
}

/** Excel writes Windows-1252 unless asked for UTF-8. */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
