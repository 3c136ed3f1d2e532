/** The dialects of CSV, for answers and dumps alike. */

export interface CsvDialect {
  /** Precedes the first record. */
  readonly mark: string;
  readonly separator: string;
  readonly decimalPoint: string;
}

export const RFC_4180: CsvDialect = { mark: '', separator: ',', decimalPoint: '.' };

/** `excel`: as Excel with German settings opens a file by a double click. */
export const DIALECTS = {
  excel: { mark: '\ufeff', separator: ';', decimalPoint: ',' },
} as const satisfies Record<string, CsvDialect>;

export type DialectName = keyof typeof DIALECTS;

export const DIALECT_NAMES = ['excel'] as const satisfies readonly DialectName[];

/**
 * Finds texts that spreadsheets take for a formula, because of the character that they begin with, in some of them also when it has
 * full width. Texts that were made harmless by an apostrophe count too, so that taking one away always gives the text
 * back. A regular expression for JavaScript and for DuckDB.
 */
export const FORMULA = "^'*[=+\\-@\\t\\r\\n＝＋－＠]";

/** Finds texts that need quotes: those with a separator of any dialect, and the empty one, which quotes tell from no value. */
export const NEEDS_QUOTES = '[",;\\r\\n]|^$';
