import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { licensed, UNIT_CHANGES } from '../../sql/catalogue/licence.ts';
import type { Progress } from '../build/progress.ts';
import { type Format, RECORD_END } from './format.ts';
import { type Dump, manifestOf } from './manifest.ts';
import { abandon, mustBeFree, type Place, seal } from './place.ts';
import type { DumpSource } from './source.ts';

export interface ExportOptions {
  readonly source: DumpSource;
  readonly version: string;
  readonly format: Format;
  readonly place: Place;
  /** Replace a dump that is there. */
  readonly force: boolean;
  /** Calendar day that counts as today, YYYY-MM-DD. */
  readonly today: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Writes a dump of a version and its manifest. Whatever goes wrong, what was there before stays, and nothing is left
 * that looks like a dump.
 */
export async function exportUnits(options: ExportOptions): Promise<Dump> {
  const { source, version, format, place, force, today, progress, signal } = options;
  try {
    progress.stage(format, source.units, 'units');
    const sha256 = format === 'parquet' ? await writeParquet(options) : await writeRecords(options, format);
    const { size: bytes } = await stat(place.drafts.file);
    const files = [{ name: basename(place.file), bytes, sha256 }];
    const dump = { version, asOf: source.exportDay, today, rows: source.units, format, files };
    await writeFile(place.drafts.manifest, manifestOf(dump), { flush: true });
    signal.throwIfAborted();
    if (!force) mustBeFree(place);
    seal(place);
    progress.end();
    return dump;
  } catch (error) {
    abandon(place);
    // An interrupted engine tells it in its own words.
    signal.throwIfAborted();
    throw error;
  }
}

/** @returns the digest of the file */
async function writeRecords({ source, place, progress }: ExportOptions, format: 'csv' | 'ndjson'): Promise<string> {
  const hash = createHash('sha256');
  const end = RECORD_END[format];
  let isHeader = format === 'csv';
  await writing(place.drafts.file, async (file) => {
    for await (const records of source.records(format)) {
      const bytes = Buffer.from(records.join(end) + end);
      hash.update(bytes);
      await file.writeFile(bytes);
      if (!isHeader) progress.advance(records.length);
      isHeader = false;
    }
  });
  return hash.digest('hex');
}

/** @returns the digest of the file */
async function writeParquet({ source, version, place, progress, signal }: ExportOptions): Promise<string> {
  const { quellenvermerk } = licensed(source.exportDay, UNIT_CHANGES);
  const metadata = { version, asOf: source.exportDay, quellenvermerk };
  await source.parquet(place.drafts.file, metadata, (units) => progress.advance(units));
  const { size } = await stat(place.drafts.file);
  progress.stage('digest', size, 'MB');
  const hash = createHash('sha256');
  for await (const piece of createReadStream(place.drafts.file, { highWaterMark: 1 << 20, signal })) {
    hash.update(piece);
    progress.advance(piece.length);
  }
  await writing(place.drafts.file, async () => {}, 'r+');
  return hash.digest('hex');
}

/** Lets a file be written, and has it on disk before it returns. */
async function writing(path: string, write: (file: FileHandle) => Promise<void>, flags = 'w'): Promise<void> {
  const file = await open(path, flags);
  try {
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
}
