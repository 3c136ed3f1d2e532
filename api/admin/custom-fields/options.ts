import { z } from 'zod';
import { choiceList } from '../../custom-fields/rules.ts';
import { splitList } from '../../wire/parameters.ts';

/** Values of options that several commands of fields have. */

/** The values of a DROPDOWN, in their order; one with a comma is quoted as in CSV. */
export const choicesOption = () =>
  z
    .string()
    .transform((text, context): readonly string[] => {
      const items = splitList(text);
      if (!('fault' in items)) return items;
      context.issues.push({ code: 'custom', message: items.fault, input: text });
      return z.NEVER;
    })
    .pipe(choiceList());

export const yesOrNo = () => z.enum(['yes', 'no'], 'must be yes or no').transform((word) => word === 'yes');
