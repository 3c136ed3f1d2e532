import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashBasis } from '../../sql/warehouse/duckdb/columns.ts';
import type { Erasure } from '../../sql/warehouse/erasures.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { columnsOf, type WarehouseConnection } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';
import type { LoadedTenders } from '../tenders/loaded.ts';

/** Digests of all that a version is computed from besides the export: a night can only go on from a version that has the same. */

export type Basis = ReadonlyMap<string, string>;

const ROOT = new URL('../../', import.meta.url);

/** Folders of what computes a version. */
const PROGRAM = ['ingest', 'sql', 'data/reference'];

/** @param files the operator's tables by name; null where none is loaded */
export const basisOf = (
  { tenders, erasures }: { readonly tenders: LoadedTenders; readonly erasures: readonly Erasure[] },
  files: Readonly<Record<string, string | null>>,
  engineVersion: string,
): Basis =>
  new Map([
    ['programm', digestOf(engineVersion, ...PROGRAM.flatMap(filesBelow).map((path) => readFileSync(path)))],
    ['ausschreibungen', digestOf(JSON.stringify(tenders))],
    ['erasures', digestOf(JSON.stringify(erasures.map(({ nummer }) => nummer).sort()))],
    ...Object.entries(files).map(([name, path]): [string, string] => [
      name,
      path === null ? 'keine' : digestOf(readFileSync(path)),
    ]),
  ]);

function digestOf(...contents: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('hex').slice(0, 16);
}

const filesBelow = (folder: string): string[] =>
  readdirSync(fileURLToPath(new URL(folder, ROOT)), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();

export async function writeBasis(engine: WarehouseConnection, basis: Basis): Promise<void> {
  await engine.append('grundlagen', [...basis]);
}

/** The names of what is not as it was in the version attached as `previous_version`; `version` for one of an earlier release. */
export async function changedBasis(engine: WarehouseConnection, basis: Basis): Promise<string[]> {
  if ((await columnsOf(engine, 'previous_version', 'grundlagen')).size === 0) return ['version'];
  const { form } = firstRow(
    await engine.rows<{ form: string }>('SELECT hashBasis AS form FROM previous_version.dataset'),
  );
  if (form !== hashBasis(engine.engineVersion)) return ['version'];
  const rows = await engine.rows<{ name: string }>(
    `SELECT name FROM (VALUES ${[...basis].map((row) => `(${row.map(literal).join(', ')})`).join(', ')}) AS now (name, digest)
     ANTI JOIN previous_version.grundlagen USING (name, digest) ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}
