import { listZip, readZipMember } from '../archive/zip.ts';
import { BuildRefused } from '../run/build-refused.ts';
import type { Sheet } from './sheet.ts';
import type { Cell } from './values.ts';

/**
 * Reads workbooks. An xlsx is a zip of XML, so that a small file can unpack to any size and a single cell can claim a place
 * in row 1,048,576: both are measured before the library builds its tables. Lists have 15 to 40 KB. The library has 80
 * files, and few commands read a workbook: it is loaded when one does.
 */

const MAX_MEMBERS = 500;
const MAX_UNPACKED_BYTES = 96 << 20;
const MAX_ROWS = 30_000;
const MAX_COLUMNS = 400;
const MAX_CELLS = 600_000;

/** @throws BuildRefused when it is damaged, or larger than any list or workbook of the tenders */
export async function readXlsx(path: string): Promise<Sheet[]> {
  await measure(path);
  const { default: readWorkbook } = await import('read-excel-file/node');
  try {
    const sheets = await readWorkbook(path, { trim: false });
    // The library's type of a date cell names the constructor of dates.
    return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data as unknown as Cell[][] }));
  } catch (error) {
    // Messages of the library may quote content.
    throw new BuildRefused(`it is no workbook that can be read (${error instanceof Error ? error.name : 'unknown'})`);
  }
}

async function measure(path: string): Promise<void> {
  const entries = await listZip(path);
  const claimed = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  if (entries.length > MAX_MEMBERS || claimed > MAX_UNPACKED_BYTES) throw tooLarge();
  for (const { name, bytes, offset } of entries) {
    const member = { index: 0, name: 'a part of the workbook', entry: name, kind: null, part: null, bytes, offset };
    const pieces: Buffer[] = [];
    // A member that goes on behind its claimed size is damaged and ends the reading.
    for await (const piece of readZipMember(path, member)) {
      if (/(^|\/)worksheets\//.test(name)) pieces.push(Buffer.from(piece));
    }
    if (pieces.length > 0) measureSheet(Buffer.concat(pieces).toString('latin1'));
  }
}

/** The places of cells and rows, and the extent that the sheet claims, out of its XML. */
const PLACES =
  /\sr=["']([A-Za-z]{1,4})?(\d{1,9})["']|<(?:\w+:)?dimension\s[^>]{0,80}?ref=["'](?:[A-Z\d]+:)?([A-Z]+)(\d+)/g;

function measureSheet(xml: string): void {
  let places = 0;
  for (const [, column = 'A', row, lastColumn = 'A', lastRow = '1'] of xml.matchAll(PLACES)) {
    places += 1;
    const farthestColumn = Math.max(columnNumber(column), columnNumber(lastColumn));
    if (farthestColumn > MAX_COLUMNS || Number(row ?? lastRow) > MAX_ROWS) throw tooLarge();
  }
  // Cells and rows need not say their place.
  if (Math.max(places, occurrences(xml, '<c ') + occurrences(xml, '<c>')) > MAX_CELLS) throw tooLarge();
  if (occurrences(xml, '<row') > MAX_ROWS) throw tooLarge();
}

const columnNumber = (letters: string): number =>
  [...letters.toUpperCase()].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

const tooLarge = (): BuildRefused =>
  new BuildRefused(
    `it is larger than any list of awards: at most ${MAX_ROWS.toLocaleString('en')} rows of ${MAX_COLUMNS} columns, ` +
      `${MAX_CELLS.toLocaleString('en')} cells and ${MAX_UNPACKED_BYTES >> 20} MiB unpacked are read`,
  );
