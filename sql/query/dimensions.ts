import type { UnitField } from '../catalogue/field.ts';
import { UNIT_FIELDS } from '../catalogue/unit-fields.ts';
import { fieldExpression } from './conditions.ts';
import type { Dialect } from './dialect.ts';

/** What units can be counted by: decisions, "groupBy". */
export interface Dimension {
  readonly name: string;
  /** The catalogue's field that decides the group, also over who may ask; null = computed from `expression`. */
  readonly field: UnitField | null;
  /** The key over the columns of `units`, where it is not just the field. */
  readonly expression: ((dialect: Dialect) => string) | null;
}

/** Fields whose values are groups as they are. */
const FIELDS = [
  'einheitTyp',
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
  'eegAbleitbarkeit',
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

const computed = (name: string, expression: NonNullable<Dimension['expression']>): Dimension => ({
  name,
  field: null,
  expression,
});

export const DIMENSIONS: readonly Dimension[] = [
  ...FIELDS.map((name) => ({ name, field: UNIT_FIELDS.find((field) => field.name === name)!, expression: null })),
  computed('inbetriebnahmejahr', ({ year }) => year('units.inbetriebnahmedatum')),
  computed('leistungsklasse', () => capacityClass),
];

/** Whether a unit can count in several groups, or in none: its key is then a bit mask of signals. */
export const isSignals = ({ field }: Dimension): boolean => field?.kind === 'signals';

/** The key of a unit. What is announced and has no values yet puts every unit into the one group without a value. */
export function keyExpression({ field, expression }: Dimension, dialect: Dialect): string {
  if (expression !== null) return expression(dialect);
  return field!.pending ? 'NULL' : fieldExpression(field!, dialect);
}
