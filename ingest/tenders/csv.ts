import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import { BuildRefused } from '../run/build-refused.ts';
import { knownLabels } from './labels.ts';
import type { Sheet } from './sheet.ts';

/** Reads copies of lists and workbooks in CSV. */

const MAX_ROWS = 30_000;
const MAX_CELLS = 600_000;

/** A longer text is no row: locations have up to some thousand characters. */
const MAX_RECORD = 100_000;

/** The first rows, in which titles and headings stand. */
const HEAD_ROWS = 40;

/**
 * Splits a text at the separator by which most headings are found, since the cells of locations contain all of them.
 * Quotes inside of cells are text: some lists have stray ones.
 * @throws BuildRefused
 */
export function readCsv(text: string): Sheet {
  const best = [';', '\t', ',', '|']
    .flatMap((separator) => {
      const rows = split(text, separator);
      return rows === null ? [] : [{ separator, rows }];
    })
    .map(({ separator, rows }) => ({
      separator,
      rows,
      labels: labelsOf(rows),
    }))
    .reduce<{ separator: string; rows: string[][]; labels: number } | null>(
      (chosen, one) => (chosen === null || one.labels > chosen.labels ? one : chosen),
      null,
    );
  if (best === null)
    throw new BuildRefused('it is no CSV of a list: quotes and separators do not fit, or a row has no end');
  const cells = best.rows.reduce((sum, row) => sum + row.length, 0);
  if (best.rows.length > MAX_ROWS || cells > MAX_CELLS) {
    throw new BuildRefused(
      `it has more than ${MAX_ROWS.toLocaleString('en')} rows or ${MAX_CELLS.toLocaleString('en')} cells`,
    );
  }
  return { name: '', ...(best.separator === '|' ? { rows: best.rows.flatMap(withoutRules) } : best) };
}

/** Headings in the row that has most of them; where a page has one in each row, all of them tell. */
const labelsOf = (rows: readonly string[][]): number => {
  const counts = rows.slice(0, HEAD_ROWS).map(knownLabels);
  return Math.max(0, ...counts) * HEAD_ROWS * 2 + counts.filter((count) => count > 0).length;
};

/** Tables with pipes have a pipe at both ends of a row, and a row of dashes below the headings. */
const withoutRules = (row: string[]): string[][] =>
  row.every((cell) => /^\s*:?-*:?\s*$/.test(cell)) ? [] : [row.slice(row[0]?.trim() === '' ? 1 : 0)];

/** Null when the text has no such form. */
function split(text: string, separator: string): string[][] | null {
  if (text.split(separator).length > MAX_CELLS) return null;
  try {
    return parse(text, {
      delimiter: separator,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD,
      to: MAX_ROWS + 1,
    });
  } catch {
    return null;
  }
}

/** The letters of MS-DOS (code page 850) that German texts have beyond ASCII, by their bytes. */
const OF_DOS = new Map(
  Object.entries({ ä: 0x84, ö: 0x94, ü: 0x81, Ä: 0x8e, Ö: 0x99, Ü: 0x9a, ß: 0xe1 }).map(([letter, byte]) => [
    byte,
    letter,
  ]),
);

/** Encodings of one byte for each letter, as office programs write them; Windows comes first. */
const ONE_BYTE: readonly ((bytes: Buffer) => string)[] = [
  (bytes) => new TextDecoder('windows-1252').decode(bytes),
  (bytes) => new TextDecoder('macintosh').decode(bytes),
  (bytes) => Array.from(bytes, (byte) => OF_DOS.get(byte) ?? String.fromCharCode(byte)).join(''),
];

/**
 * The text of a copy: UTF-8 with or without mark, UTF-16 with mark, else the encoding of Windows, Mac or MS-DOS in which it
 * has the most umlauts.
 * @throws BuildRefused when UTF-8 was taken for another encoding, and encoded once more
 */
export function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (isUtf8(bytes)) {
    const text = new TextDecoder().decode(bytes);
    if (twiceEncodedIn(text) <= umlautsOf(text)) return text;
    throw new BuildRefused('its letters were encoded twice ("Ã¼" for "ü"); save the list anew as UTF-8');
  }
  return ONE_BYTE.map((decode) => decode(bytes)).reduce((best, text) =>
    umlautsOf(text) > umlautsOf(best) ? text : best,
  );
}

const umlautsOf = (text: string): number => text.match(/[äöüÄÖÜß]/g)?.length ?? 0;

/** Counts umlauts whose two bytes became a letter each. */
const twiceEncodedIn = (text: string): number => text.match(/Ã[\u0080-\u009f¤¶¼„–œŸ]/g)?.length ?? 0;
