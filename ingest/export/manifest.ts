import { existsSync, readFileSync } from 'node:fs';
import { licensed, SOURCE, UNIT_CHANGES } from '../../sql/catalogue/licence.ts';
import { READABLE_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { type Dump, manifestShape } from '../../sql/warehouse/dumps.ts';

/** The manifest is the file next to a dump that marks it as complete and describes it. */

/**
 * The columns of every dump: name, kind, unit of measure, whether values may be added up, and meaning. A Parquet file has them in its
 * metadata, too.
 */
export const DESCRIBED_COLUMNS = READABLE_FIELDS.map(({ name, kind, unit, additive, meaning }) => ({
  name,
  kind,
  unit,
  additive,
  meaning,
}));

/** The text of a manifest: the dump, its licence and attribution, and its columns. */
export function manifestOf(dump: Dump): string {
  const about = { name: 'mastr_einheiten', ...dump, source: SOURCE, ...licensed(dump.asOf, UNIT_CHANGES) };
  const manifest = { ...about, columns: DESCRIBED_COLUMNS };
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
