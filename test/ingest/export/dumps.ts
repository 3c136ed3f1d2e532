import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** Dumps as a data team reads them. */

// biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
export type Manifest = any;

export const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));

/**
 * Returns true when a folder holds a dump with its manifest.
 * @throws Error when the manifest describes other files
 */
export function isSealed(folder: string): boolean {
  if (!existsSync(join(folder, 'manifest.json'))) return false;
  for (const { name, sha256, bytes } of manifestIn(folder).files) {
    const content = readFileSync(join(folder, name));
    if (content.length !== bytes || createHash('sha256').update(content).digest('hex') !== sha256) {
      throw new Error(`${name} is not what its manifest says`);
    }
  }
  return true;
}

/** Lists the files that unfinished exports have left. */
export const draftsIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.new')) : [];

/** Asks an engine that has nothing but the files. */
export async function queryFiles<Row>(sql: string): Promise<Row[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson() as Row[];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The records of a CSV text as RFC 4180 says, by a reader that knows nothing else; null where a field is empty and bare. */
export function readCsv(text: string): (string | null)[][] {
  const records: (string | null)[][] = [];
  let record: (string | null)[] = [];
  for (let at = 0; at < text.length; ) {
    const [whole, quoted, bare] = /("(?:[^"]|"")*")|([^",\r\n]*)/y.exec(text.slice(at))!;
    record.push(quoted === undefined ? bare || null : quoted.slice(1, -1).replaceAll('""', '"'));
    at += whole.length;
    if (text.startsWith('\r\n', at)) {
      records.push(record);
      record = [];
      at += 2;
    } else if (text[at] === ',') at += 1;
    else throw new Error(`No comma and no line break behind ${JSON.stringify(text.slice(at - 40, at + 10))}`);
  }
  return records;
}
