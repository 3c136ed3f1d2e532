import type { UnitField } from '../../sql/catalogue/field.ts';
import { type Condition, searchWords } from '../../sql/query/conditions.ts';
import {
  type Changed,
  type Delta,
  deltaPageStatement,
  deltaTotalStatement,
  formerRowsStatement,
} from '../../sql/query/delta.ts';
import { precomputedTotal } from '../../sql/query/precomputed-total.ts';
import {
  type Criteria,
  foundPageStatement,
  type PageQuestion,
  pageStatement,
  totalStatement,
} from '../../sql/query/units.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { itemsOf, type UnitTexts } from '../../sql/warehouse/rows/reader.ts';
import type { Dataset } from '../warehouse/warehouse.ts';

/** Units as a dataset version has them: which ones are meant say the question tables, what they are their rows. */

/** Field names to JSON values. */
export type UnitRow = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;

/** What is asked of a page; the total where an earlier page has told it. */
export type PageAsked = Omit<PageQuestion, 'total'> & { readonly total: number | null };

/**
 * A page and how many units there are in all. The rows have these fields and every sort key, in order.
 * @param delta only what has changed; each row then says whether the unit is `geloescht`
 */
export async function readPage(
  dataset: Dataset,
  question: PageAsked,
  fields: readonly UnitField[],
  delta: Delta | null = null,
): Promise<{ rows: UnitRow[]; total: number }> {
  const columns = new Set([...fields, ...question.sort.map(({ field }) => field)]);
  if (delta !== null) return pageChanged(dataset, question, columns, delta);
  const { numbers, total } =
    (await pageOfNamed(dataset, question)) ??
    (await pageFound(dataset, question)) ??
    (await pageOfTables(dataset, question));
  return { rows: await rowsOf(dataset, numbers, columns, question.today), total };
}

/** Of the units of these numbers those that the version serves, with these fields, in the order asked for. */
export const unitsNamed = (
  dataset: Dataset,
  numbers: readonly string[],
  fields: readonly UnitField[],
  today: string,
): Promise<UnitRow[]> => rowsOf(dataset, numbers, new Set(fields), today);

/** Which units a page shows, by their MaStR numbers, and how many there are in all. */
interface Page {
  readonly numbers: readonly string[];
  readonly total: number;
}

/** Where the question is nothing but a list of numbers, no table need be asked. */
async function pageOfNamed(dataset: Dataset, question: PageAsked): Promise<Page | null> {
  const only = onlyCondition(question);
  if (only?.filter.name !== 'mastrNummern' || !isInOrderOfNumbers(question)) return null;
  const known = [...(await dataset.units.known(only.value as readonly string[]))];
  const after = String(question.after?.[0] ?? '');
  const numbers = known.filter((number) => number > after).sort();
  return { numbers: numbers.slice(0, question.limit), total: known.length };
}

/** Where the question is nothing but free text. */
async function pageFound(dataset: Dataset, question: PageAsked): Promise<Page | null> {
  const only = onlyCondition(question);
  if (only?.filter.compare !== 'search' || !isInOrderOfNumbers(question)) return null;
  const statement = foundPageStatement(searchWords(only), question, dataset.dialects.projections);
  if (statement === null) return null;
  const rows = await dataset.query<{ digits: number; total: number }>(statement);
  return { numbers: rows.map(({ digits }) => unitNumberOf(digits)), total: question.total ?? rows[0]?.total ?? 0 };
}

async function pageOfTables(dataset: Dataset, question: PageAsked): Promise<Page> {
  const dialect = dataset.dialects.projections;
  const counted = precomputedTotal(question.conditions, dialect) ?? totalStatement(question, dialect);
  const total = question.total ?? (await dataset.total(counted));
  const rows = await dataset.query<{ digits: number }>(pageStatement({ ...question, total }, dialect));
  return { numbers: rows.map(({ digits }) => unitNumberOf(digits)), total };
}

/** A page of what has changed: rows that are served come from their file, all others from the tables of former rows. */
async function pageChanged(
  dataset: Dataset,
  question: PageAsked,
  fields: ReadonlySet<UnitField>,
  delta: Delta,
): Promise<{ rows: UnitRow[]; total: number }> {
  const dialect = dataset.dialects.units;
  const total = question.total ?? (await dataset.total(deltaTotalStatement(question, delta, dialect)));
  const changed = await dataset.query<Changed>(deltaPageStatement(question, delta, dialect));
  const numbersOf = (isFormer: boolean): string[] =>
    changed.filter(({ frueher }) => frueher === isFormer).map(({ mastrNummer }) => mastrNummer);
  const former = numbersOf(true);
  const rows = new Map(
    [
      ...(await rowsOf(dataset, numbersOf(false), fields, question.today)),
      ...(former.length === 0
        ? []
        : await dataset.query<UnitRow>(formerRowsStatement(former, question, delta, fields, dialect))),
    ].map((row) => [row.mastrNummer, row]),
  );
  return { rows: changed.map(({ mastrNummer, geloescht }) => ({ ...rows.get(mastrNummer), geloescht })), total };
}

function onlyCondition({ conditions }: Criteria): Condition | null {
  const [only, ...others] = conditions;
  return only === undefined || others.length > 0 ? null : only;
}

const isInOrderOfNumbers = ({ sort: [key] }: PageAsked): boolean =>
  key?.field.name === 'mastrNummer' && key.direction === 'asc';

async function rowsOf(
  { units }: Dataset,
  numbers: readonly string[],
  fields: ReadonlySet<UnitField>,
  today: string,
): Promise<UnitRow[]> {
  const columns = new Set([...fields].flatMap(columnsOf));
  const found = await units.read(numbers, columns);
  return found.flatMap((texts) => (texts === null ? [] : [rowOf(texts, fields, today)]));
}

/** What the value of a field is read, or worked out, from. */
const columnsOf = ({ name, read, derive }: UnitField): readonly string[] =>
  derive === null ? [name] : ((read ?? name).match(/\w+/g) ?? []);

/** Assigned one by one: pairs for `Object.fromEntries` cost twice as much, in a page of thousands of values. */
function rowOf(texts: UnitTexts, fields: ReadonlySet<UnitField>, today: string): UnitRow {
  const row: Record<string, UnitRow[string]> = {};
  for (const field of fields) row[field.name] = jsonValue(texts, field, today);
  return row;
}

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
      return itemsOf(text);
    default:
      return text;
  }
}
