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
  const best = [';', '\t', ',']
    .map((separator) => split(text, separator))
    .filter((rows) => rows !== null)
    .map((rows) => ({ rows, labels: Math.max(0, ...rows.slice(0, HEAD_ROWS).map(knownLabels)) }))
    .reduce<{ rows: string[][]; labels: number } | null>(
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
  return { name: '', rows: best.rows };
}

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

/** The text of a copy: UTF-8 with or without mark, UTF-16 with mark, else Windows-1252. Umlauts decide. */
export function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
