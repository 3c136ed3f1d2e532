import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { currentPublication, versionFile } from '../../../sql/warehouse/versions.ts';
import { filesIn, readFolder } from '../support/files.ts';
import { NotMeasurable } from '../support/place.ts';
import { buildExport, generatedExport, note, ROOT } from '../support/register.ts';

/** The dataset version that is measured. */
export interface MeasuredVersion {
  readonly warehouse: string;
  readonly id: string;
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
  const code = digestOf(BUILDING_CODE, LOADING_CODE);
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== code) {
    const source = await generatedExport(units, cache);
    note(`Building a version of ${units} units into ${state}; later runs use it again while the code is the same`);
    rmSync(state, { recursive: true, force: true });
    await buildExport(source, state);
    writeFileSync(mark, code);
  }
  return servedVersion(join(state, 'warehouse'));
}

/** The version that a warehouse folder serves, whatever built it. @throws NotMeasurable when it serves none */
export function servedVersion(folder: string): MeasuredVersion {
  const warehouse = resolve(folder);
  const publication = currentPublication(warehouse);
  if (publication === null) throw new NotMeasurable(`${warehouse} has no published version`);
  const { version: id, exportDay } = publication;
  return { warehouse, id, file: versionFile(warehouse, id), day: exportDay };
}

/** Reads all of a version once, so that no question waits for the disk. */
export const readThrough = ({ file }: MeasuredVersion): Promise<void> => readFolder(dirname(file));

/** The paths on which a version depends besides its export. */
const BUILDING_CODE = ['ingest', 'sql/catalogue', 'sql/query', 'sql/register', 'sql/warehouse'];

/** The paths among them that matter only after a version is built. */
const LOADING_CODE = /^(ingest\/(load|published)|sql\/warehouse\/clickhouse)\//;

/** Returns a digest of the files in these folders of the project, without paths that `except` matches. */
export function digestOf(folders: readonly string[], except = /^$/): string {
  const digest = createHash('sha256');
  for (const path of folders.flatMap((folder) => filesIn(join(ROOT, folder)))) {
    const name = relative(ROOT, path);
    if (!except.test(name)) digest.update(name).update(readFileSync(path));
  }
  return digest.digest('hex');
}
