import { z } from 'zod';
import { DAY_PRECISIONS, type FieldValue } from '../../sql/org/records/custom-field-values.ts';
import { type CustomFieldRow, VALUE_TYPES } from '../../sql/org/records/custom-fields.ts';
import { bodyText, calendarDay } from '../wire/parameters.ts';
import { quoted } from '../wire/quoted.ts';

/** The rules for values of custom fields: of PUT, of answers to partners and of imported documents. */

const MAX_TEXT = 500;
const MAX_LONG_TEXT = 10_000;
const MAX_URL = 2_000;

/** The members that carry a value. Exactly one fits the type of the field; without any, the input is empty. */
export const valueSlots = {
  text: bodyText(MAX_LONG_TEXT)
    .nullish()
    .describe(
      `Value of a field of type TEXT (one line, at most ${MAX_TEXT} characters), LONG_TEXT (at most ${MAX_LONG_TEXT}), ` +
        `DROPDOWN (exactly one of auswahlwerte) or URL (http or https, at most ${MAX_URL})`,
    ),
  zahl: z.number('must be a number').nullish().describe('Value of a field of type NUMBER'),
  datum: calendarDay()
    .refine((day) => !day.startsWith('0000'), 'must not lie before the year 1')
    .nullish()
    .describe('Value of a field of type DATE, calendar day'),
  datumsgenauigkeit: z
    .enum(DAY_PRECISIONS, `must be one of ${DAY_PRECISIONS.join(', ')}`)
    .nullish()
    .describe('Of `datum`, default DAY. With MONTH, the day is set to the first of the month'),
};

const inputShape = z.strictObject(valueSlots);

export type ValueInput = z.output<typeof inputShape>;

/** The properties of a field that the rules depend on. */
export type ValueField = Pick<CustomFieldRow, 'name' | 'type' | 'multiple' | 'choices'>;

const EMPTY: FieldValue = { text: null, number: null, day: null, dayPrecision: null };

/** The slot of each type. */
const SLOTS = {
  TEXT: 'text',
  LONG_TEXT: 'text',
  DROPDOWN: 'text',
  URL: 'text',
  NUMBER: 'zahl',
  DATE: 'datum',
} as const;

const isSet = (slot: unknown): boolean => slot !== undefined && slot !== null && slot !== '';

/** Reads one input. @returns null when it is empty, which clears a field; a text says what is wrong */
export function readValue(field: ValueField, input: ValueInput): FieldValue | null | string {
  const type = VALUE_TYPES.find((name) => name === field.type);
  if (type === undefined) return `${quoted(field.name)} is a field of type ${field.type}, which has no values here`;
  const used = (['text', 'zahl', 'datum'] as const).filter((slot) => isSet(input[slot]));
  if (used.length === 0) return null;
  const slot = SLOTS[type];
  if (used.length > 1 || used[0] !== slot) {
    return `${quoted(field.name)} is a field of type ${type}: its value goes into ${slot}, and nothing into ${used.filter((name) => name !== slot).join(', ')}`;
  }
  if (slot === 'zahl') return { ...EMPTY, number: input.zahl ?? null };
  if (slot === 'datum') return dayValue(String(input.datum), input.datumsgenauigkeit ?? 'DAY');
  const text = String(input.text);
  return textFault(type, field, text) ?? { ...EMPTY, text };
}

/** @param day `YYYY-MM-DD` */
export const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;

const dayValue = (day: string, dayPrecision: 'DAY' | 'MONTH'): FieldValue => ({
  ...EMPTY,
  day: dayPrecision === 'MONTH' ? firstOfMonth(day) : day,
  dayPrecision,
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const BREAK = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

function textFault(type: CustomFieldRow['type'], { choices }: ValueField, text: string): string | null {
  if (type === 'DROPDOWN') return choices.includes(text) ? null : notAChoice(text, choices);
  if (text.trim() === '') return 'text must not be blank; an empty one clears the field';
  if (type === 'URL')
    return isWebAddress(text)
      ? null
      : `text must be an address that begins with https:// or http://, at most ${MAX_URL} characters`;
  if (type === 'LONG_TEXT') return null;
  if (text.length > MAX_TEXT) return `text must have at most ${MAX_TEXT} characters`;
  return BREAK.test(text) ? 'text must be one line; a field of type LONG_TEXT takes several' : null;
}

/** Options that a message lists. */
const MAX_LISTED = 10;

/** The options are quoted, since one may have a comma or begin with a blank. */
function notAChoice(text: string, choices: readonly string[]): string {
  const listed = choices.slice(0, MAX_LISTED).map(quoted).join(', ');
  const more = choices.length > MAX_LISTED ? ` and ${choices.length - MAX_LISTED} more` : '';
  return `text has ${quoted(text)}; it takes ${listed}${more}`;
}

const isWebAddress = (text: string): boolean =>
  text.length <= MAX_URL && /^https?:\/\/[^\s]+$/i.test(text) && !BREAK.test(text) && URL.canParse(text);

/** The values of a field in their order; or, for each input, what is wrong with it (null: nothing by itself). */
export type ReadValues = { readonly values: readonly FieldValue[] } | { readonly faults: readonly (string | null)[] };

/** Reads all inputs of one field, which hold together or fail together. Empty ones have no place among the values. */
export function readValues(field: ValueField, inputs: readonly ValueInput[]): ReadValues {
  const values: FieldValue[] = [];
  const faults = inputs.map((input): string | null => {
    const value = readValue(field, input);
    if (value === null || typeof value === 'string') return value;
    values.push(value);
    return values.length === 1 || field.multiple ? null : `${quoted(field.name)} takes one value, and this is another`;
  });
  return faults.every((fault) => fault === null) ? { values } : { faults };
}
