import { z } from 'zod';
import type { Place } from '../problem/problem.ts';
import {
  calendarDay,
  decimal,
  flag,
  type ListRules,
  list,
  listMeaning,
  listValues,
  MEANINGS,
  plainDecimal,
  text,
  wholeNumber,
} from './parameters.ts';

/**
 * The same question in two notations: in a query every value is text, in a JSON body it has its own type. A schema that
 * is written once over a notation takes the same values from both.
 */
export interface Notation {
  /** @param most characters */
  text(most?: number): z.ZodType<string>;
  wholeNumber(min: number, max: number): z.ZodType<number>;
  decimal(): z.ZodType<number>;
  calendarDay(): z.ZodType<string>;
  flag(): z.ZodType<boolean>;
  /** In a query comma-separated; a value that is given twice counts once. */
  list(rules?: ListRules): z.ZodType<readonly string[]>;
  /** Where a parameter stands, for the violations of a problem. */
  place(name: string): Place;
}

export const queryNotation: Notation = {
  text,
  wholeNumber,
  decimal,
  calendarDay,
  flag,
  list,
  place: (parameter) => ({ parameter }),
};

const isWellFormed = (value: string): boolean => value.isWellFormed() && !value.includes('\0');
const ILL_FORMED = 'must be well-formed Unicode without NUL';

export const bodyNotation: Notation = {
  text: (most) => text(most).refine(isWellFormed, ILL_FORMED),
  wholeNumber: (min, max) =>
    z
      .number(`must be a whole number from ${min} to ${max}`)
      .refine((value) => Number.isInteger(value) && value >= min && value <= max, {
        error: `must be a whole number from ${min} to ${max}`,
      })
      .register(MEANINGS, { type: 'integer', minimum: min, maximum: max }),
  decimal: () =>
    z
      .number('must be a number such as 750 or 0.6')
      .refine((value) => plainDecimal(value) !== null, 'must have at most 15 digits before and behind the point'),
  calendarDay,
  flag: () => z.boolean('must be true or false'),
  list: (rules = {}) =>
    z
      .array(text().refine(isWellFormed, ILL_FORMED), 'must be an array of texts')
      .min(1, 'must not be empty')
      .transform((items, context) => listValues(items, rules, context))
      .register(MEANINGS, listMeaning(rules)),
  place: (name) => ({ pointer: `#/${name}` }),
};
