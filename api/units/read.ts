import { z } from 'zod';
import { itemAt } from '../../runtime/present.ts';
import { carriersIn } from '../../sql/catalogue/carriers.ts';
import { columnsRead, type UnitField } from '../../sql/catalogue/field.ts';
import { leavesFew, leavesMany } from '../../sql/query/access-paths.ts';
import { type Condition, searchWords } from '../../sql/query/conditions.ts';
import {
  changedUnitRow,
  type Delta,
  deltaPageStatement,
  deltaTotalStatement,
  formerRowsStatement,
} from '../../sql/query/delta.ts';
import { precomputedTotal } from '../../sql/query/precomputed-total.ts';
import type { WarehouseStatement } from '../../sql/query/statement.ts';
import {
  type CountedPageRequest,
  countedPageStatement,
  type PageRequest,
  pageParts,
  pageStatement,
  searchPageStatement,
  type TurnedPart,
  totalStatement,
  turnedPart,
  type UnitCriteria,
} from '../../sql/query/units.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { itemsOf, type UnitTexts } from '../../sql/warehouse/rows/texts.ts';
import { privateRow } from '../state/rows.ts';
import type { ListedTexts, VersionReader } from '../warehouse/version.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import { pageByOrders, totalByOrders } from './by-order.ts';
import { type FoundUnits, MOST_NAMED, searchedCriteria, unitsWithWords, withUnitsFound } from './by-text.ts';

/** Reads units of a dataset version: projections say which ones a page has, and the row file says what they are. */

/** Field names to JSON values. */
export type UnitRow = Readonly<
  Record<string, string | number | boolean | readonly string[] | readonly object[] | null>
>;

const unitRow = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]));
const foundRow = z.strictObject({ digits: z.number(), total: z.number(), zeile: z.string().optional() });

/**
 * Reads a page and the number of units in all. Its rows have these fields and every sort key, in order.
 * @param delta restricts the page to what has changed; each row then says whether the unit is `geloescht`
 */
export async function readPage(
  dataset: Dataset,
  request: PageRequest,
  fields: readonly UnitField[],
  delta: Delta | null = null,
): Promise<{ rows: UnitRow[]; total: number }> {
  const columns = new Set([...fields, ...request.sort.map(({ field }) => field)]);
  if (delta !== null) return pageOfDelta(dataset, await withUnitsFound(dataset, request), columns, delta);
  const { numbers, total, texts } =
    (await pageOfNumbers(dataset, request, columns)) ??
    (await pageOfSearch(dataset, request)) ??
    (await pageOfProjection(dataset, request, textsFor(dataset, columns)));
  return { rows: await readRows(dataset, numbers, columns, request.today, texts), total };
}

/** Reads units by number, in the given order, with these fields; numbers that the version does not serve are left out. */
export const unitsByNumber = (
  dataset: Dataset,
  numbers: readonly string[],
  fields: readonly UnitField[],
  today: string,
): Promise<UnitRow[]> => readRows(dataset, numbers, new Set(fields), today);

interface PageOfNumbers {
  /** MaStR numbers, in the order of the page. */
  readonly numbers: readonly string[];
  readonly total: number;
  /** The texts of the units, where the page was read from a table that has them. */
  readonly texts?: readonly UnitTexts[] | undefined;
}

/** Returns the texts of the version that a page with these fields can be answered from; null where it has none. */
function textsFor({ units }: Dataset, fields: ReadonlySet<UnitField>): ListedTexts | null {
  const { listed } = units;
  return listed?.has(new Set([...fields].flatMap(columnsRead))) === true ? listed : null;
}

/**
 * A list of numbers alone needs no table. Mostly all of them are there, so the page is read while the others are looked for, which
 * count.
 */
