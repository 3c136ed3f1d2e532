import { z } from 'zod';
import type { FaultLocation } from '../problem/problem.ts';
import {
  booleanParameter,
  calendarDay,
  decimal,
  fault,
  ILL_FORMED,
  isStorable,
  type ListRules,
  listMeaning,
  listParameter,
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
  /** In a query comma-separated; order and repetitions do not count. */
  list(rules?: ListRules): z.ZodType<readonly string[]>;
  /**
   * A value of JSON: in a query its text.
   * @param read returns what the value stands for, or says what is wrong
   * @param meaning of the value
   */
  json(
    form: string,
    read: (value: unknown) => string | { readonly fault: string },
    meaning: z.core.JSONSchema.BaseSchema,
  ): z.ZodType<string>;
  /** Locates a parameter, for the violations of a problem. */
  location(name: string): FaultLocation;
}

export const queryNotation: Notation = {
  text,
  wholeNumber,
  decimal,
  calendarDay,
  flag: booleanParameter,
  list: listParameter,
  json: (form, read) =>
    z.string(form).transform((text, context) => {
      try {
        return orFault(read(JSON.parse(text)), context);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        return orFault({ fault: form }, context);
      }
    }),
  location: (parameter) => ({ parameter }),
};

export const bodyNotation: Notation = {
  text: (most) => text(most).refine(isStorable, ILL_FORMED),
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
      // Not an array of texts: zod would check each of them before they are found to be too many.
      .unknown()
      .transform((items, context): readonly string[] => {
        if (Array.isArray(items) && items.length > 0) return listValues(items, rules, context);
        context.issues.push(
          fault('INVALID_BODY', Array.isArray(items) ? 'must not be empty' : 'must be an array of texts'),
        );
        return z.NEVER;
      })
      .register(MEANINGS, listMeaning(rules)),
  json: (_, read, meaning) =>
    z
      .unknown()
      .transform((value, context) => orFault(read(value), context))
      .register(MEANINGS, meaning),
  location: (name) => ({ pointer: `#/${name}` }),
};

function orFault(read: string | { readonly fault: string }, context: z.RefinementCtx): string {
  if (typeof read === 'string') return read;
  context.issues.push(fault('INVALID_PARAMETER', read.fault));
  return z.NEVER;
}
