import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { counted } from '../../runtime/counted.ts';
import { licensed, UNIT_CHANGES } from '../../sql/catalogue/licence.ts';
import { csvHeader } from '../../sql/warehouse/duckdb/dump.ts';
import type { Dump, DumpForm } from '../../sql/warehouse/dumps.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import type { Progress } from '../run/progress.ts';
import { type Content, contentOf } from './content.ts';
import { type Destination, publishDrafts, removeDrafts, requireFree } from './destination.ts';
import { joinDatabase, joinParquet } from './join.ts';
import { describedColumns, manifestOf } from './manifest.ts';
import { type Piece, piecesOf } from './pieces.ts';
import type { DumpSource } from './source.ts';

export interface ExportOptions {
  readonly source: DumpSource;
  readonly version: string;
  readonly form: DumpForm;
  readonly destination: Destination;
  /** Replace a dump that is there. */
  readonly force: boolean;
  /** Calendar day, YYYY-MM-DD, from which delays of planned units are computed. */
  readonly today: string;
  /** MaStR numbers whose past is to be forgotten. */
  readonly erased: readonly string[];
  /** Memory of the engine, MB. */
  readonly memoryMb: number;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Writes a dump of a version and its manifest. When that fails, an earlier dump stays, and nothing remains that looks like
 * a dump.
 * @throws Error when the dump would not hold every unit of the version
 */
export async function exportUnits(options: ExportOptions): Promise<Dump> {
  const { source, version, form, destination, force, today, erased, progress, signal } = options;
  const { format, decimals, dialect, geo } = form;
  const isTyped = format === 'parquet' || format === 'duckdb';
  try {
    const engine = await source.engine(form.changes, destination.drafts.work, progress);
    const content = await contentOf(form, source.units, engine, erased);
    const { rows, sha256 } = await (isTyped ? writeTyped : writeText)(options, engine, content);
    if (!form.changes && rows !== source.units) {
      throw new Error(
        `${version} has ${counted(source.units, 'unit')}, but ${rows.toLocaleString('en')} were read; nothing was exported. Try again.`,
      );
    }
    const { size: bytes } = await stat(destination.drafts.file);
    const files = [{ name: basename(destination.file), bytes, sha256 }];
    const choices = {
      ...(isTyped ? { decimals } : {}),
      ...(format === 'csv' ? { dialect } : {}),
      ...(geo ? { geo } : {}),
    };
    const { name, since } = content;
    const about = { name, version, asOf: source.exportDay, ...(since === undefined ? {} : { since }) };
    const dump = { ...about, today, rows, format, ...choices, files };
    await writeFile(destination.drafts.manifest, manifestOf(dump), { flush: true });
    signal.throwIfAborted();
    if (!force) requireFree(destination);
    publishDrafts(destination);
    progress.end();
    return dump;
  } catch (error) {
    removeDrafts(destination);
    // An interrupted engine throws its own error; callers expect the reason of the signal.
    signal.throwIfAborted();
    throw error;
  }
}

/** What is counted; how many changes there are is known at the end. */
const totalOf = ({ since, units }: Content): [number, string] =>
  since === undefined ? [units, 'units'] : [0, 'changes'];

interface Written {
  readonly rows: number;
  readonly sha256: string;
}

async function writeText(
  { form, destination, today, progress, signal }: ExportOptions,
  engine: WarehouseConnection,
  content: Content,
): Promise<Written> {
  const { format, dialect } = form;
  progress.stage(format, ...totalOf(content));
  const hash = createHash('sha256');
  let rows = 0;
  await writeSynced(destination.drafts.file, async (file) => {
    if (format === 'csv') await append(file, hash, Buffer.from(`${csvHeader(content.fields, dialect)}\r\n`));
    for await (const piece of piecesOf(engine, content, form, destination.drafts.work, today)) {
      for await (const bytes of bytesOf(piece.path, signal)) await append(file, hash, bytes);
      await rm(piece.path);
      rows += piece.rows;
      progress.advance(piece.rows);
    }
  });
  return { rows, sha256: hash.digest('hex') };
}

/** Writes the pieces as Parquet, and joins them into the file. */
async function writeTyped(options: ExportOptions, engine: WarehouseConnection, content: Content): Promise<Written> {
  const { source, version, form, destination, today, memoryMb, progress, signal } = options;
  progress.stage(form.format, ...totalOf(content));
  const pieces: Piece[] = [];
  for await (const piece of piecesOf(engine, content, form, destination.drafts.work, today)) {
    pieces.push(piece);
    progress.advance(piece.rows);
  }
  progress.stage('one file');
  const { quellenvermerk } = licensed(source.exportDay, UNIT_CHANGES);
  const about = {
    version,
    asOf: source.exportDay,
    quellenvermerk,
    columns: JSON.stringify(describedColumns(content.fields)),
  };
  // Frees memory for the footers of all pieces.
  await source.close();
  const { file: path, work } = destination.drafts;
  const joining = { pieces, path, about, work, memoryMb, signal };
  const rows = form.format === 'duckdb' ? await joinDatabase(joining) : await joinParquet(joining, form.geo);
  const { size } = await stat(destination.drafts.file);
  progress.stage('digest', size, 'MB');
  const hash = createHash('sha256');
  for await (const bytes of bytesOf(destination.drafts.file, signal)) {
    hash.update(bytes);
    progress.advance(bytes.length);
  }
  await writeSynced(destination.drafts.file, async () => {}, 'r+');
  return { rows, sha256: hash.digest('hex') };
}

const bytesOf = (path: string, signal: AbortSignal): AsyncIterable<Buffer> =>
  createReadStream(path, { highWaterMark: 1 << 20, signal });

async function append(file: FileHandle, hash: Hash, bytes: Buffer): Promise<void> {
  hash.update(bytes);
  await file.writeFile(bytes);
}

/** Opens a file for `write` and flushes it to the disk before it returns. */
async function writeSynced(path: string, write: (file: FileHandle) => Promise<void>, flags = 'w'): Promise<void> {
  const file = await open(path, flags);
  try {
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
}
