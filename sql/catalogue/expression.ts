/**
 * Pieces of SQL that say what they read. The catalogue writes its expressions in them, so that nothing has to search
 * their text for names; test/sql/catalogue/expressions.test.ts holds each to what DuckDB's parser finds in it.
 */
export interface Expression<Reference> {
  readonly sql: string;
  /** A reference comes as often as the text has it. */
  readonly reads: readonly Reference[];
}

/** The staged tables that a unit is filled from, with the names that units.sql and looked-up.sql have for them. */
export const STAGED_ALIASES = {
  einheit: 'e',
  eeg: 'eeg',
  kwk: 'kwk',
  genehmigung: 'gen',
} as const;

export type UnitSource = keyof typeof STAGED_ALIASES;

/** An element of the export, as a staged table has it. */
interface ExportElement {
  readonly table: UnitSource;
  readonly name: string;
}

/** SQL over the aliases of units.sql. */
export type ElementExpression = Expression<ExportElement>;

/** SQL over the columns of `units`; `$today` stands for the day that counts as today. */
export type ColumnExpression = Expression<string>;

const elementsOf =
  (table: UnitSource) =>
  (name: string): ElementExpression => ({ sql: `${STAGED_ALIASES[table]}.${name}`, reads: [{ table, name }] });

/** An element of the export: `element.einheit('Bruttoleistung')`. */
export const element = {
  einheit: elementsOf('einheit'),
  eeg: elementsOf('eeg'),
  kwk: elementsOf('kwk'),
  genehmigung: elementsOf('genehmigung'),
} as const satisfies Record<UnitSource, unknown>;

/** A column of `units`. */
export const column = (name: string): ColumnExpression => ({ sql: name, reads: [name] });

/** SQL around other expressions, which reads what they read. A string among the parts is SQL that reads nothing. */
export function expr<Reference = never>(
  texts: TemplateStringsArray,
  ...parts: readonly (Expression<Reference> | string)[]
): Expression<Reference> {
  const pieces = parts.map((part) => (typeof part === 'string' ? { sql: part, reads: [] } : part));
  return {
    sql: texts.reduce((text, next, index) => `${text}${pieces[index - 1]?.sql ?? ''}${next}`),
    reads: pieces.flatMap(({ reads }) => reads),
  };
}
