import { z } from 'zod';
import { refused } from '../../../runtime/command-line/exit.ts';
import { refuseFaults, shapeFaults } from './faults.ts';
import { organisationDefaults, organisationShape } from './organisation.ts';
import type { Section } from './section.ts';
import { SECTIONS } from './sections.ts';

/** One organisation with everything: what `export` writes and `import` takes. */
export interface TransferDocument {
  readonly organisation: Given;
  /** Those that the document has. */
  readonly lists: readonly { readonly section: Section; readonly items: readonly Given[] }[];
}

/** Members as a document says them; those that may be left out may be missing. */
export type Given = Readonly<Record<string, unknown>>;

export const FORMAT = 1;

/** The shape of something in a document: its id, and what has a default, may be left out. */
function inDocument({ shape }: z.ZodObject, defaults: object): z.ZodObject {
  const names = ['id', ...Object.keys(defaults)];
  const optional = names.map((name) => [name, (shape[name] as z.ZodType).optional()]);
  return z.strictObject({ ...shape, ...Object.fromEntries(optional) });
}

const documentShape = z.strictObject({
  format: z.literal(FORMAT, `must be ${FORMAT}`),
  organisation: inDocument(organisationShape, organisationDefaults('')),
  ...Object.fromEntries(
    SECTIONS.map(({ name, shape, defaults }) => [name, z.array(inDocument(shape, defaults(''))).optional()]),
  ),
});

/** Reads a document. @throws CommandFailed with every fault and its place */
export function readDocument(text: string): TransferDocument {
  const raw = readJson(text);
  const { data, error } = documentShape.safeParse(raw);
  if (error !== undefined) return refuseFaults(shapeFaults(error, raw, documentShape));
  const members: Given = data;
  const lists = SECTIONS.flatMap((section) => {
    const items = members[section.name] as readonly Given[] | undefined;
    return items === undefined ? [] : [{ section, items }];
  });
  return { organisation: data.organisation, lists };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text, (name, value) => {
      // It would not become a member like any other, and be lost without a word.
      if (name === '__proto__') throw new SyntaxError('it has a member "__proto__"');
      return value;
    });
  } catch (error) {
    throw refused(`The document is no JSON that can be taken in: ${(error as Error).message}`);
  }
}
