import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';

/** A municipality of the source that bears another key today, alone or merged with others. */
const keyChange = z.strictObject({
  from: z.string().regex(/^\d{8}$/),
  to: z.string().regex(/^\d{8}$/),
  name: z.string().min(1),
  since: z.iso.date(),
});
export type KeyChange = z.infer<typeof keyChange>;

export const KEY_CHANGES = new URL('../reference/boundaries/key-changes.csv', import.meta.url);

export function readKeyChanges(): KeyChange[] {
  return z.array(keyChange).parse(parse(readFileSync(KEY_CHANGES), { columns: true }));
}