async function pageOfNumbers(
  { units }: Dataset,
  request: PageRequest,
  fields: ReadonlySet<UnitField>,
): Promise<PageOfNumbers | null> {
  const only = onlyCondition(request);
  if (only?.filter.name !== 'mastrNummern' || !isInOrderOfNumbers(request)) return null;
  const columns = new Set([...fields].flatMap(columnsRead));
  const read = async (numbers: readonly string[]) => {
    const rows = await units.read(numbers, columns);
    return rows.flatMap((texts, index) => (texts === null ? [] : [{ number: itemAt(numbers, index), texts }]));
  };
  const after = String(request.after?.[0] ?? '');
  const named = [...new Set(only.value as readonly string[])].sort();
  const first = named.filter((number) => number > after).slice(0, request.limit);
  const others = named.filter((number) => number <= after || number > (first.at(-1) ?? after));
  const [page, existing] = await Promise.all([read(first), units.existing(others)]);
  const following = [...existing].filter((number) => number > after).slice(0, request.limit - page.length);
  const found = [...page, ...(following.length === 0 ? [] : await read(following))];
  return {
    numbers: found.map(({ number }) => number),
    texts: found.map(({ texts }) => texts),
    total: page.length + existing.size,
  };
}

/** Free text alone is answered by the search index, or by the search tables. */
async function pageOfSearch(dataset: Dataset, request: PageRequest): Promise<PageOfNumbers | null> {
  const only = onlyCondition(request);
  if (only?.filter.compare !== 'search' || !isInOrderOfNumbers(request)) return null;
  const found = await unitsWithWords(dataset, searchWords(only));
  if (found !== null) {
    const after = request.after === null ? null : String(request.after[0]);
    return { numbers: found.after(after, request.limit), total: found.count };
  }
  const statement = searchPageStatement(searchWords(only), request, dataset.dialects.projections);
  if (statement === null) return null;
  const rows = await dataset.query(foundRow, statement);
  return { numbers: rows.map(({ digits }) => unitNumberOf(digits)), total: request.total ?? rows[0]?.total ?? 0 };
}

async function pageOfProjection(
  dataset: Dataset,
  asked: PageRequest,
  listed: ListedTexts | null,
): Promise<PageOfNumbers> {
  const { criteria: request, found } = await searchedCriteria(dataset, asked);
  const dialect = dataset.dialects.projections;
  const first = found === null ? null : await firstWithWords(dataset, request, found);
  if (first?.total != null) return { ...first, total: first.total };
  const counted = (): WarehouseStatement =>
    precomputedTotal(request.conditions, dialect) ?? totalStatement(request, dialect);
  const known = request.total ?? totalByOrders(dataset.orders, request.conditions);
  const uncounted = first === null && known === null ? await pageUncounted(dataset, request, counted, listed) : null;
  if (uncounted !== null) return uncounted;
  const total = known ?? (await dataset.total(counted()));
  if (first !== null) return { numbers: first.numbers, total };
  return { ...(await unitsOf(dataset, { ...request, total }, listed)), total };
}

/** Reads a page that does not wait for its total; null where the total decides about how the page is read. */
async function pageUncounted(
  dataset: Dataset,
  request: PageRequest,
  counted: () => WarehouseStatement,
  listed: ListedTexts | null,
): Promise<PageOfNumbers | null> {
  if (leavesMany(request.conditions)) {
    const many = { ...request, total: Number.POSITIVE_INFINITY };
    const [total, page] = await Promise.all([dataset.total(counted()), unitsOf(dataset, many, listed)]);
    return { ...page, total };
  }
  const dialect = dataset.dialects.projections;
  if (request.after !== null || !leavesFew(request.conditions, dialect)) return null;
  const rows = await dataset.query(foundRow, countedPageStatement(withTexts(request, listed), dialect));
  return { ...foundUnits(rows, listed), total: rows[0]?.total ?? 0 };
}

/** Asks for the texts of units, too, where they may be read from. */
const withTexts = <Request extends PageRequest>(request: Request, listed: ListedTexts | null) =>
  listed === null ? request : { ...request, textsIn: listed.tables };

