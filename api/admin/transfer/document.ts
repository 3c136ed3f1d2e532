import { z } from 'zod';
import { refuseFaults, shapeFaults } from '../common/document-faults.ts';
import { readJson } from '../common/read-json.ts';
import { organisationDefaults, organisationShape } from './organisation.ts';
import type { DocumentMembers, Section } from './section.ts';
import { SECTIONS } from './sections.ts';

/** An organisation with everything that belongs to it, as `export` writes and `import` reads it. */
export interface TransferDocument {
  readonly organisation: DocumentMembers;
  /** The sections that the document has. */
  readonly lists: readonly { readonly section: Section; readonly items: readonly DocumentMembers[] }[];
}

export const FORMAT = 1;

/** Makes the members with defaults optional, and the id, where there is one. */
function documentSchema({ shape }: z.ZodObject, defaults: object, idRequired = false): z.ZodObject {
  const names = [...(idRequired ? [] : ['id']), ...Object.keys(defaults)].filter((name) => name in shape);
  const optional = names.map((name) => [name, (shape[name] as z.ZodType).optional()]);
  return z.strictObject({ ...shape, ...Object.fromEntries(optional) });
}

const wholeSchema = z.strictObject({
  format: z.literal(FORMAT, `must be ${FORMAT}`),
  organisation: documentSchema(organisationShape, organisationDefaults('')),
  ...Object.fromEntries(
    SECTIONS.map(({ name, shape, defaults, idRequired }) => [
      name,
      z.array(documentSchema(shape, defaults(''), idRequired)).optional(),
    ]),
  ),
});

/** @throws CommandFailed listing every fault with its place */
export function readDocument(text: string): TransferDocument {
  const raw = readJson(text);
  const { data, error } = wholeSchema.safeParse(raw);
  if (error !== undefined) return refuseFaults(shapeFaults(error, raw, wholeSchema));
  const members: DocumentMembers = data;
  const lists = SECTIONS.flatMap((section) => {
    const items = members[section.name] as readonly DocumentMembers[] | undefined;
    return items === undefined ? [] : [{ section, items }];
  });
  return { organisation: data.organisation, lists };
}
