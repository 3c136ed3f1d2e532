import { z } from 'zod';
import {
  COURSE,
  differingColumns,
  type FormerTable,
  formerRows,
  type HeldRow,
  heldRow,
  heldRows,
  isOneText,
  namesOfActors,
} from '../../sql/query/history.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import type { UnitTexts } from '../../sql/warehouse/rows/texts.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import { type FormerRow, formerRow, isPlainJson, privateRow, textsOfRow, wideColumns } from './rows.ts';

/** Finds the rows that units had: first by few columns which there are, and then those that are wanted. */

const textRow = z.strictObject({ row: z.string().transform((text) => formerRow.parse(JSON.parse(text))) });

/** Reads which rows units had and have, by number. A unit that always was as it is may have none. */
export async function heldBy(numbers: readonly string[], version: Dataset): Promise<Map<string, HeldRow[]>> {
  if (numbers.length === 0) return new Map();
  const { dialects, query, tables } = version;
  const rows = await query(heldRow, heldRows(numbers, dialects.units, tables.has(COURSE)));
  return Map.groupBy(rows, ({ digits }) => unitNumberOf(digits));
}

/** A row that a unit had, with the builds in which it began and ended. */
export interface EndedRow {
  readonly texts: UnitTexts;
  readonly begin: number;
  readonly end: number;
  /** Why the unit left with it; null: it was replaced. */
  readonly reason: string | null;
}

/**
 * Reads the former rows of units, by number and in no order, without what must not be shown of a unit today. Of most,
 * the columns alone are read in which they differ from the present row: some three of 171.
 * @param held all rows of these units
 * @param present their present rows by number, with mastrNummer, bruttoleistungKw and all columns that are wanted
 */
export async function endedRows(
  held: ReadonlyMap<string, readonly HeldRow[]>,
  present: ReadonlyMap<string, UnitTexts | null>,
  version: Dataset,
): Promise<Map<string, EndedRow[]>> {
  const withPast = [...held].filter(([, rows]) => rows.some(({ table }) => table !== 'units'));
  const differing = new Map(withPast.map(([number, rows]) => [number, differingColumns(rows)]));
  const isRead = (whole: boolean) => withPast.filter(([number]) => (differing.get(number) === null) === whole);
  const columns = [...new Set([...differing.values()].flatMap((names) => names ?? []))];
  // Most units have the operator that they had, whose present name stands in their row: to look for it takes longer than all else.
  const today = new Map(
    withPast.map(([number]) => {
      const now = present.get(number);
      return [now?.get('betreiberMastrNummer'), now?.get('betreiberName') ?? null];
    }),
  );
  const operators = distinct([...today.keys()]);
  const [whole, inPart, names] = await Promise.all([
    rowsOf(isRead(true), null, version),
    rowsOf(isRead(false), columns, version),
    namesOf(operators, ['akteurnamen'], version),
  ]);
  names.push(...operators.map((number) => ({ number, name: today.get(number) ?? null, until: null })));
  const rows = [...whole, ...inPart];
  const former = distinct(rows.map(({ betreiberMastrNummer }) => betreiberMastrNummer));
  const others = former.filter((number) => !operators.includes(number));
  names.push(...(await namesOf(others, ['marktakteure', 'akteurnamen'], version)));
  const ended = rows.map((row) => {
    const number = String(row.mastrNummer);
    const now = present.get(number) ?? null;
    const own = textsOfRow(privateRow({ ...row, betreiberName: operatorOf(row, names) }, now));
    const common = differing.get(number) == null ? [] : [...(now ?? [])].filter(([name]) => !columns.includes(name));
    return {
      number,
      texts: new Map([...common, ...own]),
      begin: Number(row.seit),
      end: Number(row.bis),
      reason: row.grund === '' ? null : String(row.grund),
    };
  });
  return Map.groupBy(ended, ({ number }) => number);
}

/** Reads the former rows of units as the engine has them. @param columns those that are read; null: all */
async function rowsOf(
  units: readonly (readonly [number: string, rows: readonly HeldRow[]])[],
  columns: readonly string[] | null,
  version: Dataset,
): Promise<FormerRow[]> {
  const dialect = version.dialects.units;
  const rowsIn = async (table: FormerTable): Promise<FormerRow[]> => {
    const held = units.flatMap(([, rows]) => rows.filter((row) => row.table === table));
    if (held.length === 0) return [];
    const isText = isOneText(dialect, columns);
    const read = (name: string) => (isText && isPlainJson(name) ? null : wideColumns(dialect, name));
    const statement = formerRows(held, table, dialect, read, columns);
    if (!isText) return version.query(formerRow, statement);
    return (await version.query(textRow, statement)).map(({ row }) => row);
  };
  return (await Promise.all([rowsIn('units_ersetzt'), rowsIn('units_departed')])).flat();
}

const actorName = z.strictObject({ number: z.string(), name: z.string().nullable(), until: z.number().nullable() });

type ActorName = z.infer<typeof actorName>;

/** Reads names that organisations have or had. */
const namesOf = (
  numbers: readonly string[],
  tables: Parameters<typeof namesOfActors>[1],
  version: Dataset,
): Promise<ActorName[]> =>
  numbers.length === 0
    ? Promise.resolve([])
    : version.query(actorName, namesOfActors(numbers, tables, version.dialects.units));

/** Returns the name that the operator of a former row had. */
function operatorOf(row: FormerRow, names: readonly ActorName[]): string | null {
  const own = names.filter(
    ({ number, until }) => number === row.betreiberMastrNummer && (until === null || until >= Number(row.bis)),
  );
  const [first] = own.sort((a, b) => (a.until ?? Number.POSITIVE_INFINITY) - (b.until ?? Number.POSITIVE_INFINITY));
  return first?.name ?? null;
}

const distinct = (numbers: readonly unknown[]): string[] => [
  ...new Set(numbers.filter((one): one is string => typeof one === 'string')),
];
