import { existsSync, readFileSync } from 'node:fs';
import { licensed, SOURCE, UNIT_CHANGES } from '../../sql/catalogue/licence.ts';
import { READABLE_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { type Dump, manifestShape } from '../../sql/warehouse/dumps.ts';

/** The manifest is the file next to a dump that marks it as complete and describes it. */

/** The text of a manifest: the dump, its licence and attribution, and its columns. */
export function manifestOf(dump: Dump): string {
  const columns = READABLE_FIELDS.map(({ name, kind, unit, meaning }) => ({ name, kind, unit, meaning }));
  const about = { name: 'mastr_einheiten', ...dump, source: SOURCE, ...licensed(dump.asOf, UNIT_CHANGES), columns };
  return `${JSON.stringify(about, null, 1)}\n`;
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
