import type { Projection } from '../catalogue/projections.ts';
import { alternatives, projectionToCount, projectionToList } from './access-paths.ts';
import { type Condition, conditionSql, searchWords, whereAll } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { afterRow, type KeyValue, orderBy, type SortKey } from './keyset.ts';
import { binder, type Statement } from './statement.ts';
import { foundSql, type Word } from './suche.ts';

/**
 * Questions about units: which ones are meant, and how many. What they are is read from the row file of the version
 * (sql/warehouse/rows), by their numbers.
 */

/** Which units are meant, before it is said in the words of an engine. */
export interface Criteria {
  readonly conditions: readonly Condition[];
  /** Calendar day that counts as today, YYYY-MM-DD. */
  readonly today: string;
}

export interface PageQuestion extends Criteria {
  /** Ends with mastrNummer, which makes the order total. */
  readonly sort: readonly SortKey[];
  /** Key values of the last row already delivered; null = from the beginning. */
  readonly after: readonly KeyValue[] | null;
  /** Rows delivered before this page. */
  readonly delivered: number;
  readonly limit: number;
  /** Number of units that meet the conditions; it decides in which table the page is looked for. */
  readonly total: number;
}

/** One page: in order, the twelve digits of each unit's number as `digits`. */
export function pageStatement(question: PageQuestion, dialect: Dialect): Statement {
  const { conditions, sort, after, delivered, limit, total } = question;
  const values = binder();
  const where = conditions.map((condition) => conditionSql(condition, dialect, values));
  if (after !== null) where.push(afterRow(sort, after, dialect, values));
  const table = projectionToList(conditions, sort, total, delivered + limit);
  const text = [
    `SELECT ${dialect.numberDigits(dialect.unitNumber)} AS digits`,
    from(table),
    whereAll(where),
    orderBy(sort, dialect),
    `LIMIT ${values.bind(limit)}`,
  ];
  return withToday(text, values.values, question.today, dialect);
}

/** The number of units that meet the conditions, in one row as `total`. */
export function totalStatement({ conditions, today }: Criteria, dialect: Dialect): Statement {
  const values = binder();
  const [only, ...others] = conditions;
  if (only?.filter.compare === 'search' && others.length === 0) {
    const found = foundSql(searchWords(only), dialect, values);
    const text = `SELECT CAST(count(DISTINCT nummer) AS DOUBLE) AS total FROM (${found})`;
    if (found !== null) return { text, values: values.values };
  }
  const table = projectionToCount(conditions);
  const counts = alternatives(conditions, table).map((some) => {
    const where = some.map((condition) => conditionSql(condition, dialect, values));
    return ['SELECT count(*)', from(table), whereAll(where)].filter((line) => line !== '').join('\n');
  });
  return withToday([`SELECT CAST((${counts.join(') + (')}) AS DOUBLE) AS total`], values.values, today, dialect);
}

/**
 * A page of what free text alone finds, in the order of the numbers: no table of units need be asked. Each row has the
 * total beside it, as finding the units once more would cost as much again.
 * @param words the words of a condition that is the only one
 * @returns null where every unit has the words
 */
export function foundPageStatement(
  words: readonly Word[],
  { after, limit }: Pick<PageQuestion, 'after' | 'limit'>,
  dialect: Dialect,
): Statement | null {
  const values = binder();
  const found = foundSql(words, dialect, values);
  if (found === null) return null;
  const behind = after === null ? [] : [`nummer > ${dialect.numberBits(String(after[0]), values)}`];
  const text = [
    `WITH gefunden AS MATERIALIZED (SELECT DISTINCT nummer FROM (${found}))`,
    `SELECT ${dialect.numberDigits('nummer')} AS digits, (SELECT CAST(count(*) AS DOUBLE) FROM gefunden) AS total`,
    'FROM gefunden',
    whereAll(behind),
    `ORDER BY nummer LIMIT ${values.bind(limit)}`,
  ];
  return { text: text.filter((line) => line !== '').join('\n'), values: values.values };
}

/** The table of a question; conditions name it `units`, whichever it is. */
export const from = (table: Projection): string => `FROM ${table} AS units`;

/** `$today`, as the catalogue's expressions write it, becomes a typed parameter, bound only where it occurs. */
export function withToday(lines: string[], values: Statement['values'], today: string, dialect: Dialect): Statement {
  const text = lines.filter((line) => line !== '').join('\n');
  if (!text.includes('$today')) return { text, values };
  return {
    text: text.replaceAll('$today', () => dialect.day('$today')),
    values: { ...values, today },
  };
}
