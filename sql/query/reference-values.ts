import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import { fold } from './fold.ts';
import { placeMembers, placesSelect } from './places.ts';
import type { ReferenceSet } from './reference-sets.ts';
import { binder, type WarehouseStatement } from './statement.ts';

/** Looks up values of a filter among those that the build has counted. */

export interface ReferenceValuesRequest {
  readonly set: ReferenceSet;
  /** Part of the value, as it was typed; null = all. */
  readonly text: string | null;
  /** Carriers whose units count. */
  readonly carriers: readonly string[];
  /** Values that may come back; null = every one. */
  readonly among: readonly string[] | null;
  /** Most values that come back; null = all. */
  readonly limit: number | null;
}

export const referenceValueRow = z.strictObject({
  value: z.string(),
  /** Units of these carriers that have it. */
  count: z.number(),
  /** Only values that are places have these members. */
  ...placeMembers,
});

export type ReferenceValue = z.infer<typeof referenceValueRow>;

/**
 * Selects the values that contain the text, whatever its case and accents: first those that begin with it, then by
 * frequency. Places are found by name or key.
 */
export function referenceValuesStatement(request: ReferenceValuesRequest, dialect: Dialect): WarehouseStatement {
  const { set, text, carriers, among, limit } = request;
  const values = binder();
  const isAmong = (expression: string, list: readonly string[]) => dialect.isAmong(expression, values.bind(list));
  const where = [`filter = ${values.bind(set.name)}`, isAmong('einheitTyp', carriers)];
  const order = ['"count" DESC', '"value"'];
  if (among !== null) where.push(isAmong('referenzwerte.wert', among));
  if (text !== null) {
    const folded = fold(text);
    const contains = (column: string) => dialect.contains(column, values.bind(folded));
    const begins = (column: string) => dialect.startsWith(column, folded, values);
    where.push(
      set.places === null ? contains('suchtext') : `(${contains('suchtext')} OR ${contains('places.schluessel')})`,
    );
    order.unshift(`(${begins('suchtext')}) DESC`);
    if (set.places !== null) order.unshift(`coalesce(${begins('places.schluessel')}, false) DESC`);
  }
  const members = set.places === null ? [] : ['places.schluessel', 'places.name', 'places.bundesland'];
  const lines = [
    `SELECT ${['referenzwerte.wert AS "value"', 'CAST(sum(anzahl) AS DOUBLE) AS "count"', ...members.map((member) => `${member} AS ${member.slice('places.'.length)}`)].join(', ')}`,
    'FROM referenzwerte',
    ...(set.places === null ? [] : [`JOIN ${placesSelect(set.places, dialect)} ON places.wert = referenzwerte.wert`]),
    `WHERE ${where.join('\n  AND ')}`,
    `GROUP BY ${['referenzwerte.wert', 'suchtext', ...members].join(', ')}`,
    `ORDER BY ${order.join(', ')}`,
    ...(limit === null ? [] : [`LIMIT ${values.bind(limit)}`]),
  ];
  return { text: lines.join('\n'), values: values.values };
}
