import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPromise } from 'yauzl';
import { runGenerator } from './generator.ts';
import { sharedFolder } from './shared-folder.ts';
import { zipOf } from './zip.ts';

/** Exports of the register that tests edit: generated once, parsed into records, changed, and written again. */

/** Elements of a record with their text as the file has it: escaped. */
export type Row = Record<string, string>;

export interface Document {
  readonly root: string;
  readonly record: string;
  records: Row[];
}

/** Makes a folder for a test file. */
export function folderOfTests(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'ingest-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

const exportName = (day: string, level = '26.1'): string => `Gesamtdatenexport_${day.replaceAll('-', '')}_${level}.zip`;

/** Puts the small register of the tests into the folder, or its next days, and returns the zip's path. */
export async function generateExport(folder: string, day: string, previous: string | null = null): Promise<string> {
  const name = exportName(day);
  const world = previous === null ? ['--units', '500', '--seed', '5'] : ['--previous', previous];
  const words = ['generate', ...world, '--clean', '--workers', '1', '--day', day];
  const made = await sharedFolder(
    `export-${day}-${previous === null ? 'first' : digestOf(previous)}`,
    async (place) => {
      const { code, err } = await runGenerator([...words, '--out', join(place, name)]);
      if (code !== 0) throw new Error(err);
    },
  );
  copyFileSync(join(made, name), join(folder, name));
  return join(folder, name);
}

/** Puts the small register of 2026-11-01 and the days after it into the folder, and returns the paths. */
export async function generateDays(folder: string, count: number): Promise<string[]> {
  const paths: string[] = [];
  for (let day = 1; day <= count; day++)
    paths.push(await generateExport(folder, `2026-11-0${day}`, paths.at(-1) ?? null));
  return paths;
}

const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);

export class RegisterExport {
  /** By name of the member. */
  readonly files: Map<string, Document>;

  constructor(files: Map<string, Document>) {
    this.files = files;
  }

  static async read(path: string): Promise<RegisterExport> {
    const files = new Map<string, Document>();
    const zip = await openPromise(path);
    for await (const entry of zip.eachEntry()) {
      const chunks: Buffer[] = [];
      for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
      files.set(entry.fileName, parse(Buffer.concat(chunks).toString('utf16le', 2)));
    }
    return new RegisterExport(files);
  }

  copy(): RegisterExport {
    return new RegisterExport(structuredClone(this.files));
  }

  /** The first part of a kind of file. */
  of(kind: string): Document {
    return this.files.get(`${kind}.xml`) ?? this.files.get(`${kind}_1.xml`) ?? missing(kind);
  }

  /** All documents whose kind begins so. */
  starting(kind: string): Document[] {
    return [...this.files].filter(([name]) => name.startsWith(kind)).map(([, document]) => document);
  }

  drop(kind: string): this {
    for (const name of [...this.files.keys()]) if (kindOf(name) === kind) this.files.delete(name);
    return this;
  }

  /** Renames a kind of file, its root and its records, from `Einheiten…` and `Einheit…`. */
  rename(kind: string, to: string, record: string): this {
    for (const [name, { records }] of [...this.files]) {
      if (kindOf(name) !== kind) continue;
      this.files.delete(name);
      this.files.set(name.replace(kind, to), { root: to, record, records });
    }
    return this;
  }

  /**
   * Keeps the first records of the files of units only, for tests in which the build itself counts, not what it holds.
   * The files that units refer to stay whole: a register that refers to nothing is not published.
   */
  shorten(count: number, ...except: readonly string[]): this {
    for (const [name, document] of this.files) {
      const kind = kindOf(name);
      const holdsUnits = kind.startsWith('Einheiten') && kind !== 'EinheitenGenehmigung';
      if (holdsUnits && !except.includes(kind)) document.records = document.records.slice(0, count);
    }
    return this;
  }

  zip(): Buffer {
    return zipOf(
      [...this.files].map(([name, document]) => ({
        name,
        content: asWritten(textOfDocument(document)),
        level: 1,
      })),
    );
  }

  /** Writes a zip named as the register names it. */
  write(folder: string, day: string, level = '26.1'): string {
    const path = join(folder, exportName(day, level));
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, this.zip());
    return path;
  }

  /** Writes the extracted files, encoded as UTF-8. */
  writeFolder(path: string): string {
    mkdirSync(path, { recursive: true });
    for (const [name, document] of this.files) writeFileSync(join(path, name), textOfDocument(document));
    return path;
  }
}

const kindOf = (name: string): string => name.replace(/(?:_[0-9]+)?\.xml$/, '');

function missing(kind: string): never {
  throw new Error(`The export has no file ${kind}`);
}

function parse(text: string): Document {
  const root = /^<\?[^>]*>\s*<(\w+)>/.exec(text)?.[1] ?? '';
  const record = new RegExp(`<${root}><(\\w+)>`).exec(text)?.[1] ?? '';
  const body = text.slice(text.indexOf(`<${root}>`) + root.length + 2, text.lastIndexOf(`</${root}>`));
  const records = record === '' ? [] : body.split(`</${record}>`).slice(0, -1);
  return {
    root,
    record,
    records: records.map((one) =>
      Object.fromEntries([...one.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, name, value]) => [name!, value!])),
    ),
  };
}

/** A file as the register encodes it. */
export const asWritten = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

export function textOfDocument({ root, record, records }: Document): string {
  const rows = records.map((row) => {
    const elements = Object.entries(row).map(([name, text]) => `<${name}>${text}</${name}>`);
    return `<${record}>${elements.join('')}</${record}>`;
  });
  return `<?xml version="1.0" encoding="UTF-16"?><${root}>${rows.join('')}</${root}>`;
}
