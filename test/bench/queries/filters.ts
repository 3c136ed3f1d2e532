import { REFERENCE_SETS } from '../../../sql/query/reference-sets.ts';
import type { Condition } from './question.ts';
import type { Random } from './random.ts';
import type { Sample, SampledUnit } from './sample.ts';

/** Filters of units in both tongues: parameters of a request, conditions of a statement. */

export interface Filter {
  readonly parameter: string;
  readonly value: string;
  readonly condition: Condition;
  /** The condition on a value of the counts by value; null where the filter compares in another way. */
  readonly counted: Condition | null;
}

type Choice = {
  /** The value that a unit must have for this filter to be made of it. */
  readonly of: keyof SampledUnit;
  readonly make: (unit: SampledUnit) => Filter;
};

const equals = (parameter: keyof SampledUnit): Choice => ({
  of: parameter,
  make: (unit) => {
    const value = String(unit[parameter]);
    // One spelling of a place may cover several, so that counts by value do not add up.
    const isCounted = REFERENCE_SETS.get(parameter)?.places === null;
    return {
      parameter,
      value,
      condition: (bind) => `${parameter} = ${bind(value)}`,
      counted: isCounted ? (bind) => `wert = ${bind(value)}` : null,
    };
  },
});

const limit = (parameter: string, of: keyof SampledUnit, operator: '>=' | '<='): Choice => ({
  of,
  make: (unit) => {
    const value = String(unit[of]);
    return { parameter, value, condition: (bind) => `${of} ${operator} ${bind(value)}`, counted: null };
  },
});

const CHOICES = {
  einheitTyp: equals('einheitTyp'),
  betriebsStatus: equals('betriebsStatus'),
  bundesland: equals('bundesland'),
  landkreis: equals('landkreis'),
  gemeinde: equals('gemeinde'),
  betreiberMastrNummer: equals('betreiberMastrNummer'),
  netzbetreiber: equals('netzbetreiber'),
  spannungsebene: equals('spannungsebene'),
  plz: { of: 'plz', make: ({ plz }) => prefix(plz!) },
  plzBereich: { of: 'plz', make: ({ plz }) => prefix(plz!.slice(0, 2)) },
  leistungMinKw: limit('leistungMinKw', 'bruttoleistungKw', '>='),
  leistungMaxKw: limit('leistungMaxKw', 'bruttoleistungKw', '<='),
  inbetriebnahmeVon: limit('inbetriebnahmeVon', 'inbetriebnahmedatum', '>='),
  inbetriebnahmeBis: limit('inbetriebnahmeBis', 'inbetriebnahmedatum', '<='),
} as const satisfies Record<string, Choice>;

export type FilterName = keyof typeof CHOICES;

/** By the beginning of the postal code. */
const prefix = (digits: string): Filter => ({
  parameter: 'plz',
  value: digits,
  condition: (bind) => `plz LIKE ${bind(`${digits}%`)}`,
  counted: (bind) => `wert LIKE ${bind(`${digits}%`)}`,
});

/** These filters with the values of one unit, so that at least this unit meets them. */
export function filtersOf(names: readonly FilterName[], sample: Sample, random: Random): Filter[] {
  const choices: Choice[] = names.map((name) => CHOICES[name]);
  const unit = sample.unitWith(random, ...choices.map(({ of }) => of));
  return choices.map(({ make }) => make(unit));
}

/** A path with filters and further parameters. A value with a comma is quoted, as in a list it would be two. */
export function pathOf(path: string, filters: readonly Filter[], more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(more);
  for (const { parameter, value } of filters) {
    const isList = parameter !== 'landkreis' && parameter !== 'gemeinde';
    query.set(parameter, isList && value.includes(',') ? `"${value}"` : value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Returns the conditions of the filters on a row. */
export const conditionsOf = (filters: readonly Filter[]): Condition[] => filters.map(({ condition }) => condition);
