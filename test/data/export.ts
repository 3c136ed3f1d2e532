/** Reads exports for the tests: members with their sizes, records as plain objects. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openPromise } from 'yauzl';
import { QUICK_START } from '../support/environment.ts';

export type Row = Record<string, string>;

export interface MemberText {
  readonly name: string;
  readonly crc: number;
  /** Bytes as stored, with byte order mark. */
  readonly bytes: Buffer;
  readonly text: string;
  readonly modified: Date;
}

export const SAMPLE = fileURLToPath(new URL('../../data/sample/Gesamtdatenexport_20261101_26.1.zip', import.meta.url));
/** Award lists that belong to the sample. */
export const SAMPLE_TENDERS = fileURLToPath(new URL('../../data/sample/tenders/', import.meta.url));
export const MAIN = fileURLToPath(new URL('../../data/main.ts', import.meta.url));

/** Folder for the archives of one test file. */
export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'register-'));
}

/** Runs the command line in a process of its own; rejects with code and stderr when it fails. */
export async function command(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [...QUICK_START, MAIN, ...args]);
  return stdout;
}

export async function membersOf(path: string): Promise<MemberText[]> {
  const zip = await openPromise(path);
  const members: MemberText[] = [];
  for await (const entry of zip.eachEntry()) {
    const stream = await zip.openReadStreamPromise(entry);
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    members.push({
      name: entry.fileName,
      crc: entry.crc32,
      bytes,
      text: bytes.toString('utf16le', 2),
      modified: entry.getLastModDate(),
    });
  }
  return members;
}

/** Type of a member: its name without number and ending. */
export function typeOf(name: string): string {
  return name.replace(/(_\d+)?\.xml$/, '');
}

/** Records of all parts of a type in the order of the parts. Written for the generator's own text, quirks included. */
export function rowsOf(members: readonly MemberText[], type: string): Row[] {
  const parts = members.filter(({ name }) => typeOf(name) === type);
  const number = (name: string): number => Number(/_(\d+)/.exec(name)?.[1] ?? 0);
  return parts.sort((a, b) => number(a.name) - number(b.name)).flatMap(({ text }) => recordsOf(text));
}

function recordsOf(text: string): Row[] {
  const [, root = '', record = ''] = /\?><(\w+)>(?:<(\w+)>)?/.exec(text) ?? [];
  const body = text.slice(text.indexOf(`<${root}>`) + root.length + 2, text.lastIndexOf(`</${root}>`));
  return body
    .split(`</${record}>`)
    .slice(0, -1)
    .map((content) =>
      Object.fromEntries([...content.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, name, value]) => [name!, value!])),
    );
}

/** Fields of release 26.1 by file. */
export async function currentFields(): Promise<{ file: string; record: string; field: string }[]> {
  const table = await readFile(new URL('../../sql/register/fields.csv', import.meta.url), 'utf8');
  return table
    .split('\n')
    .map((line) => line.split(','))
    .filter((cells) => cells[7] === 'current')
    .map(([file = '', record = '', field = '']) => ({ file, record, field }));
}
