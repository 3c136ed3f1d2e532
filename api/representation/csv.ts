import { joinList } from '../wire/list.ts';

/** Records of CSV (RFC 4180), in the dialect that the caller reads. */

export const CSV = 'text/csv';

/** `excel`: as Excel with German settings opens a file by a double click. */
export const DIALECT_NAMES = ['excel'] as const;

export interface CsvDialect {
  /** Precedes the first record. */
  readonly mark: string;
  readonly separator: string;
  readonly decimalPoint: string;
}

export const RFC_4180: CsvDialect = { mark: '', separator: ',', decimalPoint: '.' };

export const DIALECTS: Readonly<Record<(typeof DIALECT_NAMES)[number], CsvDialect>> = {
  excel: { mark: '\ufeff', separator: ';', decimalPoint: ',' },
};

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
      if (value === null || value === undefined) return '';
      return textCell(isListOfTexts(value) ? joinList(value) : JSON.stringify(value));
  }
}

const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/**
 * Spreadsheets take a text that begins with one of these for a formula, some of them also when the character has full
 * width. Texts that were made harmless count too, so that taking one apostrophe away always gives the text back.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** A text with a separator of either dialect needs quotes, and an empty one has them, which tells it from a missing value. */
const SPECIAL = /[",;\r\n]|^$/;

function textCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return SPECIAL.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
