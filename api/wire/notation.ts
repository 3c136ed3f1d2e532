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
  location: (name) => ({ pointer: `#/${name}` }),
};
