import { z } from 'zod';
import { PLACED_FROM_KW } from '../../sql/catalogue/personal.ts';
import type { Dialect } from '../../sql/query/dialect.ts';
import { UNIT_COLUMNS } from '../../sql/warehouse/clickhouse/columns.ts';
import { GROUP_SEPARATOR } from '../../sql/warehouse/rows/layout.ts';
import type { UnitTexts } from '../../sql/warehouse/rows/texts.ts';

/** Former rows of units, read by their columns. */

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);

/** Columns by name. */
export const formerRow = z.record(z.string(), value);

export type FormerRow = z.infer<typeof formerRow>;

const KINDS = new Map(UNIT_COLUMNS.map(({ name, kind }) => [name, kind]));

/** The expression that reads a column of units as a value of JSON. */
export function wideColumns(dialect: Dialect, name: string): string {
  const kind = KINDS.get(name) ?? 'text';
  const column = dialect.unitColumn(name);
  if (kind === 'bits' || kind === 'integers') return `CAST(${column} AS VARCHAR)`;
  return dialect.toJson(kind, column);
}

/** Kinds whose values are in JSON what the engine makes of them. */
const PLAIN: ReadonlySet<string> = new Set([
  'number',
  'text',
  'label',
  'decimal',
  'degree',
  'integer',
  'boolean',
  'day',
  'list',
]);

export const isPlainJson = (name: string): boolean => PLAIN.has(KINDS.get(name) ?? 'text');

/**
 * Takes from a former row what must not be shown of the unit today.
 * @param now its present row; null when it has left
 */
export function privateRow<Row extends object>(row: Row, now: UnitTexts | null): Row {
  if (now === null || Number(now.get('bruttoleistungKw') ?? 0) >= PLACED_FROM_KW) return row;
  return { ...row, latitude: null, longitude: null };
}

/** The values of a row as a row file has them. */
export function textsOfRow(row: FormerRow): UnitTexts {
  const texts = new Map<string, string>();
  for (const [name, one] of Object.entries(row)) {
    if (one === null || (Array.isArray(one) && one.length === 0)) continue;
    texts.set(name, textOf(one));
  }
  return texts;
}

function textOf(one: NonNullable<z.infer<typeof value>>): string {
  if (typeof one === 'boolean') return one ? '1' : '0';
  return Array.isArray(one) ? one.join(GROUP_SEPARATOR) : String(one);
}
