import { z } from 'zod';
import { CSV } from './csv.ts';

/** An answer as a table, derived from its schema: the columns are the members of a row, in the order of the schema. */

/** The place of the rows in the body: a list of objects, or one object, which is a table of one row. */
export type RowsPath = 'data' | `data.${string}`;

interface Column {
  /** Members of nested objects are joined with a point: `pipeline.anzahl`. */
  readonly name: string;
  /** True: its values are calendar days. */
  readonly isDay: boolean;
  valueIn(row: unknown): unknown;
}

/** A table filled from one answer. */
export interface Table {
  readonly columns: readonly Pick<Column, 'isDay' | 'name'>[];
  readonly rows: readonly (readonly unknown[])[];
  /** Everything that the envelope has beside the rows. */
  readonly beside: Readonly<Record<string, unknown>>;
}

export interface TableForm {
  readonly columnNames: readonly string[];
  /**
   * Fills the table.
   * @param chosen the members of a row that this answer has, nested ones joined with a point; undefined = all
   */
  fill(body: unknown, chosen?: readonly string[]): Table;
}

/** @throws Error when the answer has no rows at that place */
export function tableForm(answer: z.ZodType, path: RowsPath): TableForm {
  const steps = path.split('.');
  const columns = columnsOf(rowSchema(answer, steps), []);
  return {
    columnNames: columns.map(({ name }) => name),
    fill(body, chosen) {
      const shown = chosen === undefined ? columns : columns.filter(({ name }) => isChosen(name, chosen));
      const found = valueAt(body, steps);
      const rows: readonly unknown[] = Array.isArray(found) ? found : [found];
      return {
        columns: shown.map(({ name, isDay }) => ({ name, isDay })),
        rows: rows.map((row) => shown.map((column) => column.valueIn(row))),
        beside: membersBeside(body, steps),
      };
    },
  };
}

/** The schema of an answer as CSV, for the description. */
export const csvSchema = ({ columnNames }: TableForm): z.ZodType =>
  z
    .string()
    .describe(
      `${CSV} (RFC 4180); the columns, of which an answer has those of its JSON form: ${columnNames.join(', ')}`,
    );

const isChosen = (name: string, chosen: readonly string[]): boolean =>
  chosen.some((one) => name === one || name.startsWith(`${one}.`));

function rowSchema(answer: z.ZodType, path: readonly string[]): z.ZodObject {
  let schema = plain(answer);
  for (const name of path) {
    const member = schema instanceof z.ZodObject ? schema.shape[name] : undefined;
    if (member === undefined) throw new Error(`The answer has no ${path.join('.')}`);
    schema = plain(member);
  }
  const row = schema instanceof z.ZodArray ? plain(schema.element) : schema;
  if (row instanceof z.ZodObject) return row;
  throw new Error(`${path.join('.')} holds no objects, so it is no table`);
}

/** The schema of the value itself, without what may be left out or null; of one that may be an object or a list, that of the list. */
function plain(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodUnion) {
    const list = schema.options.find((option) => option instanceof z.ZodArray);
    if (list !== undefined) return list;
  }
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? plain(schema.unwrap()) : schema;
}

function columnsOf(object: z.ZodObject, parents: readonly string[]): Column[] {
  return Object.entries(object.shape).flatMap(([name, member]) => {
    const path = [...parents, name];
    const value = plain(member);
    return value instanceof z.ZodObject
      ? columnsOf(value, path)
      : [{ name: path.join('.'), isDay: value instanceof z.ZodISODate, valueIn: (row: unknown) => valueAt(row, path) }];
  });
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    value,
  );
}

/** The members of `meta`, and those beside the rows on each level of their path. */
function membersBeside(body: unknown, path: readonly string[]): Record<string, unknown> {
  const { meta, ...envelope } = membersOf(body);
  const beside: Record<string, unknown> = { ...membersOf(meta) };
  let level: Readonly<Record<string, unknown>> = envelope;
  for (const step of path) {
    const { [step]: inside, ...others } = level;
    Object.assign(beside, others);
    level = Array.isArray(inside) ? {} : membersOf(inside);
  }
  return beside;
}
