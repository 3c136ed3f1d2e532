import { z } from 'zod';
import type { Dialect, Dialects } from './dialect.ts';
import { type Binder, binder, type WarehouseStatement } from './statement.ts';

/**
 * Districts and municipalities are written in three ways: `Name`, `Name, Bundesland` or the official key. Whatever compares
 * with a place goes through `placeSql`, so that one spelling means the same units everywhere.
 */

export const PLACE_LEVELS = ['landkreis', 'gemeinde'] as const;

export type PlaceLevel = (typeof PLACE_LEVELS)[number];

/** Returns the level that a field, a filter or a dimension is about; null when it is not about places. */
export const placeLevel = (name: string): PlaceLevel | null => PLACE_LEVELS.find((level) => level === name) ?? null;

/** The official keys: of a municipality all eight digits, of a district the first five of them. */
export const KEY_DIGITS = { landkreis: 5, gemeinde: 8 } as const satisfies Record<PlaceLevel, number>;

/** The column of the unit tables that refers to `gebiete`. */
export const placeColumn = (level: PlaceLevel): string => `units.${level}gebiet`;

/** A place as a caller writes it. */
export interface Spelling {
  readonly level: PlaceLevel;
  readonly text: string;
}

/** The parts of a spelling: digits in the number of a key are always one. */
type Parts =
  | { readonly key: string }
  | { readonly name: string; readonly inState: { readonly name: string; readonly state: string } | null };

/** Ends the spelling of units without a key, where several places of their state have their name. */
export const WITHOUT_KEY = ', ohne Schlüssel';

export function partsOf({ level, text }: Spelling): Parts {
  if (text.length === KEY_DIGITS[level] && /^[0-9]+$/.test(text)) return { key: text };
  // Names may hold commas themselves, those of states do not.
  const comma = text.lastIndexOf(', ');
  const inState = comma === -1 ? null : { name: text.slice(0, comma), state: text.slice(comma + 2) };
  return { name: text, inState };
}

/**
 * Writes the condition that a row lies in the place.
 * @param table alias of a table with the columns landkreis, gemeinde, bundesland, gemeindeschluessel, or of a projection
 */
export function placeSql(spelling: Spelling, table: string, dialect: Dialect, values: Binder): string {
  const { level, text } = spelling;
  const parts = partsOf(spelling);
  if ('key' in parts) return keySql(level, parts.key, table, dialect, values);
  if (text.endsWith(WITHOUT_KEY) && dialect.places !== 'keys') {
    return placedSql(level, `wert = ${values.bind(text)}`, table, dialect);
  }
  const column = `${table}.${dialect.column(level)}`;
  const bound = (name: string, value: string, kind: 'text' | 'label') =>
    dialect.filterValue({ name, kind }, value, 'place', values);
  const whole = bound(level, parts.name, 'text');
  if (parts.inState === null) return `${column} = ${whole}`;
  const name = bound(level, parts.inState.name, 'text');
  const state = bound('bundesland', parts.inState.state, 'label');
  const isPlain = values.bind(parts.name);
  // The list comes first for the engine, which skips blocks by it but not by the alternatives.
  return `(${column} IN (${whole}, ${name}) AND (${column} = ${whole} OR (${table}.${dialect.column('bundesland')} = ${state}
    AND NOT EXISTS (SELECT 1 FROM regionen AS named WHERE named.${dialect.column(level)} = ${isPlain}))))`;
}

function keySql(level: PlaceLevel, key: string, table: string, dialect: Dialect, values: Binder): string {
  const placed =
    dialect.places === 'keys' ? null : placedSql(level, `schluessel = ${values.bind(key)}`, table, dialect);
  if (placed !== null && dialect.places !== 'combinations') return placed;
  const column = `${table}.gemeindeschluessel`;
  const own = level === 'gemeinde' ? `${column} = ${values.bind(key)}` : `${column} LIKE ${values.bind(`${key}___`)}`;
  return placed === null ? own : `(${own} OR ${placed})`;
}

/** Writes the condition that a row lies in the places that meet a condition. */
export function placedSql(level: PlaceLevel, condition: string, table: string, dialect: Dialect): string {
  const places = placesSelect(level, dialect);
  if (dialect.places !== 'combinations') {
    return `${table}.${level}gebiet IN (SELECT gebiet FROM ${places} WHERE ${condition})`;
  }
  const combination = (of: string) =>
    [level, 'bundesland', 'gemeindeschluessel'].map((name) => `coalesce(${of}.${dialect.column(name)}, '')`).join(', ');
  return `(${combination(table)}) IN (
    SELECT ${combination('placed')} FROM regionen AS placed JOIN ${places} ON places.gebiet = placed.${level}gebiet WHERE ${condition})`;
}

/** The question is about places as such, and the version was built by a release that knew only their names. */
export class PlacesUnknown extends Error {
  constructor() {
    super('The version has no table of places');
    this.name = 'PlacesUnknown';
  }
}

/** The dialects of a version without `gebiete`. */
export const withoutPlaces = ({ units, projections }: Dialects): Dialects => ({
  units: { ...units, places: 'keys' },
  projections: { ...projections, places: 'names' },
});

/**
 * The places of a level with their spellings: a table `places` to be joined by `gebiet`.
 * @throws PlacesUnknown
 */
export function placesSelect(level: PlaceLevel, dialect: Dialect): string {
  if (dialect.places === 'names') throw new PlacesUnknown();
  return `(
  SELECT gebiet, wert, schluessel, name, bundesland, suchname${dialect.listedPlaces ? ', ort' : ''} FROM gebiete WHERE ebene = '${level}'
) AS places`;
}

/**
 * Selects the places of a level that hold a row of `regionen` in the place, as rows of coveredPlaceRow. It is ordered
 * by position: to ClickHouse `name` would be a column of the places that are joined.
 */
export function coveredPlacesStatement(spelling: Spelling, dialect: Dialect): WarehouseStatement {
  const values = binder();
  const { level } = spelling;
  const digits = KEY_DIGITS[level];
  const condition = placeSql(spelling, 'regionen', dialect, values);
  const [key, join] =
    dialect.places === 'keys'
      ? [`left(regionen.gemeindeschluessel, ${digits})`, '']
      : ['places.schluessel', `LEFT JOIN ${placesSelect(level, dialect)} ON places.gebiet = regionen.${level}gebiet`];
  return {
    text: `SELECT DISTINCT ${key} AS schluessel, regionen.${dialect.column(level)} AS name, regionen.bundesland AS bundesland
FROM regionen ${join}
WHERE ${condition}
ORDER BY 1 NULLS LAST, 2, 3`,
    values: values.values,
  };
}

/** The members by which an answer names a place, beside its spelling. */
const placeShape = {
  schluessel: z.string().nullable().describe('Official key; null where the register gives none'),
  name: z.string().nullable().describe('Name of the place'),
  bundesland: z.string().nullable().describe('Federal state of the place'),
};

export const coveredPlaceRow = z.strictObject(placeShape);

export type CoveredPlace = z.infer<typeof coveredPlaceRow>;

/** The same for groups and values that may be places: all others lack these members. */
export const placeMembers = coveredPlaceRow.partial().shape;
