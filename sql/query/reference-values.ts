import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import { fold } from './fold.ts';
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
});

export type ReferenceValue = z.infer<typeof referenceValueRow>;

/** Selects the values that contain the text, whatever its case and accents: first those that begin with it, then by frequency. */
export function referenceValuesStatement(request: ReferenceValuesRequest, dialect: Dialect): WarehouseStatement {
  const { set, text, carriers, among, limit } = request;
  const values = binder();
  const isAmong = (expression: string, list: readonly string[]) => dialect.isAmong(expression, values.bind(list));
  const where = [`filter = ${values.bind(set.name)}`, isAmong('einheitTyp', carriers)];
  const order = ['"count" DESC', '"value"'];
  if (among !== null) where.push(isAmong('wert', among));
  if (text !== null) {
    const folded = fold(text);
    where.push(dialect.contains('suchtext', values.bind(folded)));
    order.unshift(`(${dialect.startsWith('suchtext', folded, values)}) DESC`);
  }
  const lines = [
    'SELECT wert AS "value", CAST(sum(anzahl) AS DOUBLE) AS "count"',
    'FROM referenzwerte',
    `WHERE ${where.join('\n  AND ')}`,
    'GROUP BY wert, suchtext',
    `ORDER BY ${order.join(', ')}`,
    ...(limit === null ? [] : [`LIMIT ${values.bind(limit)}`]),
  ];
  return { text: lines.join('\n'), values: values.values };
}
