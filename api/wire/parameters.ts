import { z } from 'zod';
import { isMastrNumber, MASTR_NUMBER } from '../../sql/register/mastr-number.ts';
import type { Code } from '../problem/codes.ts';
import { inputSchema } from './input-schema.ts';
import { quoted } from './quoted.ts';

/**
 * Splits a list parameter at its commas. An item that holds a comma is quoted as in CSV, a quote inside it doubled:
 * `"Abfall, fest",Erdgas`. A blank is part of its item, as it is in the array of a body.
 * @returns the items, or a sentence that says what is wrong
 */
export function splitList(text: string): readonly string[] | { readonly fault: string } {
  const items: string[] = [];
  let rest = text;
  while (true) {
    const match = ITEM.exec(rest);
    if (match === null) return { fault: 'has a quote that is not closed, or text beside a quoted value' };
    const item = match[1]?.replaceAll('""', '"') ?? match[2] ?? '';
    if (item === '') return { fault: 'has an empty value' };
    items.push(item);
    rest = rest.slice(match[0].length);
    if (rest === '') return items;
    rest = rest.slice(1);
  }
}

/** A quoted or a plain item, up to the next comma or the end. A blank before a quote is taken for a mistake. */
const ITEM = /^(?:"((?:[^"]|"")*)"|(?!\s*")([^,]*))(?=,|$)/;

/** Writes a list parameter, as `splitList` reads it: an item with a comma or a quote is quoted. */
export const joinList = (items: readonly string[]): string => items.map(quotedItem).join(',');

const quotedItem = (item: string): string => (/[",]/.test(item) ? `"${item.replaceAll('"', '""')}"` : item);

/**
 * The kinds of parameter in a query: text in, a checked value out. Each message completes "limit …". Each kind that is
 * more than text registers in MEANINGS what its text stands for.
 */

/** The meaning of a parameter's text as JSON Schema, for the documentation. */
export const MEANINGS = z.registry<z.core.JSONSchema.BaseSchema>();

/** The `params` of an issue that `fault` makes. */
export interface FaultParams {
  readonly code: Code;
  /**
   * An unknown name, and the names that may have been meant: the nearest is looked for only when the fault is reported.
   */
  readonly meant?: { readonly name: string; readonly among: readonly string[] } | undefined;
}

/** Makes an issue with a code of its own instead of INVALID_PARAMETER. */
export function fault(code: Code, message: string, path: PropertyKey[] = [], meant?: FaultParams['meant']) {
  return { code: 'custom' as const, message, path, params: { code, meant } satisfies FaultParams, input: undefined };
}

/** The message for a value that has not the form, or is missing where there must be one. */
export const requirement =
  (form: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    input === undefined ? `is required and ${form}` : form;

/** Makes zod check a rule between parameters even when another one has a fault, but only where there are parameters. */
export const always = { when: ({ value }: z.core.ParsePayload) => typeof value === 'object' && value !== null };

export const text = (most?: number) => {
  const some = z.string('must be a text').min(1, 'must not be empty');
  return most === undefined ? some : some.max(most, `must have at most ${most} characters`);
};

/** A whole number in plain digits. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((number) => number >= min && number <= max, `must be a whole number from ${min} to ${max}`)
    .register(MEANINGS, { type: 'integer', minimum: min, maximum: max });

const DECIMAL = /^-?[0-9]{1,15}(\.[0-9]{1,15})?$/;

/** A decimal number in plain digits with a point: no exponent, no grouping. */
export const decimal = () =>
  z
    .string()
    .regex(DECIMAL, 'must be a decimal number such as 750 or 0.6')
    .transform(Number)
    .register(MEANINGS, { type: 'number' });

/**
 * The first number with more digits before the point than `decimal` takes; what rounds to it is written as MAX_DECIMAL.
 */
const TOO_GREAT = 1e15;
const MAX_DECIMAL = '999999999999999.999';

/** Writes the number as `decimal` takes it; null when it has too many digits for that. */
export function plainDecimal(value: number): string | null {
  if (Math.abs(value) === TOO_GREAT) return `${value < 0 ? '-' : ''}${MAX_DECIMAL}`;
  const digits = value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 15 });
  return DECIMAL.test(digits) && Number(digits) === value ? digits : null;
}

/** A day that exists, YYYY-MM-DD. */
export const calendarDay = () => z.iso.date('must be a calendar day YYYY-MM-DD');

export const booleanParameter = () =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .transform((word) => word === 'true')
    .register(MEANINGS, { type: 'boolean' });

export const oneWord = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, {
    error: requirement(`must be one of ${words.join(', ')}`),
  });

