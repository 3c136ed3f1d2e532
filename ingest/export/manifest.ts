import { existsSync, readFileSync } from 'node:fs';
import type { UnitField } from '../../sql/catalogue/field.ts';
import { licensed, SOURCE, UNIT_CHANGES } from '../../sql/catalogue/licence.ts';
import { READABLE_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { CHANGE_FIELDS } from '../../sql/warehouse/duckdb/dump-changes.ts';
import { type Dump, manifestShape } from '../../sql/warehouse/dumps.ts';

/** The manifest is the file next to a dump that marks it as complete and describes it. */

/**
 * The columns of a dump: name, kind, unit of measure, whether values may be added up, and meaning. A Parquet file has them in its
 * metadata, too.
 */
export const describedColumns = (fields: readonly UnitField[]) =>
  fields.map(({ name, kind, unit, additive, meaning }) => ({ name, kind, unit, additive, meaning }));

/** The text of a manifest: the dump, its licence and attribution, and its columns. */
export function manifestOf(dump: Dump): string {
  const about = { ...dump, source: SOURCE, ...licensed(dump.asOf, UNIT_CHANGES) };
  const fields = dump.name === 'mastr_aenderungen' ? CHANGE_FIELDS : READABLE_FIELDS;
  const manifest = { ...about, columns: describedColumns(fields) };
  return `${JSON.stringify(manifest, null, 1)}\n`;
}

/** The dump that a manifest describes; null when there is none, or the file is not a manifest of ours. */
export function readManifest(path: string): Dump | null {
  if (!existsSync(path)) return null;
  try {
    return manifestShape.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
