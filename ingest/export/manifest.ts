import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { licensed, SOURCE, UNIT_CHANGES } from '../../sql/catalogue/licence.ts';
import { READABLE_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { FORMATS } from './format.ts';

/** The manifest is the file next to a dump that marks it as complete and describes it. */

const manifestShape = z.object({
  /** The dataset as GET /v1/datasets names it. */
  name: z.literal('mastr_einheiten'),
  version: z.string(),
  /** Day of the export, YYYY-MM-DD. */
  asOf: z.iso.date(),
  /** The day from which delays of planned units are computed. */
  today: z.iso.date(),
  rows: z.int(),
  format: z.enum(FORMATS),
  files: z.array(z.object({ name: z.string(), bytes: z.int(), sha256: z.string() })),
});

export type Dump = Omit<z.infer<typeof manifestShape>, 'name'>;

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
