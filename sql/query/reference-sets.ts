import type { Filter, UnitField } from '../catalogue/field.ts';
import { UNIT_FILTERS } from '../catalogue/unit-fields.ts';
import { BIT_SETS, bitTable } from './bit-sets.ts';
import { fieldExpression } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { FROM_COUNTED_UNITS } from './groups.ts';
import { type PlaceLevel, placeColumn, placeLevel, placesSelect } from './places.ts';

/** A filter whose values can be looked up, derived from the catalogue. */
export interface ReferenceSet {
  /** Name of the set and of the filter. */
  readonly name: string;
  readonly field: UnitField;
  /**
   * `static`: the interface closes the list. `enumerable`: the texts of a catalogue of the register, few. `searchable`:
   * free text of the register, too many to list.
   */
  readonly kind: 'static' | 'enumerable' | 'searchable';
  /** The values are the places of this level; null = they are values of the field. */
  readonly places: PlaceLevel | null;
}

export const REFERENCE_SETS: ReadonlyMap<string, ReferenceSet> = new Map(
  [...UNIT_FILTERS].flatMap(([name, { field, filter }]) => {
    const kind = kindOf(field, filter);
    return kind === null ? [] : [[name, { name, field, kind, places: placeLevel(name) }] as const];
  }),
);

/** Returns null for filters without values to look up: numbers, days, flags and MaStR numbers. */
function kindOf({ kind, values }: UnitField, { compare }: Filter): ReferenceSet['kind'] | null {
  if (BIT_SETS[kind] !== undefined) return 'static';
  if (compare !== 'oneOf' && compare !== 'place' && compare !== 'prefix') return null;
  if (values !== null) return 'static';
  if (kind === 'label') return 'enumerable';
  return kind === 'text' ? 'searchable' : null;
}

/**
 * Selects the values of a set in the register, with columns wert, gesucht (the text in which searches look), einheitTyp
 * and anzahl.
 * @param from the table of all units to count, in the form that the dialect reads
 */
export function valuesOf({ field, places }: ReferenceSet, dialect: Dialect, from = FROM_COUNTED_UNITS): string {
  if (places !== null) {
    return `SELECT places.wert AS wert,
  CASE WHEN places.wert = places.schluessel THEN coalesce(places.name, places.wert) ELSE places.wert END AS gesucht,
  counted.einheitTyp AS einheitTyp, counted.anzahl AS anzahl
FROM (
  SELECT ${placeColumn(places)} AS gebiet, CAST(units.einheitTyp AS VARCHAR) AS einheitTyp, count(*) AS anzahl
  ${from}
  GROUP BY ALL
) AS counted
JOIN ${placesSelect(places, dialect)} USING (gebiet)`;
  }
  const expression = fieldExpression(field, dialect);
  const bits = BIT_SETS[field.kind];
  if (bits !== undefined) {
    return `SELECT one.id AS wert, one.id AS gesucht, einheitTyp, sum(anzahl) AS anzahl
FROM (
  SELECT ${expression} AS mask, CAST(units.einheitTyp AS VARCHAR) AS einheitTyp, count(*) AS anzahl ${from} GROUP BY ALL
) AS masks
CROSS JOIN ${bitTable(bits)}
WHERE ${dialect.sharesBits('mask', 'one.bit')}
GROUP BY ALL`;
  }
  const value = dialect.unitValue(field.name, 'counted.stored') ?? 'CAST(counted.stored AS VARCHAR)';
  return `SELECT ${value} AS wert, wert AS gesucht, CAST(einheitTyp AS VARCHAR) AS einheitTyp, anzahl
FROM (
  SELECT ${expression} AS stored, units.einheitTyp AS einheitTyp, count(*) AS anzahl ${from} GROUP BY ALL
) AS counted
WHERE wert IS NOT NULL`;
}
