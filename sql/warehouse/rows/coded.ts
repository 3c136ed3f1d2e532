import { fieldCode } from './layout.ts';

/**
 * Texts of units in which every value stands between the character of its field and a unit separator, as ClickHouse keeps them. Fields
 * are written by groups: where a unit has none of a group, nothing; otherwise all of them, and nothing between character and separator
 * where one is missing: a text without characters, which no build makes, counts as none. Values are escaped as in rows (layout.ts).
 */

/** A field of such a text, with its character. */
export interface CodedColumn {
  readonly name: string;
  readonly code: string;
}

/** Fields of a group: where a unit has none of them, one look tells. */
const TOGETHER = 4;

/** Divides the fields of a text into groups. */
export function groupsOf<Column extends { readonly name: string }>(
  columns: readonly Column[],
): (Column & CodedColumn)[][] {
  const coded = columns.map((column, index) => ({ ...column, code: String.fromCodePoint(fieldCode(index)) }));
  return Array.from({ length: Math.ceil(coded.length / TOGETHER) }, (_, group) =>
    coded.slice(group * TOGETHER, (group + 1) * TOGETHER),
  );
}
