import type { UnitField } from '../../sql/catalogue/field.ts';
import { duckdbQuestions } from '../../sql/query/duckdb.ts';
import { type PageQuestion, pageStatement } from '../../sql/query/units.ts';
import { LIST_SEPARATOR, numberOf } from '../../sql/warehouse/rows/layout.ts';
import type { UnitTexts } from '../../sql/warehouse/rows/reader.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import type { UnitRow } from './unit.ts';

/** Units of a version: first which ones, from the question tables, then what they are, from the row file. */

/** A page of units with these fields and every sort key. */
export async function readUnits(
  dataset: Dataset,
  question: PageQuestion,
  fields: readonly UnitField[],
): Promise<UnitRow[]> {
  const found = await dataset.query<{ digits: number }>(pageStatement(question, duckdbQuestions));
  const numbers = found.map(({ digits }) => numberOf(digits));
  return unitRows(dataset, numbers, [...fields, ...question.sort.map(({ field }) => field)], question.today);
}

/** The units of these numbers that the version serves, in the order of the numbers given. */
export function unitRows(
  { units }: Dataset,
  numbers: readonly string[],
  fields: readonly UnitField[],
  today: string,
): UnitRow[] {
  return units.read(numbers).flatMap((texts) => (texts === null ? [] : [unitRow(texts, fields, today)]));
}

const unitRow = (texts: UnitTexts, fields: readonly UnitField[], today: string): UnitRow =>
  Object.fromEntries(fields.map((field) => [field.name, valueOf(texts, field, today)]));

function valueOf(texts: UnitTexts, { name, kind, derive }: UnitField, today: string): UnitRow[string] {
  if (derive !== null) return derive((column) => texts.get(column), today);
  const text = texts.get(name);
  if (text === undefined) return null;
  switch (kind) {
    case 'decimal':
    case 'degree':
    case 'integer':
    case 'signals':
      return Number(text);
    case 'boolean':
      return text === '1';
    case 'list':
      return text.split(LIST_SEPARATOR);
    default:
      return text;
  }
}
