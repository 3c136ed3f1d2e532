import { z } from 'zod';
import { argument, option } from '../../../runtime/command-line/parameter.ts';
import { isUuid } from '../../../sql/org/organisations.ts';
import { CATEGORIES } from '../../../sql/org/records/mailboxes.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { listParameter } from '../../wire/parameters.ts';
import { namesOf } from '../common/schemas.ts';

/** Parameters that several commands of mailboxes have. */

/** It must not look like a UUID, since commands accept both. */
export const mailboxName = () =>
  line(NAME_LENGTH).refine((name) => !isUuid(name), 'must not look like a UUID: those are given by the service');

export const mailboxArgument = argument('its name or its UUID', z.string().min(1, 'must not be empty'));

export const usersOption = option(
  '<users>',
  'who works with it: external ids, comma-separated; or none',
  listOrNone(listParameter()).optional(),
);

export const categoriesOption = option(
  '<names>',
  `the categories it takes: any of ${CATEGORIES.join(', ')}, comma-separated; or all, or none`,
  listOrNone(namesOf(CATEGORIES).pipe(z.array(z.enum(CATEGORIES)))).optional(),
);

/** `none` is an empty list; everything else is for the schema. */
function listOrNone<Item>(schema: z.ZodType<readonly Item[], string>): z.ZodType<readonly Item[], string> {
  return z.string().transform((text, context): readonly Item[] => {
    if (text === 'none') return [];
    const { data, error } = schema.safeParse(text);
    if (error === undefined) return data;
    context.issues.push(...(error.issues as typeof context.issues));
    return z.NEVER;
  });
}
