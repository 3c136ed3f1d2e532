import type { UnitField } from '../catalogue/field.ts';
import { type Condition, conditionSql, fieldExpression, whereAll } from './conditions.ts';
import { type Delta, deltaRows } from './delta.ts';
import type { Dialect } from './dialect.ts';
import { afterRow, type KeyValue, orderBy, type SortKey } from './keyset.ts';
import { type Binder, binder, type Statement } from './statement.ts';

/** A question about units: what is asked, before it is said in the words of an engine. */
export interface UnitQuestion {
  readonly fields: readonly UnitField[];
  readonly conditions: readonly Condition[];
  /** Ends with mastrNummer, which makes the order total. */
  readonly sort: readonly SortKey[];
  /** Key values of the last row already delivered; null = from the beginning. */
  readonly after: readonly KeyValue[] | null;
  readonly limit: number;
  /** Calendar day that counts as today, YYYY-MM-DD. */
  readonly today: string;
  /** Only what has changed; each row then says whether the unit is `geloescht`. */
  readonly delta?: Delta | null;
}

/** Which units a question is about. */
export type Criteria = Pick<UnitQuestion, 'conditions' | 'today' | 'delta'>;

/** The rows that a question is about: where they come from, and the conditions that are left to check. */
function matching(
  { conditions, delta }: Criteria,
  dialect: Dialect,
  values: Binder,
): { from: string; where: string[] } {
  if (delta) return { from: `FROM ${deltaRows(conditions, delta, dialect, values)}`, where: [] };
  return { from: 'FROM units', where: conditions.map((condition) => conditionSql(condition, dialect, values)) };
}

/** One page: a row per unit with the fields asked for and every sort key, each under its name. */
export function pageStatement(question: UnitQuestion, dialect: Dialect): Statement {
  const { sort, after, limit } = question;
  const fields = [...new Set([...question.fields, ...sort.map(({ field }) => field)])];
  const values = binder();
  const { from, where } = matching(question, dialect, values);
  if (after !== null) where.push(afterRow(sort, after, dialect, values));
  const text = [
    question.delta ? `${select(fields, dialect)},\n  units.geloescht AS geloescht` : select(fields, dialect),
    from,
    whereAll(where),
    orderBy(sort, dialect),
    `LIMIT ${values.bind(limit)}`,
  ];
  return withToday(text, values.values, question.today, dialect);
}

/** The number of units that meet the conditions, in one row as `total`; sort and position play no part. */
export function totalStatement(question: Criteria, dialect: Dialect): Statement {
  const values = binder();
  const { from, where } = matching(question, dialect, values);
  const text = ['SELECT CAST(count(*) AS DOUBLE) AS total', from, whereAll(where)];
  return withToday(text, values.values, question.today, dialect);
}

/** One unit by its number, in at most one row: mastrNummer is unique. */
export function unitStatement(
  number: string,
  fields: readonly UnitField[],
  today: string,
  dialect: Dialect,
): Statement {
  const values = binder();
  const where = `WHERE units.${dialect.column('mastrNummer')} = ${values.bind(number)}`;
  return withToday([select(fields, dialect), 'FROM units', where], values.values, today, dialect);
}

/** Those of these numbers that the version serves as units: rows of `mastrNummer`. */
export function knownUnitsStatement(numbers: readonly string[], dialect: Dialect): Statement {
  const values = binder();
  const column = `units.${dialect.column('mastrNummer')}`;
  const known = numbers.map((number) => values.bind(number));
  return {
    text: `SELECT ${column} AS ${dialect.column('mastrNummer')} FROM units WHERE ${column} IN (${known.join(', ')})`,
    values: values.values,
  };
}

function select(fields: readonly UnitField[], dialect: Dialect): string {
  const columns = fields.map(
    (field) => `  ${dialect.toJson(field.kind, fieldExpression(field, dialect))} AS ${dialect.column(field.name)}`,
  );
  return `SELECT\n${columns.join(',\n')}`;
}

/** `$today`, as the catalogue's expressions write it, becomes a typed parameter, bound only where it occurs. */
function withToday(lines: string[], values: Statement['values'], today: string, dialect: Dialect): Statement {
  const text = lines.filter((line) => line !== '').join('\n');
  if (!text.includes('$today')) return { text, values };
  return {
    text: text.replaceAll('$today', dialect.storedValue('day', '$today')),
    values: { ...values, today },
  };
}
