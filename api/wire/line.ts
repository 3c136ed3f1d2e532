import { z } from 'zod';

/** Names and other lines of text that people write: on the command line, in documents and in bodies. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** One line of text. */
export const line = (most: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(most, `must not be longer than ${most} characters`)
    .refine(
      (text) => !CONTROL.test(text) && text.isWellFormed(),
      'must be one line of Unicode, without control characters',
    )
    .refine((text) => text === text.trim(), 'must not begin or end with blanks');

export const NAME_LENGTH = 200;
