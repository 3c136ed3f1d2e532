import { PROJECTIONS, type Projection } from '../catalogue/projections.ts';
import { OF_SELDOM } from '../catalogue/seldom-columns.ts';
import { alternatives, projectionToCount, projectionToList } from './access-paths.ts';
import { type Condition, conditionSql, searchWords, whereAll } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { afterRow, type KeyValue, orderBy, type SortKey, valuedAfterRow } from './keyset.ts';
import { binder, type WarehouseStatement } from './statement.ts';
import { matchingUnitsSql, type SearchWord } from './suche.ts';

/**
 * Statements that find units and count them. Their values are then read by their numbers from the row file of the
 * version (sql/warehouse/rows).
 */

/** The units that meet all conditions on a day. */
export interface UnitCriteria {
  readonly conditions: readonly Condition[];
  /** Calendar day that counts as today, YYYY-MM-DD. */
  readonly today: string;
}

export interface PageRequest extends UnitCriteria {
  /** Ends with mastrNummer, which makes the order total. */
  readonly sort: readonly SortKey[];
  /** Key values of the last row already delivered; null = from the beginning. */
  readonly after: readonly KeyValue[] | null;
  /** Rows delivered before this page. */
  readonly delivered: number;
  readonly limit: number;
  /** Number of units that meet the conditions; null = no earlier page has counted them. */
  readonly total: number | null;
}

/** The total decides which projection the page is read from. */
export interface CountedPageRequest extends PageRequest {
  readonly total: number;
  /** True for a part of a page with those units alone that have a value of the first sort key. */
  readonly valued?: boolean;
}

/**
 * Divides a page into parts, the rows of which follow each other: units without a value of the first key come last, by the
 * other keys. Without them, the engine skips all blocks before the last row. In the order of planned days a small projection
 * has the others, so a first page is divided, too.
 * @returns requests for pages as long as the whole one; usually the first part fills it
 */
export function pageParts(
  request: CountedPageRequest,
  { narrowProjections, pagesInParts }: Pick<Dialect, 'narrowProjections' | 'pagesInParts'>,
): CountedPageRequest[] {
  const { conditions, after } = request;
  const [first, ...others] = request.sort;
  // Every unit has a number of its own, after which no other key decides.
  if (pagesInParts === 'none' || first === undefined || first.field.name === 'mastrNummer') return [request];
  if (pagesInParts === 'descending' && first.direction === 'asc') return [request];
  const isOfSeldom = narrowProjections && first.field.name === PROJECTIONS[OF_SELDOM][0];
  const needsValue = isOfSeldom || (pagesInParts === 'descending' && after === null);
  if (after === null && !needsValue) return [request];
  const has = (value: boolean): Condition => ({ field: first.field, filter: { name: '', compare: 'present' }, value });
  const valued = { ...request, valued: true, conditions: needsValue ? [...conditions, has(true)] : conditions };
  // Of the other keys few units have no value, so their order would be read long before a page of them is full.
  const total = isOfSeldom ? request.total : 1;
  const unvalued = { ...request, total, conditions: [...conditions, has(false)], sort: others };
  if (conditions.some((condition) => isRange(condition) && condition.field.name === first.field.name)) {
    // No unit without a value meets such a condition.
    return [{ ...request, valued: after === null || after[0] !== null }];
  }
  if (after === null) return [valued, unvalued];
  const [value, ...afterOthers] = after;
  return value === null ? [{ ...unvalued, after: afterOthers }] : [valued, { ...unvalued, after: null }];
}

const isRange = ({ filter }: Condition): boolean => filter.compare === 'from' || filter.compare === 'to';

/** One page, or part of one: the twelve digits of each unit's number as `digits`, in order. */
export function pageStatement(request: CountedPageRequest, dialect: Dialect): WarehouseStatement {
  const { conditions, sort, after, delivered, limit, total, valued } = request;
  const values = binder();
  const where = conditions.map((condition) => conditionSql(condition, dialect, values));
  if (after !== null) where.push((valued === true ? valuedAfterRow : afterRow)(sort, after, dialect, values));
  const table = projectionToList(conditions, sort, total, (dialect.startsAtCursor ? 0 : delivered) + limit, dialect);
  const text = [
    `SELECT ${dialect.numberDigits(dialect.unitNumber)} AS digits`,
    fromProjection(table),
    whereAll(where),
    orderBy(sort, dialect, valued === true && dialect.pagesInParts === 'descending'),
    `LIMIT ${values.bind(limit)}`,
  ];
  const statement = withToday(text, values.values, request.today, dialect);
  return PROJECTIONS[table][0] === sort[0]?.field.name ? { ...statement, readsInOrder: true } : statement;
}

/** Selects the number of units that meet the conditions, in one row as `total`. */
export function totalStatement({ conditions, today }: UnitCriteria, dialect: Dialect): WarehouseStatement {
  const values = binder();
  const [only, ...others] = conditions;
  if (only?.filter.compare === 'search' && others.length === 0) {
    const matching = matchingUnitsSql(searchWords(only), dialect, values);
    const text = `SELECT CAST(count(DISTINCT nummer) AS DOUBLE) AS total FROM (${matching})`;
    if (matching !== null) return { text, values: values.values };
  }
  const table = projectionToCount(conditions, dialect);
  const counts = alternatives(conditions, table).map((some) => {
    const where = some.map((condition) => conditionSql(condition, dialect, values));
    return ['SELECT count(*)', fromProjection(table), whereAll(where)].filter((line) => line !== '').join('\n');
  });
  return withToday([`SELECT CAST((${counts.join(') + (')}) AS DOUBLE) AS total`], values.values, today, dialect);
}

/**
 * Selects a page of the units that match free text alone, in the order of their numbers, without reading a table of units.
 * Each row contains the total, since finding the units again to count them would double the cost. A common table expression
 * would not do: ClickHouse evaluates one as often as it is named, whatever it says about MATERIALIZED.
 * @param words the words of a condition that is the only one
 * @returns null when every unit has the words
 */
export function searchPageStatement(
  words: readonly SearchWord[],
  { after, limit }: Pick<PageRequest, 'after' | 'limit'>,
  dialect: Dialect,
): WarehouseStatement | null {
  const values = binder();
  const matching = matchingUnitsSql(words, dialect, values);
  if (matching === null) return null;
  const afterNumber = after === null ? [] : [`nummer > ${dialect.numberBits(String(after[0]), values)}`];
  const text = [
    `SELECT ${dialect.numberDigits('nummer')} AS digits, total`,
    'FROM (',
    `  SELECT nummer, CAST(count(*) OVER () AS DOUBLE) AS total FROM (SELECT DISTINCT nummer FROM (${matching})) AS found`,
    ') AS counted',
    whereAll(afterNumber),
    `ORDER BY nummer LIMIT ${values.bind(limit)}`,
  ];
  return { text: text.filter((line) => line !== '').join('\n'), values: values.values };
}

/** Conditions call the projection `units`, whichever it is. */
export const fromProjection = (table: Projection): string => `FROM ${table} AS units`;

/** Turns `$today` of the catalogue's expressions into a typed parameter, which is bound only where it occurs. */
export function withToday(
  lines: string[],
  values: WarehouseStatement['values'],
  today: string,
  dialect: Dialect,
): WarehouseStatement {
  const text = lines.filter((line) => line !== '').join('\n');
  if (!text.includes('$today')) return { text, values };
  return {
    text: text.replaceAll('$today', () => dialect.day('$today')),
    values: { ...values, today },
  };
}
