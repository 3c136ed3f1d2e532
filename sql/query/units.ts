import { OF_SELDOM, PROJECTIONS, type Projection } from '../catalogue/projections.ts';
import { alternatives, projectionToList, tableToCount } from './access-paths.ts';
import { type Condition, comparisonTarget, fieldExpression, searchWords, whereAll } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { afterRow, type KeyValue, orderBy, type SortKey, valuedAfterRow } from './keyset.ts';
import { type Binder, binder, type WarehouseStatement } from './statement.ts';
import { matchingUnitsSql, type SearchWord } from './suche.ts';
import { unitsMeeting } from './unit-source.ts';

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
  /** The tables that have units as texts, `zeile`, where those shall be selected, too. */
  readonly textsIn?: ReadonlySet<string>;
  /** Of a part of a page, whether it has those units alone that have a value of the first sort key, or those without. */
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
  const [first] = request.sort;
  // Every unit has a number of its own, after which no other key decides.
  if (pagesInParts === 'none' || first === undefined || first.field.name === 'mastrNummer') return [request];
  if (pagesInParts === 'backwards' && isForwards(request.sort)) return [request];
  const isOfSeldom = narrowProjections && first.field.name === PROJECTIONS[OF_SELDOM][0];
  const needsValue = isOfSeldom || (pagesInParts === 'backwards' && after === null);
  if (after === null && !needsValue) return [request];
  const has = (value: boolean): Condition => ({ field: first.field, filter: { name: '', compare: 'present' }, value });
  const valued = { ...request, valued: true, conditions: needsValue ? [...conditions, has(true)] : conditions };
  const unvalued = { ...request, valued: false, conditions: [...conditions, has(false)] };
  if (conditions.some((condition) => isRange(condition) && condition.field.name === first.field.name)) {
    // No unit without a value meets such a condition.
    return [{ ...request, valued: after === null || after[0] !== null }];
  }
  const last = pagesInParts === 'backwards' ? inOrderOfTable(unvalued) : byOtherKeys(unvalued, isOfSeldom);
  if (after === null) return [valued, last];
  return after[0] === null ? [last] : [valued, { ...last, after: null }];
}

/** Units without a value of the first key lie at the end of the table that is sorted by it, in the order of their numbers. */
function inOrderOfTable(part: CountedPageRequest): CountedPageRequest {
  const [first, second, ...others] = part.sort;
  if (first === undefined || second === undefined) return part;
  return { ...part, sort: [{ ...first, direction: second.direction }, second, ...others] };
}

function byOtherKeys(part: CountedPageRequest, isOfSeldom: boolean): CountedPageRequest {
  const { sort, after, total } = part;
  // Of the other keys few units have no value, so their order would be read long before a page of them is full.
  return { ...part, total: isOfSeldom ? total : 1, sort: sort.slice(1), after: after?.slice(1) ?? null };
}

/** Returns true for an order in which a table that is sorted by the first key has its units. */
const isForwards = ([first, second]: readonly SortKey[]): boolean =>
  first?.direction === 'asc' && (second?.field.name !== 'mastrNummer' || second.direction === 'asc');

const isRange = ({ filter }: Condition): boolean => filter.compare === 'from' || filter.compare === 'to';

/** One page, or part of one: the twelve digits of each unit's number as `digits`, in order. */
export function pageStatement(request: CountedPageRequest, dialect: Dialect): WarehouseStatement {
  const digits = `${dialect.numberDigits(dialect.unitNumber)} AS digits`;
  return unitsInOrder(request, dialect, { columns: [digits], order: request.sort, where: () => [] });
}

/**
 * A first page of units that are few, with their total in each row: all of them are read to be sorted, so that counting them before
 * would read them twice. No row means none.
 */
export function countedPageStatement(
  request: PageRequest & Pick<CountedPageRequest, 'textsIn'>,
  dialect: Dialect,
): WarehouseStatement {
  const digits = `${dialect.numberDigits(dialect.unitNumber)} AS digits`;
  const total = 'CAST(count(*) OVER () AS DOUBLE) AS total';
  return unitsInOrder({ ...request, total: 1 }, dialect, {
    columns: [digits, total],
    order: request.sort,
    where: () => [],
  });
}

/**
 * A part of a page whose units of one value lie in its table the other way round: largest capacity first, and of equal ones the
 * smallest number. A hundred thousand units can have the same value, so it is not read as a whole.
 */
