import type { UnitField } from '../../sql/catalogue/field.ts';
import { countedTotal } from '../../sql/query/counted.ts';
import { type Delta, deltaPageStatement, deltaTotalStatement } from '../../sql/query/delta.ts';
import { duckdb, duckdbQuestions } from '../../sql/query/duckdb.ts';
import { type Criteria, type PageQuestion, pageStatement, totalStatement } from '../../sql/query/units.ts';
import { LIST_SEPARATOR, numberOf } from '../../sql/warehouse/rows/layout.ts';
import type { UnitTexts } from '../../sql/warehouse/rows/reader.ts';
import type { Dataset } from '../warehouse/warehouse.ts';

/** Units as a dataset version has them: which ones are meant say the question tables, what they are the row file. */

/** Field names to JSON values. */
export type UnitRow = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;

/**
 * A page: rows with these fields and every sort key, in order.
 * @param delta only what has changed; each row then says whether the unit is `geloescht`
 */
export async function readUnits(
  dataset: Dataset,
  question: PageQuestion,
  fields: readonly UnitField[],
  delta: Delta | null = null,
): Promise<UnitRow[]> {
  if (delta !== null) return dataset.query(deltaPageStatement(question, delta, fields, duckdb));
  const columns = new Set([...fields, ...question.sort.map(({ field }) => field)]);
  return rowsOf(dataset, await numbersOf(dataset, question), columns, question.today);
}

/** How many units meet the conditions. */
export async function countUnits(dataset: Dataset, criteria: Criteria, delta: Delta | null = null): Promise<number> {
  if (delta !== null) return dataset.total(deltaTotalStatement(criteria, delta, duckdb));
  const named = namedUnits(criteria);
  if (named !== null) return named.filter((number) => dataset.units.has(number)).length;
  return dataset.total(countedTotal(criteria.conditions, duckdbQuestions) ?? totalStatement(criteria, duckdbQuestions));
}

/** Of the units of these numbers those that the version serves, with these fields, in the order asked for. */
export const unitsNamed = (
  dataset: Dataset,
  numbers: readonly string[],
  fields: readonly UnitField[],
  today: string,
): UnitRow[] => rowsOf(dataset, numbers, new Set(fields), today);

async function numbersOf(dataset: Dataset, question: PageQuestion): Promise<readonly string[]> {
  const named = namedUnits(question);
  const [key] = question.sort;
  if (named !== null && key?.field.name === 'mastrNummer' && key.direction === 'asc') {
    const after = String(question.after?.[0] ?? '');
    const known = named.filter((number) => number > after && dataset.units.has(number));
    return known.sort().slice(0, question.limit);
  }
  const found = await dataset.query<{ digits: number }>(pageStatement(question, duckdbQuestions));
  return found.map(({ digits }) => numberOf(digits));
}

/** The numbers where the question is nothing but a list of them: no table need be asked. */
function namedUnits({ conditions }: Criteria): string[] | null {
  const [only, ...others] = conditions;
  return only?.filter.name === 'mastrNummern' && others.length === 0 ? [...(only.value as string[])] : null;
}

function rowsOf(
  { units }: Dataset,
  numbers: readonly string[],
  fields: ReadonlySet<UnitField>,
  today: string,
): UnitRow[] {
  return units.read(numbers).flatMap((texts) => (texts === null ? [] : [rowOf(texts, fields, today)]));
}

const rowOf = (texts: UnitTexts, fields: ReadonlySet<UnitField>, today: string): UnitRow =>
  Object.fromEntries([...fields].map((field) => [field.name, jsonValue(texts, field, today)]));

function jsonValue(texts: UnitTexts, { name, kind, derive }: UnitField, today: string): UnitRow[string] {
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