/** A number as the register gives them: three letters, twelve digits. */
export function mastrNumber() {
  const expected = 'must be a MaStR number: three capital letters and twelve digits';
  return z.string({ error: requirement(expected) }).regex(new RegExp(`^${MASTR_NUMBER}$`), expected);
}

export interface ListRules {
  /** The permitted values; every other one is a fault. */
  readonly closed?: readonly string[];
  /** The code of that fault. Default: INVALID_PARAMETER. */
  readonly unknown?: Code;
  /** Each value must be a MaStR number. */
  readonly numbers?: boolean;
  /** Each value must be a whole number. */
  readonly integers?: boolean;
  readonly most?: number;
}

/** A comma-separated list: a set, whose order and repetitions do not count. */
export const listParameter = (rules: ListRules = {}) =>
  z
    .string()
    .transform((raw, context): readonly string[] => {
      const items = splitList(raw);
      if (!('fault' in items)) return listValues(items, rules, context);
      context.issues.push(fault('INVALID_PARAMETER', items.fault));
      return z.NEVER;
    })
    .register(MEANINGS, listMeaning(rules));

/** It ends a value of a parameter whose values may have commas, so that each comes with the name again. No text of the register has it. */
const END_OF_VALUE = '\u001f';

/** Parameters whose values are not separated by commas. */
const REPEATED = z.registry<{ readonly separator: string }>();

/** A text, or several which come each with the name again: a comma is part of its value. Each once, in their order. */
export const repeatedText = (most: number) =>
  z
    .string()
    .transform((raw, context): readonly string[] => {
      const values = [...new Set(raw.split(END_OF_VALUE))];
      if (values.length <= most) return values;
      context.issues.push(fault('TOO_MANY_VALUES', `has ${values.length} values; at most ${most} are allowed`));
      return z.NEVER;
    })
    .register(MEANINGS, { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: most })
    .register(REPEATED, { separator: END_OF_VALUE });

/** What stands between the values of a parameter that may have several; null for any other. */
export function separatorOf(schema: z.core.$ZodType): string | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return separatorOf(schema.unwrap());
  // A schema that was described anew has what the one before is registered with.
  const repeated = REPEATED.get(schema);
  if (repeated !== undefined) return repeated.separator;
  if (MEANINGS.get(schema)?.type === 'array') return ',';
  return schema instanceof z.ZodPipe ? separatorOf(schema.in) : null;
}

/** Postgres cannot keep a text with NUL or half of a surrogate pair. */
export const isStorable = (value: string): boolean => value.isWellFormed() && !value.includes('\0');

export const ILL_FORMED = 'must be well-formed Unicode without NUL';

/** Values that a list takes unless it declares otherwise. */
const MAX_VALUES = 500;

/**
 * Gives the values of a list, each once and in one order, so that equal sets are equal; their faults go to the context,
 * at the index of the item. When there are too many, none is checked.
 */