/** The units of a page, with their texts where each of them has one. */
function foundUnits(found: readonly FoundUnit[], listed: ListedTexts | null): Pick<PageOfNumbers, 'numbers' | 'texts'> {
  const texts = found.flatMap(({ zeile = '' }) => (zeile === '' || listed === null ? [] : [listed.textsOf(zeile)]));
  return {
    numbers: found.map(({ digits }) => unitNumberOf(digits)),
    texts: texts.length === found.length ? texts : undefined,
  };
}

/** @param listed where the units may be read from, too */
async function unitsOf(
  dataset: Dataset,
  request: CountedPageRequest,
  listed: ListedTexts | null,
): Promise<Pick<PageOfNumbers, 'numbers' | 'texts'>> {
  const ordered = await pageByOrders(dataset.orders, request);
  if (ordered !== null) return { numbers: ordered };
  return foundUnits(await pageByStatements(dataset, withTexts(request, listed)), listed);
}

/** Units that are looked at for a page, all that a statement names and one more: reading so many numbers takes few milliseconds. */
const MOST_LOOKED_AT = MOST_NAMED + 1;

/**
 * Reads a page of units with words by looking at the first units that meet the other conditions: those that have the words, when
 * the conditions name them, otherwise all.
 * @returns null when these do not fill the page; its total is null when not all units were looked at
 */
async function firstWithWords(
  dataset: Dataset,
  request: PageRequest,
  units: FoundUnits,
): Promise<{ numbers: string[]; total: number | null } | null> {
  const areNamed = units.count <= MOST_NAMED;
  // Of a later page the total is known, and the statement of the page is enough.
  if (areNamed && request.total !== null) return null;
  const { numbers: lookedAt } = await unitsOf(
    dataset,
    {
      ...request,
      conditions: areNamed
        ? request.conditions
        : request.conditions.filter(({ filter }) => filter.compare !== 'search'),
      limit: MOST_LOOKED_AT,
      total: areNamed ? units.count : (dataset.search?.places.count ?? 0),
    },
    null,
  );
  const having = lookedAt.filter(units.has);
  const areAll = lookedAt.length < MOST_LOOKED_AT;
  if (having.length < request.limit && !areAll) return null;
  return {
    numbers: having.slice(0, request.limit),
    total: areAll && request.after === null ? having.length : request.total,
  };
}

/** Rows that are served come from the row file, all others from the tables of former rows. */
async function pageOfDelta(
  dataset: Dataset,
  request: PageRequest,
  fields: ReadonlySet<UnitField>,
  delta: Delta,
): Promise<{ rows: UnitRow[]; total: number }> {
  const dialect = dataset.dialects.units;
  const total = request.total ?? (await dataset.total(deltaTotalStatement(request, delta, dialect)));
  const changed = await dataset.query(changedUnitRow, deltaPageStatement(request, delta, dialect));
  const changedNumbers = (isFormer: boolean): string[] =>
    changed.filter((row) => row.isFormer === isFormer).map(({ mastrNummer }) => mastrNummer);
  const former = changedNumbers(true);
  const rows = new Map(
    [
      ...(await readRows(dataset, changedNumbers(false), fields, request.today)),
      ...(former.length === 0 ? [] : await formerRows(dataset, former, request, delta, fields)),
    ].map((row) => [row.mastrNummer, row]),
  );
  return { rows: changed.map(({ mastrNummer, geloescht }) => ({ ...rows.get(mastrNummer), geloescht })), total };
}

async function formerRows(
  dataset: Dataset,
  numbers: readonly string[],
  request: PageRequest,
  delta: Delta,
  fields: ReadonlySet<UnitField>,
): Promise<UnitRow[]> {
  const [rows, present] = await Promise.all([
    dataset.query(unitRow, formerRowsStatement(numbers, request, delta, fields, dataset.dialects.units)),
    dataset.units.read(numbers, new Set(['mastrNummer', 'bruttoleistungKw'])),
  ]);
  const now = new Map(numbers.map((number, index) => [number, itemAt(present, index)]));
  return rows.map((row) => privateRow(parsedRow(row, fields), now.get(String(row.mastrNummer)) ?? null));
}

