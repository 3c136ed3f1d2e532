import type { UnitField } from '../catalogue/field.ts';
import { STORED_FIELDS } from '../catalogue/unit-fields.ts';
import type { Dialect } from './dialect.ts';
import type { Binder } from './statement.ts';

/** Free text over what the register says of a unit. Case, accents and the spelling of ß do not count. */

const TEXTS = new Set(['name', 'ort', 'gemeinde', 'landkreis', 'plz', 'windpark', 'betreiberName']);

/** The names and places of a unit, and every MaStR number that it carries. */
const SEARCHED: readonly UnitField[] = STORED_FIELDS.filter(({ name, kind }) => TEXTS.has(name) || kind === 'number');

/**
 * The condition that every one of the words occurs somewhere in the unit.
 * @param words without blanks, at least one
 */
export function sucheSql(words: readonly string[], dialect: Dialect, values: Binder): string {
  const columns = SEARCHED.map(({ name }) => `units.${dialect.column(name)}`);
  const text = dialect.folded(dialect.joined(columns));
  return words.map((word) => dialect.contains(text, dialect.folded(values.bind(word)))).join('\n  AND ');
}
