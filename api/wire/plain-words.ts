import type { z } from 'zod';

/**
 * The message of an issue whose schema has none of its own: what zod would say speaks of types of the program and of
 * "input", which callers do not know. Like the messages of the schemas it completes "entries …". The steps that check a
 * request pass it to zod, so that no schema can forget it.
 */
export const plainWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${KINDS[issue.expected] ?? 'of another type'}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unit(issue.origin)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return 'has members that are not known here';
    default:
      return 'does not have the form that is described';
  }
};

/** The types of JSON, and whole numbers, as the schemas name them. */
export const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const UNITS: Readonly<Record<string, string>> = {
  string: ' characters long',
  array: ' items long',
  record: ' members long',
};

const unit = (origin: string): string => UNITS[origin] ?? '';
