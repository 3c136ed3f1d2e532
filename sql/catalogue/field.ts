import type { Module } from '../org/rights.ts';
import type { Derivation } from './derived.ts';
import type { ColumnExpression, ElementExpression } from './expression.ts';

/** Kind of value. It decides the JSON type, the column type in each engine and how filters compare. */
export type Kind =
  | 'number' //    a MaStR number, e.g. SEE900000000001
  | 'text' //      free text of the register
  | 'label' //     text of a catalogue of the register: few different values
  | 'decimal' //        decimal with three places
  | 'degree' //    decimal with six places: degrees and ratios
  | 'integer'
  | 'boolean'
  | 'day' //       German calendar day, YYYY-MM-DD
  | 'time' //      RFC 3339, UTC
  | 'list' //      several labels
  | 'objects' //   several objects: stored as the JSON text of an array, which answers parse
  | 'carriers' //  a set of carriers: stored as a bit mask, see carriers.ts
  | 'signals' //   the signals that apply: stored as a bit mask, see signals.ts
  | 'anomalies'; // the rules that apply: stored as a bit mask, see anomalies.ts

/** The blocks that a list can include, in the order of the documentation. */
export const BLOCKS = [
  'standort',
  'betreiber',
  'termine',
  'eeg',
  'netz',
  'register',
  'genehmigung',
  'technik',
  'ausschreibungen',
  'qualitaet',
] as const;

type Block = (typeof BLOCKS)[number];

/** The comparison of a filter parameter with its field. */
export type Comparison =
  | 'oneOf' //   comma-separated list, exact
  | 'place' //   one place: by name, name and state, or official key (sql/query/places.ts)
  | 'prefix' //  one value, the beginning
  | 'min' //     number, inclusive
  | 'max' //     number, inclusive
  | 'from' //    calendar day, inclusive
  | 'to' //      calendar day, inclusive
  | 'is' //      true or false; false = all units for which the statement is not true, including those without a value
  | 'present' // true or false: whether there is a value
  | 'box' //     a rectangle on the map (sql/query/space.ts)
  | 'circle' //  a circle on the map
  | 'polygon' // polygons on the map, as GeoJSON
  | 'search' //  free text, every word of it somewhere in the unit
  | 'hasAny' //  comma-separated list of integers, one of which is among those of the unit
  | 'carriers' // comma-separated list of carriers, one of which is in the set of the unit
  | 'signals' // comma-separated list of signals, one of which applies
  | 'anomalies'; // comma-separated list of rules, one of which applies

export interface Filter {
  readonly name: string;
  readonly compare: Comparison;
  /** Compared in place of the field itself. */
  readonly over?: ColumnExpression;
}

/** One entry of the catalogue, from which everything else is derived. */
export interface UnitField {
  readonly name: string;
  readonly kind: Kind;
  readonly block: Block | null;
  readonly meaning: string;
  readonly unit: string | null;
  /** The build fills the column with it; null = the field has no column of its own. */
  readonly source: ElementExpression | null;
  /** The service reads it in place of the field's own column; null = it reads that column. */
  readonly read: ColumnExpression | null;
  /** Computes the same from a row, where `read` is more than a column. */
  readonly derive: Derivation['derive'] | null;
  readonly sortable: boolean;
  /** True when values of units may be added up: none of them is of a plant that other units belong to as well. */
  readonly additive: boolean;
  readonly filters: readonly Filter[];
  /** Closed list of values. */
  readonly values: readonly string[] | null;
  /** Module that the field needs. */
  readonly module: Module | null;
  /** Why the field can be filtered by but not read; null = it can be read. */
  readonly filterOnly: string | null;
  /** A note for callers who read the field or filter by it. */
  readonly hint: string | null;
  /** May identify a person: free text chosen by the operator, or a reference to an operator. */
  readonly privacy: 'none' | 'free_text' | 'operator_reference';
}

type Options = Partial<Omit<UnitField, 'name' | 'kind' | 'source' | 'meaning'>>;

/** Makes an entry. The defaults are: base form, readable, neither filterable nor sortable, not to be added up, no module. */
export function field(
  name: string,
  kind: Kind,
  source: ElementExpression | null,
  meaning: string,
  options: Options = {},
): UnitField {
  return {
    name,
    kind,
    source,
    meaning,
    block: null,
    unit: null,
    read: null,
    derive: null,
    sortable: false,
    additive: false,
    filters: [],
    values: null,
    module: null,
    filterOnly: null,
    hint: null,
    privacy: 'none',
    ...options,
  };
}

/** The columns of `units` that a field is read from. A field without a column names one that is not there. */
export const columnsRead = ({ name, read }: UnitField): readonly string[] => read?.reads ?? [name];

/** False for what changes with the day of the question, which is no change of a unit, and for the number, which stays. */
export const isCompared = ({ name, read }: UnitField): boolean =>
  read?.sql.includes('$today') !== true && name !== 'mastrNummer';

/** The meaning of a field, with its unit of measure. */
export const described = ({ meaning, unit }: UnitField): string => (unit === null ? meaning : `${meaning} (${unit})`);

/** The filter pair of a calendar day: `<stem>Von`, `<stem>Bis`. */
export const dayRange = (stem: string, over?: ColumnExpression): Filter[] => [
  { name: `${stem}Von`, compare: 'from', ...(over === undefined ? {} : { over }) },
  { name: `${stem}Bis`, compare: 'to', ...(over === undefined ? {} : { over }) },
];

/** The filter pair of a number: inclusive bounds. */
export const between = (min: string, max: string): Filter[] => [
  { name: min, compare: 'min' },
  { name: max, compare: 'max' },
];

/** A filter that takes a comma-separated list of exact values. */
export const oneOf = (name: string): Filter[] => [{ name, compare: 'oneOf' }];

/** A filter that asks whether the statement of the field is true. */
export const is = (name: string): Filter[] => [{ name, compare: 'is' }];

/** A filter that asks whether the field has a value. */
export const present = (name: string): Filter[] => [{ name, compare: 'present' }];
