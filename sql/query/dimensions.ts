import { CARRIERS } from '../catalogue/carriers.ts';
import type { UnitField } from '../catalogue/field.ts';
import { fieldNamed } from '../catalogue/unit-fields.ts';
import { BIT_SETS, type Bit } from './bit-sets.ts';
import { fieldExpression } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { type PlaceLevel, placeColumn, placeLevel } from './places.ts';

/** A property that units are counted by: decisions, "groupBy". */
export interface Dimension {
  readonly name: string;
  /** The catalogue's field whose values are the keys, and whose module a caller needs; null = `key` computes them. */
  readonly field: UnitField | null;
  /** The groups are places of this level, and the keys their numbers in `gebiete`; null = the keys are values. */
  readonly places: PlaceLevel | null;
  /** The key over the columns of `units`. */
  key(dialect: Dialect): string;
  /** The value that such a key stands for; null = each stands for itself. */
  valueOf(key: string, dialect: Dialect): string | null;
}

/** The values of these fields are the groups. */
const FIELDS = [
  'einheitTyp',
  'energietraeger',
  'bundesland',
  'landkreis',
  'gemeinde',
  'plz',
  'betriebsStatus',
  'einspeisungsart',
  'netzbetreiber',
  'spannungsebene',
  'regelzone',
  'windHersteller',
  'windTypenbezeichnung',
  'solarLage',
  'hauptbrennstoff',
  'biomasseart',
  'speichertechnologie',
  'speichersegment',
  'eegAbleitbarkeit',
  'standortEnergietraeger',
  'netzanschlussEnergietraeger',
  'signals',
] as const;

/** Upper bounds of gross capacity, kW, exclusive; the lower bound of a class is inclusive. */
const CAPACITY_CLASSES = [
  ['0-1', 1],
  ['1-10', 10],
  ['10-30', 30],
  ['30-100', 100],
  ['100-750', 750],
  ['750-1000', 1000],
  ['1000-10000', 10_000],
] as const;

const capacityClass = `CASE${CAPACITY_CLASSES.map(
  ([name, bound]) => ` WHEN units.bruttoleistungKw < ${bound} THEN '${name}'`,
).join('')} WHEN units.bruttoleistungKw >= 10000 THEN '10000+' END`;

const itself = (): null => null;

function ofField(name: string, of = name): Dimension {
  const field = fieldNamed(of);
  const places = placeLevel(name);
  if (places !== null) return { name, field, places, key: () => placeColumn(places), valueOf: itself };
  return {
    name,
    field,
    places,
    key: (dialect) => fieldExpression(field, dialect),
    valueOf: (key, { unitValue }) => unitValue(of, key),
  };
}

export const DIMENSIONS: readonly Dimension[] = [
  ...FIELDS.map((name) => ofField(name)),
  {
    name: 'inbetriebnahmejahr',
    field: null,
    places: null,
    key: ({ year }) => year('units.inbetriebnahmedatum'),
    valueOf: itself,
  },
  { name: 'leistungsklasse', field: null, places: null, key: () => capacityClass, valueOf: itself },
  // Named like the filter that takes its keys.
  ofField('auffaelligkeit', 'auffaelligkeiten'),
];

/** Every dimension by name, in the order of the documentation. */
export const DIMENSION_NAMES = [...FIELDS, 'inbetriebnahmejahr', 'leistungsklasse', 'auffaelligkeit'] as const;

/** @throws Error for a name that is no dimension */
export function dimensionNamed(name: string): Dimension {
  const dimension = DIMENSIONS.find((candidate) => candidate.name === name);
  if (dimension === undefined) throw new Error(`Units are not counted by ${name}`);
  return dimension;
}

/** The text of a key in an answer, where the keys are bit masks of carriers: their names, in order; null for any other dimension. */
export function carrierNames({ field }: Dimension, key: string, { sharesBits }: Dialect): string | null {
  if (field?.kind !== 'carriers') return null;
  const mask = `CAST(${key} AS INTEGER)`;
  const names = CARRIERS.map(
    (name, bit) => `CASE WHEN ${sharesBits(mask, String(2 ** bit))} THEN ',${name}' ELSE '' END`,
  );
  return `CASE WHEN ${key} IS NOT NULL THEN substr(concat(${names.join(', ')}), 2) END`;
}

/** The bits where the keys are bit masks, so that a unit counts in several groups or in none; null for any other dimension. */
export const bitsOf = ({ field }: Dimension): readonly Bit[] | null =>
  field === null ? null : (BIT_SETS[field.kind] ?? null);
