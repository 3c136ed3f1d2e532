import type { UnitField } from '../../sql/catalogue/field.ts';
import { duckdb } from '../../sql/query/duckdb.ts';
import { pageStatement, totalStatement, type UnitQuestion, unitStatement } from '../../sql/query/units.ts';
import type { Dataset } from '../warehouse/warehouse.ts';

/** Units as a dataset version has them. */

/** A unit as the warehouse gives it: field names to JSON values. */
export type UnitRow = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;

/** A page: rows with the fields asked for and every sort key, in order. */
export const readUnits = (dataset: Dataset, question: UnitQuestion): Promise<UnitRow[]> =>
  dataset.query<UnitRow>(pageStatement(question, duckdb));

/** How many units meet the conditions. */
export async function countUnits(
  dataset: Dataset,
  question: Pick<UnitQuestion, 'conditions' | 'today'>,
): Promise<number> {
  const [row] = await dataset.query<{ total: number }>(totalStatement(question, duckdb));
  return row!.total;
}

/** One unit with these fields; undefined when the version does not serve it. */
export async function readUnit(
  dataset: Dataset,
  number: string,
  fields: readonly UnitField[],
  today: string,
): Promise<UnitRow | undefined> {
  const [row] = await dataset.query<UnitRow>(unitStatement(number, fields, today, duckdb));
  return row;
}
