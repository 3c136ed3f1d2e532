import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { currentPublication, versionFile } from '../../../sql/warehouse/versions.ts';
import { buildExport, generatedExport, note, ROOT } from '../register.ts';

/** The dataset version that is measured. */
export interface MeasuredVersion {
  readonly warehouse: string;
  /** Its database file. */
  readonly file: string;
  /** Day of its export, YYYY-MM-DD: counts as today. */
  readonly day: string;
}

/**
 * A version of a generated register of this size, made once and kept. It is made anew when the code that builds versions
 * has changed since, as an older one may lack tables.
 */
export async function madeVersion(units: number, cache: string): Promise<MeasuredVersion> {
  const state = resolve(cache, `queries-${units}`);
  const mark = join(state, 'built-by.txt');
  const code = digestOf(BUILDING_CODE);
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== code) {
    const source = await generatedExport(units, cache);
    note(`Building a version of ${units} units into ${state}; later runs use it again while the code is the same`);
    rmSync(state, { recursive: true, force: true });
    await buildExport(source, state);
    writeFileSync(mark, code);
  }
  return servedVersion(join(state, 'warehouse'));
}

/** The version that a warehouse folder serves, whatever built it. @throws Error when it serves none */
export function servedVersion(folder: string): MeasuredVersion {
  const warehouse = resolve(folder);
  const publication = currentPublication(warehouse);
  if (publication === null) throw new Error(`${warehouse} has no published version`);
  return { warehouse, file: versionFile(warehouse, publication.version), day: publication.exportDay };
}

/** Reads all of a version once, so that no question waits for the disk. */
export async function readThrough({ file }: MeasuredVersion): Promise<void> {
  const folder = dirname(file);
  const device = createWriteStream('/dev/null');
  for (const name of readdirSync(folder)) {
    await pipeline(createReadStream(join(folder, name), { highWaterMark: 1 << 20 }), device, { end: false });
  }
  device.end();
}

/** What a version depends on besides its export. */
const BUILDING_CODE = ['ingest', 'sql/catalogue', 'sql/query', 'sql/register', 'sql/warehouse'];

function digestOf(folders: readonly string[]): string {
  const digest = createHash('sha256');
  for (const folder of folders) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }).sort(byPath)) {
      if (entry.isFile()) digest.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)));
    }
  }
  return digest.digest('hex');
}

const byPath = (a: { parentPath: string; name: string }, b: { parentPath: string; name: string }): number =>
  join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1;