export function listValues(
  items: readonly unknown[],
  { closed, unknown = 'INVALID_PARAMETER', numbers, integers, most = MAX_VALUES }: ListRules,
  context: z.core.ParsePayload,
): readonly string[] {
  const indexes = new Map<unknown, number>();
  for (const [index, item] of items.entries()) if (!indexes.has(item)) indexes.set(item, index);
  if (indexes.size > most) {
    context.issues.push(fault('TOO_MANY_VALUES', `has ${indexes.size} values; at most ${most} are allowed`));
    return [];
  }
  const values: string[] = [];
  for (const [value, index] of indexes) {
    const wrong = (message: string, code: Code = 'INVALID_PARAMETER', meant?: FaultParams['meant']) =>
      context.issues.push(fault(code, message, [index], meant));
    if (typeof value !== 'string') wrong('must be a text', 'INVALID_BODY');
    else if (value === '') wrong('must not be empty', 'INVALID_BODY');
    else if (!isStorable(value)) wrong(ILL_FORMED);
    else if (numbers === true && !isMastrNumber(value)) wrong(`has ${quoted(value)}, which is no MaStR number`);
    else if (integers === true && !INTEGER.test(value)) wrong(`has ${quoted(value)}, which is no whole number`);
    else if (closed !== undefined && !closed.includes(value)) {
      wrong(`has ${quoted(value)}; it takes ${closed.join(', ')}`, unknown, { name: value, among: closed });
    } else values.push(value);
  }
  return values.sort();
}

const INTEGER = /^[0-9]+$/;

export const listMeaning = ({
  closed,
  numbers,
  integers,
  most = MAX_VALUES,
}: ListRules): z.core.JSONSchema.BaseSchema => ({
  type: 'array',
  items: {
    type: 'string',
    ...(closed === undefined ? {} : { enum: [...closed] }),
    ...(numbers === true ? { pattern: `^${MASTR_NUMBER}$` } : {}),
    ...(integers === true ? { pattern: INTEGER.source } : {}),
  },
  minItems: 1,
  maxItems: most,
});

/** The parameter of every replayable operation. */
export const dryRunParameter = booleanParameter()
  .optional()
  .describe('true: everything is checked and answered as if it were done, and nothing is changed');

/** RFC 3339 with an offset, as it comes: `2026-11-01T00:00:00Z`. */
const TIMESTAMP = z.iso.datetime({ offset: true });

/** A moment with its offset. */
export const timestamp = () =>
  z.iso.datetime({
    offset: true,
    error: 'must be a time of a day such as 2026-11-01T00:00:00Z; the + of an offset is written %2B in a query',
  });

/** A day that exists, or a moment with its offset. */
export const dayOrTimestamp = () =>
  z.union([z.iso.date(), TIMESTAMP], 'must be a calendar day YYYY-MM-DD or a timestamp such as 2026-11-01T00:00:00Z');

/** A text in a body that the store keeps. */
export const bodyText = (most: number) =>
  z
    .string({ error: requirement('must be a text') })
    .max(most, `must have at most ${most} characters`)
    .refine(isStorable, ILL_FORMED);

/**
 * A text that people write and read, in a body: with something to see in it, and at most so many characters. Characters
 * are code points, as JSON Schema and the store count them, so an emoji counts once and not as two UTF-16 units.
 */
export const writtenText = (most: number) =>
  z
    .string({ error: requirement('must be a text') })
    .refine((value) => !exceeds(value, most), `must have at most ${most} characters`)
    .refine(isStorable, ILL_FORMED)
    .refine((value) => VISIBLE.test(value), 'must have a character that can be seen')
    .meta({ minLength: 1, maxLength: most });

/** Anything but blanks, line breaks, control and format characters. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}]/u;

/** Counts no further than it must: most texts are decided by their length in UTF-16 units. */
function exceeds(value: string, most: number): boolean {
  if (value.length <= most) return false;
  return value.length > 2 * most || [...value].length > most;
}

/** An array in a body. One that is too long is refused before its items are looked at. */
export const bodyList = <Item extends z.ZodType>(item: Item, most: number) =>
  z
    .unknown()
    .transform((sent, context): unknown => {
      if (Array.isArray(sent) && sent.length <= most) return sent;
      context.issues.push(
        Array.isArray(sent)
          ? fault('TOO_MANY_VALUES', `has ${sent.length} values; at most ${most} are allowed`)
          : fault('INVALID_BODY', requirement('must be an array')({ input: sent })),
      );
      return z.NEVER;
    })
    .pipe(z.array(item))
    .meta({ type: 'array', items: inputSchema(item), maxItems: most });