export interface TurnedPart {
  /**
   * Selects as many units as the part has, by the first key as in the page and by number the other way round: `digits`, and
   * the `value` of the first key.
   */
  readonly turned: WarehouseStatement;
  /** Selects the `digits` of units with a value of the first key, in the order of the page: of the last value `turned` has others. */
  ofValue(value: string | number, limit: number): WarehouseStatement;
}

/** Returns the statements of such a part; null for any other part of a page. */
export function turnedPart(request: CountedPageRequest, dialect: Dialect): TurnedPart | null {
  const { conditions, sort, valued } = request;
  const [first, second] = sort;
  if (valued !== true || dialect.pagesInParts !== 'backwards' || first === undefined) return null;
  if (second?.field.name !== 'mastrNummer' || second.direction === first.direction) return null;
  // Free text would be searched for twice.
  if (conditions.some(({ filter }) => filter.compare === 'search')) return null;
  if (!isSortedBy(first, tableOf(request, dialect))) return null;
  const { direction, field } = first;
  const expression = fieldExpression(field, dialect);
  const digits = `${dialect.numberDigits(dialect.unitNumber)} AS digits`;
  const value = `${dialect.toJson(field.kind, expression)} AS value`;
  return {
    turned: unitsInOrder(request, dialect, {
      columns: [digits, value],
      order: [first, { ...second, direction }],
      where: () => [],
    }),
    ofValue: (common, limit) =>
      unitsInOrder({ ...request, limit }, dialect, {
        columns: [digits],
        order: [{ ...first, direction: second.direction }, second],
        where: (values) => [`${expression} = ${dialect.storedValue(comparisonTarget(field), String(common), values)}`],
      }),
  };
}

/** @param reading the columns, the order, and further conditions of what is selected of the units of a page */
function unitsInOrder(
  request: CountedPageRequest,
  dialect: Dialect,
  reading: {
    readonly columns: readonly string[];
    readonly order: readonly SortKey[];
    readonly where: (values: Binder) => readonly string[];
  },
): WarehouseStatement {
  const { conditions, sort, after, limit, valued, textsIn } = request;
  const values = binder();
  const table = tableOf(request, dialect);
  const units = unitsMeeting(conditions, table, dialect, values);
  const where = [
    ...units.conditions,
    ...(after === null ? [] : [(valued === true ? valuedAfterRow : afterRow)(sort, after, dialect, values)]),
    ...reading.where(values),
  ];
  const text = [
    `SELECT ${[...reading.columns, ...(textsIn?.has(table) ? ['units.zeile AS zeile'] : [])].join(', ')}`,
    units.from,
    whereAll(where),
    orderBy(reading.order, dialect, valued !== undefined && dialect.pagesInParts === 'backwards'),
    `LIMIT ${values.bind(limit)}`,
  ];
  const statement = withToday(text, values.values, request.today, dialect);
  return isSortedBy(sort[0], table) ? { ...statement, readsInOrder: true } : statement;
}

/** The table of a page, which is read from its beginning where an engine cannot start at a cursor. */
const tableOf = (
  { conditions, sort, total, delivered, limit }: CountedPageRequest,
  dialect: Pick<Dialect, 'narrowProjections' | 'costInOrder' | 'space' | 'startsAtCursor'>,
): Projection => projectionToList(conditions, sort, total, (dialect.startsAtCursor ? 0 : delivered) + limit, dialect);

const isSortedBy = (key: SortKey | undefined, table: Projection): boolean => PROJECTIONS[table][0] === key?.field.name;

/** Selects the number of units that meet the conditions, in one row as `total`. */
export function totalStatement({ conditions, today }: UnitCriteria, dialect: Dialect): WarehouseStatement {
  const values = binder();
  const [only, ...others] = conditions;
  if (only?.filter.compare === 'search' && others.length === 0) {
    const matching = matchingUnitsSql(searchWords(only), dialect, values);
    const text = `SELECT CAST(count(DISTINCT nummer) AS DOUBLE) AS total FROM (${matching})`;
    if (matching !== null) return { text, values: values.values };
  }
  const table = tableToCount(conditions, dialect);
  const counts = alternatives(conditions, table).map((some) => {
    const units = unitsMeeting(some, table, dialect, values);
    return ['SELECT count(*)', units.from, whereAll(units.conditions)].filter((line) => line !== '').join('\n');
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