/** Reads what a row of the engine has in another form: objects as the text of their JSON, sets of carriers as bit masks. */
function parsedRow(row: z.infer<typeof unitRow>, fields: ReadonlySet<UnitField>): UnitRow {
  const parsed: Record<string, UnitRow[string]> = { ...row };
  for (const { name, kind } of fields) {
    const value = row[name];
    if (kind === 'objects' && typeof value === 'string') parsed[name] = JSON.parse(value) as readonly object[];
    if (kind === 'carriers' && typeof value === 'number') parsed[name] = carriersIn(value);
  }
  return parsed;
}

function onlyCondition({ conditions }: UnitCriteria): Condition | null {
  const [only, ...others] = conditions;
  return only === undefined || others.length > 0 ? null : only;
}

const isInOrderOfNumbers = ({ sort: [key] }: PageRequest): boolean =>
  key?.field.name === 'mastrNummer' && key.direction === 'asc';

async function readRows(
  { units }: Dataset,
  numbers: readonly string[],
  fields: ReadonlySet<UnitField>,
  today: string,
  known?: readonly UnitTexts[],
): Promise<UnitRow[]> {
  const found = known ?? (await units.read(numbers, new Set([...fields].flatMap(columnsRead))));
  return found.flatMap((texts) => (texts === null ? [] : [rowOf(texts, fields, today)]));
}

/** The values are assigned one by one, as pairs for `Object.fromEntries` take twice as long for thousands of them. */
export function rowOf(texts: UnitTexts, fields: ReadonlySet<UnitField>, today: string): UnitRow {
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
    case 'anomalies':
      return Number(text);
    case 'boolean':
      return text === '1';
    case 'list':
      return itemsOf(text);
    case 'carriers':
      return carriersIn(Number(text));
    case 'objects':
      return JSON.parse(text) as readonly object[];
    default:
      return text;
  }
}

/** Pages of units by statements, part by part. */

const pageRow = z.strictObject({ digits: z.number(), zeile: z.string().optional() });
const turnedRow = z.strictObject({ ...pageRow.shape, value: z.union([z.string(), z.number()]) });

/** A unit of a page: the twelve digits of its number, and its text where the page was read from a table that has it. */
export type FoundUnit = Pick<z.infer<typeof pageRow>, 'digits' | 'zeile'>;

/** Returns the units of a page, in order. */
export async function pageByStatements(
  { dialects, query }: Pick<VersionReader, 'dialects' | 'query'>,
  request: CountedPageRequest,
): Promise<FoundUnit[]> {
  const dialect = dialects.projections;
  const read = (statement: WarehouseStatement): Promise<FoundUnit[]> => query(pageRow, statement);
  const found: FoundUnit[] = [];
  for (const part of pageParts(request, dialect)) {
    const limit = request.limit - found.length;
    if (limit === 0) break;
    const asked = { ...part, limit };
    const turned = turnedPart(asked, dialect);
    found.push(
      ...(turned === null
        ? await read(pageStatement(asked, dialect))
        : await unitsOfTurned(turned, limit, await query(turnedRow, turned.turned), read)),
    );
  }
  return found;
}

/** Turns the units of each value. Where more units have the last value than were read, its first ones are read instead. */
async function unitsOfTurned(
  { ofValue }: TurnedPart,
  limit: number,
  rows: readonly z.infer<typeof turnedRow>[],
  read: (statement: WarehouseStatement) => Promise<FoundUnit[]>,
): Promise<FoundUnit[]> {
  const groups = Map.groupBy(rows, ({ value }) => value);
  const last = rows.at(-1)?.value;
  const isCut = rows.length === limit && last !== undefined;
  const whole = [...groups].filter(([value]) => !isCut || value !== last).flatMap(([, units]) => units.toReversed());
  return isCut ? [...whole, ...(await read(ofValue(last, limit - whole.length)))] : whole;
}
