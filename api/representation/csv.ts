import { type CsvDialect, FORMULA, NEEDS_QUOTES } from '../../runtime/csv-dialect.ts';
import { joinList } from '../wire/parameters.ts';

/** Records of CSV (RFC 4180), in the dialect that the caller reads. */

export const CSV = 'text/csv';

/** Writes records, each with its line break. */
export const csvText = (records: readonly (readonly unknown[])[], dialect: CsvDialect): string =>
  dialect.mark + records.map((values) => `${record(values, dialect)}\r\n`).join('');

function record(values: readonly unknown[], dialect: CsvDialect): string {
  const line = values.map((value) => cell(value, dialect)).join(dialect.separator);
  // Readers skip an empty line, so a record with one missing value would be lost.
  return line === '' ? '""' : line;
}

/** Writes a value as it stands in JSON: a missing value is an empty cell, a list its items with commas between them. */
function cell(value: unknown, dialect: CsvDialect): string {
  switch (typeof value) {
    case 'number':
      return String(value).replace('.', dialect.decimalPoint);
    case 'boolean':
      return String(value);
    case 'string':
      return textCell(value);
    default:
      return value === null || value === undefined ? '' : textCell(textOf(value));
  }
}

/** Writes a list of texts as in a query, and any other list or object as JSON. */
export const textOf = (value: object): string => (isListOfTexts(value) ? joinList(value) : JSON.stringify(value));

const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const formula = new RegExp(FORMULA);
const needsQuotes = new RegExp(NEEDS_QUOTES);

function textCell(text: string): string {
  const harmless = formula.test(text) ? `'${text}` : text;
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
