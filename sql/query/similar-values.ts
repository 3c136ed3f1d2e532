import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import { fold } from './fold.ts';
import { placesSelect } from './places.ts';
import type { ReferenceSet } from './reference-sets.ts';
import { binder, type WarehouseStatement } from './statement.ts';

/** Finds values of a set that are spelt nearly like a text that no unit has. */

/** A value that occurs; `folded` is what it is compared by. */
export const similarValueRow = z.strictObject({ value: z.string(), folded: z.string() });

/** Edits that a text may be away from the value that was meant. */
const editsIn = (length: number): number => (length < 3 ? 0 : Math.min(3, Math.max(1, Math.floor(length / 4))));

/** More candidates than this take longer to compare than a page takes to read. */
const MAX_CANDIDATES = 500;

/**
 * Selects the values that may be a few edits away from the text: of as many pieces of the text as there are edits, and one
 * more, one at least is in the value unchanged. The engine only looks for the pieces; the distances are for the caller to
 * compare, so that both engines answer alike.
 */
export function similarValuesStatement(set: ReferenceSet, text: string, dialect: Dialect): WarehouseStatement {
  const values = binder();
  const folded = fold(text);
  const { length } = [...folded];
  const edits = editsIn(length);
  const similar = (column: string): string => {
    const pieces = piecesOf(folded, edits + 1).map((piece) => dialect.contains(column, values.bind(piece)));
    const distance = `abs(CAST(${dialect.characters(column)} AS INTEGER) - ${values.bind(length)})`;
    return `${distance} <= ${values.bind(edits)} AND (${pieces.join(' OR ')})`;
  };
  const lines =
    set.places === null
      ? [
          'SELECT wert AS value, suchtext AS folded',
          'FROM referenzwerte',
          `WHERE filter = ${values.bind(set.name)} AND ${similar('suchtext')}`,
          'GROUP BY wert, suchtext',
          'ORDER BY sum(anzahl) DESC, value',
        ]
      : [
          'SELECT DISTINCT places.name AS value, places.suchname AS folded',
          `FROM ${placesSelect(set.places, dialect)}`,
          `WHERE ${similar('places.suchname')}`,
          'ORDER BY value',
        ];
  return { text: [...lines, `LIMIT ${values.bind(MAX_CANDIDATES)}`].join('\n'), values: values.values };
}

/** Cuts a text into pieces of nearly equal length; a text with fewer characters than pieces stays whole. */
function piecesOf(text: string, count: number): string[] {
  const characters = [...text];
  if (characters.length < count) return [text];
  return Array.from({ length: count }, (_, place) => {
    const [from, to] = [place, place + 1].map((end) => Math.floor((characters.length * end) / count));
    return characters.slice(from, to).join('');
  });
}
