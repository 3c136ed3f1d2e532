import { ruleMask } from '../catalogue/anomalies.ts';
import { carrierMask } from '../catalogue/carriers.ts';
import type { Comparison, Filter, UnitField } from '../catalogue/field.ts';
import type { RuleId } from '../catalogue/plausibility.ts';
import { signalMask } from '../catalogue/signals.ts';
import { plainSigns } from '../register/mastr-number.ts';
import type { Dialect, Target } from './dialect.ts';
import { type PlaceLevel, placeLevel, placeSql } from './places.ts';
import { areaOf, inAreaSql } from './space.ts';
import type { Binder } from './statement.ts';
import { type SearchWord, sucheSql } from './suche.ts';

/** One filter of a query: its field, its comparison, and the value or values of the caller. */
export interface Condition {
  readonly field: UnitField;
  readonly filter: Filter;
  readonly value: string | number | boolean | readonly string[];
  /** Free text only: by word, the MaStR numbers of units with the word in a text of the caller's organisation. */
  readonly own?: ReadonlyMap<string, readonly string[]>;
  /** Free text only: the MaStR numbers of all units that meet the condition, when they are known and few. */
  readonly found?: readonly string[];
}

/**
 * Returns the expression that yields a field: its column, or the expression of the catalogue. The column is qualified with
 * its table, because ORDER BY would otherwise mean the alias, which is the text of a day.
 */
export function fieldExpression(field: UnitField, dialect: Dialect): string {
  return field.read === null ? dialect.unitColumn(field.name) : `(${field.read.sql})`;
}

/** The left side of a comparison with a field. */
export const comparisonTarget = ({ name, kind, read }: UnitField): Target => ({ name: read?.sql ?? name, kind });

/** Joins conditions to a WHERE clause; without conditions it is empty. */
export function whereAll(parts: readonly string[]): string {
  return parts.length === 0 ? '' : `WHERE ${parts.join('\n  AND ')}`;
}

/**
 * Values of a list are bound one by one, so that the engine skips blocks; no caller may send more than this. The numbers of
 * an event may be many more, and are bound as a whole.
 */
const MOST_BOUND_APART = 500;

/** Writes a condition as SQL. NULL satisfies no condition except `is` and `present` with the value false. */
export function conditionSql(condition: Condition, dialect: Dialect, values: Binder): string {
  const { field, filter, value } = condition;
  const expression = filter.over === undefined ? fieldExpression(field, dialect) : `(${filter.over.sql})`;
  const target = filter.over === undefined ? comparisonTarget(field) : { name: filter.over.sql, kind: field.kind };
  const list = Array.isArray(value) ? value : [String(value)];
  const bound = (item: string | number) => dialect.filterValue(target, item, filter.compare, values);
  if (filter.compare === 'box' || filter.compare === 'circle' || filter.compare === 'polygon') {
    return inAreaSql(areaOf({ filter: { compare: filter.compare }, value }), dialect, values);
  }
  const flag = dialect.flag(target.name);
  if (flag !== null) return value === true ? flag : `NOT (${flag})`;
  switch (filter.compare) {
    case 'oneOf':
      if (list.length === 0) return 'false';
      if (list.length > MOST_BOUND_APART) return dialect.isOneOfNumbers(expression, list, values);
      return `${expression} IN (${list.map(bound).join(', ')})`;
    case 'hasAny':
      return dialect.sharesItems(expression, values.bind(list.filter(isStoredInteger)));
    case 'carriers':
      return dialect.sharesBits(expression, bound(carrierMask(list)));
    case 'signals':
      return dialect.sharesBits(expression, bound(signalMask(list)));
    case 'anomalies':
      return dialect.sharesBits(expression, bound(ruleMask(list as readonly RuleId[])));
    case 'search':
      if (condition.found !== undefined) return isOneOfUnits(condition.found, dialect, values);
      return sucheSql(searchWords(condition), dialect, values);
    case 'is':
      return value === true ? expression : `${expression} IS DISTINCT FROM true`;
    case 'present':
      return `${expression} IS ${value === true ? 'NOT NULL' : 'NULL'}`;
    case 'place':
      return anyOf(list.map((text) => placeSql({ level: levelOf(field), text }, 'units', dialect, values)));
    case 'prefix':
      return anyOf(list.map((text) => dialect.unitStartsWith(field.name, text, values)));
    default:
      return `${expression} ${OPERATORS[filter.compare]} ${bound(value as string | number)}`;
  }
}

/** Callers name one place; several stand together where an answer is about all of them. */
const anyOf = (parts: readonly string[]): string =>
  parts.length === 1 ? parts.join() : `(${parts.map((part) => `(${part})`).join(' OR ')})`;

/** Writes the condition that a unit is one of these, of which there may be many: they are bound as a whole. */
export function isOneOfUnits(numbers: readonly string[], dialect: Dialect, values: Binder): string {
  if (numbers.length === 0) return 'false';
  return dialect.isOneOfNumbers(`units.${dialect.column('mastrNummer')}`, numbers, values);
}

/** No unit has an integer that its column cannot hold. */
const isStoredInteger = (digits: string): boolean => Number(digits) < 2 ** 31;

/** @throws Error for a field that names no places */
function levelOf({ name }: UnitField): PlaceLevel {
  const level = placeLevel(name);
  if (level === null) throw new Error(`${name} names no places`);
  return level;
}

/** The words of a free-text condition, each with the units that have it in a text of the caller's organisation. */
export const searchWords = ({ value, own }: Condition): SearchWord[] =>
  (value as readonly string[]).map((text) => ({ text: plainSigns(text), own: own?.get(text) ?? [] }));

const OPERATORS = { min: '>=', max: '<=', from: '>=', to: '<=' } as const satisfies Partial<Record<Comparison, string>>;
