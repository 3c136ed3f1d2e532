import { createHash, type Hash } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';

/**
 * A backup is a gzip file of lines. The first has the format and the migrations that had run; then each table has a line
 * with its columns and a line for every row (backup-tables.ts); the last line has rows and digest of every table, so that
 * a file without it is known to be cut off.
 */

const FORMAT = 'energy-organisations';
const VERSION = 1;

/** About so many characters of rows are in memory at a time. */
export const CHUNK_CHARACTERS = 1_000_000;

const headerShape = z.object({
  format: z.literal(FORMAT),
  version: z.int(),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.strictObject({ name: z.string(), digest: z.string() })),
});

const tableShape = z.strictObject({ table: z.string(), columns: z.array(z.string()) });

/** Rows of a table, and SHA-256 over their lines with the line feeds, hexadecimal. */
const sumShape = z.strictObject({ rows: z.int(), sha256: z.string() });

const endShape = z.strictObject({ tables: z.record(z.string(), sumShape) });

export type BackupHeader = z.infer<typeof headerShape>;
export type TableDigest = z.infer<typeof sumShape>;
export type TableDigests = Readonly<Record<string, TableDigest>>;

/** Rows of one table, as many as a statement takes. */
export interface TableChunk {
  readonly table: string;
  readonly columns: readonly string[];
  readonly lines: readonly string[];
}

/** The file is no backup, or is incomplete. */
export class BackupDamaged extends Error {}

/** Counts and digests lines. */
export class LineDigest {
  #rows = 0;
  readonly #hash: Hash = createHash('sha256');

  add(lines: readonly string[]): void {
    this.#rows += lines.length;
    for (const line of lines) this.#hash.update(line).update('\n');
  }

  sum(): TableDigest {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') };
  }
}

/** The first line of a backup. */
export const headerOf = (migrations: BackupHeader['migrations']): BackupHeader => ({
  format: FORMAT,
  version: VERSION,
  createdAt: new Date().toISOString(),
  migrations,
});

/**
 * Writes a new file, to the disk, for its owner only.
 * @param chunks those of one table in a row
 * @returns the digests of its tables, as the file has them
 */
export async function writeBackupFile(
  path: string,
  header: BackupHeader,
  pieces: AsyncIterable<TableChunk>,
): Promise<TableDigests> {
  const sums: Record<string, TableDigest> = {};
  async function* texts(): AsyncGenerator<string> {
    yield `${JSON.stringify(header)}\n`;
    const summings = new Map<string, LineDigest>();
    for await (const { table, columns, lines } of pieces) {
      const summing = summings.get(table) ?? new LineDigest();
      if (!summings.has(table)) yield `${JSON.stringify({ table, columns })}\n`;
      summings.set(table, summing);
      summing.add(lines);
      if (lines.length > 0) yield `${lines.join('\n')}\n`;
    }
    for (const [table, summing] of summings) sums[table] = summing.sum();
    yield `${JSON.stringify({ tables: sums })}\n`;
  }
  await pipeline(
    Readable.from(texts(), { objectMode: true, highWaterMark: 1 }),
    createGzip(),
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return sums;
}

/** Makes a new name in its folder durable. */
export function syncParentFolder(path: string): void {
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * Reads a file from its beginning to its end and checks it against its own digests.
 * @param take receives its rows, in order
 * @throws BackupDamaged when it is not whole; the rows received until then have to be discarded
 */
export async function readBackupFile(
  path: string,
  take: (piece: TableChunk) => Promise<void> = async () => {},
): Promise<{ readonly header: BackupHeader; readonly sums: TableDigests }> {
  const lines = linesIn(path);
  const first = await lines.next();
  const header = parse(path, headerShape, first.value ?? '');
  if (header.version !== VERSION) {
    throw new BackupDamaged(
      `${path} is of form ${header.version}, which a newer release has written. Use that release`,
    );
  }
  const found: Record<string, TableDigest> = {};
  let open: (z.infer<typeof tableShape> & { readonly summing: LineDigest }) | null = null;
  let waiting: string[] = [];
  let length = 0;
  const handOver = async () => {
    if (open === null) return;
    open.summing.add(waiting);
    if (waiting.length > 0) await take({ table: open.table, columns: open.columns, lines: waiting });
    waiting = [];
    length = 0;
  };
  for await (const line of lines) {
    if (line.startsWith('[')) {
      waiting.push(line);
      length += line.length;
      if (length >= CHUNK_CHARACTERS) await handOver();
      continue;
    }
    await handOver();
    if (open !== null) found[open.table] = open.summing.sum();
    if (line.startsWith('{"tables":')) {
      const { tables } = parse(path, endShape, line);
      digestsMustMatch(path, tables, found);
      // The checksums of gzip follow; reading on checks them.
      if (!(await lines.next()).done) throw damaged(path, 'there is something behind its last line');
      return { header, sums: tables };
    }
    open = { ...parse(path, tableShape, line), summing: new LineDigest() };
  }
  throw damaged(path, 'it is cut off: its last line is missing');
}

function digestsMustMatch(path: string, declared: TableDigests, found: TableDigests): void {
  for (const table of new Set([...Object.keys(declared), ...Object.keys(found)])) {
    if (declared[table]?.rows === found[table]?.rows && declared[table]?.sha256 === found[table]?.sha256) continue;
    throw damaged(path, `the rows of ${table} are not those that were written`);
  }
}

const damaged = (path: string, reason: string): BackupDamaged =>
  new BackupDamaged(`${path} is no whole backup: ${reason}. Take another one`);

function parse<Shape extends z.ZodType>(path: string, shape: Shape, line: string): z.output<Shape> {
  try {
    return shape.parse(JSON.parse(line));
  } catch (error) {
    throw damaged(path, `a line in it is none of a backup (${(error as Error).message.slice(0, 200)})`);
  }
}

/** Splits lines at the byte 10: a text may contain any other character. */
async function* linesIn(path: string): AsyncGenerator<string, undefined> {
  let rest: Buffer[] = [];
  const unpacked = createReadStream(path)
    .on('error', (error) => unpacked.destroy(error))
    .pipe(createGunzip({ chunkSize: 256 * 1024 }));
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      let begin = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, begin)) {
        rest.push(chunk.subarray(begin, end));
        yield Buffer.concat(rest).toString();
        rest = [];
        begin = end + 1;
      }
      if (begin < chunk.length) rest.push(chunk.subarray(begin));
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // zlib reports damaged bytes; any other error with a code is about access to the file.
    if (code?.startsWith('Z_') === true) throw damaged(path, message);
    if (code !== undefined) throw new BackupDamaged(`${path} cannot be read: ${message}`);
    throw error;
  } finally {
    unpacked.destroy();
  }
}
