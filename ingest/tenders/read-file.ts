import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { BuildRefused } from '../run/build-refused.ts';
import { decodeText, readCsv } from './csv.ts';
import type { Sheet } from './sheet.ts';
import { readXlsx } from './xlsx.ts';

/** A file of the tenders with all of its tables. */
export interface TenderFile {
  /** Without its folder. */
  readonly name: string;
  /** SHA-256 of its bytes. */
  readonly digest: string;
  readonly sheets: readonly Sheet[];
}

/** Workbooks have less than 1 MB. */
const MAX_FILE_BYTES = 16 << 20;

/** Beginnings of files that people mistake for workbooks, and what to do about them. */
const NO_TABLES: readonly (readonly [beginning: RegExp, advice: string])[] = [
  [/^%PDF/, 'it is a PDF; load the xlsx of the same page'],
  [/^ÐÏ/, 'it is a workbook of the old form (xls), or one with a password; save it as xlsx'],
  [
    /^\s*<(?:!doctype|html|\?xml)/i,
    'it is a page and not the file; addresses of the Bundesnetzagentur need ?__blob=publicationFile at their end',
  ],
];

/**
 * Reads a workbook or a copy in CSV; the content decides which, not the name.
 * @throws BuildRefused saying what to do
 */
export async function readTenderFile(path: string): Promise<TenderFile> {
  const bytes = readBounded(path);
  const beginning = bytes.subarray(0, 200).toString('latin1');
  const advice = NO_TABLES.find(([pattern]) => pattern.test(beginning.replace(/^\xef\xbb\xbf/, '')))?.[1];
  if (advice !== undefined) throw new BuildRefused(advice);
  const isZip = beginning.startsWith('PK');
  return {
    name: basename(path),
    digest: createHash('sha256').update(bytes).digest('hex'),
    sheets: isZip ? await readXlsx(path) : [readCsv(decodeText(bytes))],
  };
}

function readBounded(path: string): Buffer {
  const { size } = statSync(path);
  if (size === 0) throw new BuildRefused('it is empty');
  if (size > MAX_FILE_BYTES) throw new BuildRefused(`it has more than ${MAX_FILE_BYTES >> 20} MiB`);
  return readFileSync(path);
}
