import { isInRange } from '../../sql/register/mastr-number.ts';
import { openEarlierOrders } from '../../sql/warehouse/orders/earlier.ts';
import { ORDERED, type OrderedField } from '../../sql/warehouse/orders/layout.ts';
import { createOrders, type OrdersWriter } from '../../sql/warehouse/orders/writer.ts';
import { DAY_ZERO } from '../../sql/warehouse/regions/layout.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { sliceRanges } from '../stage/slices.ts';
import { type ChangedUnits, mergeOrders } from './merge-orders.ts';
import { type KindNumbers, openKinds } from './unit-kinds.ts';

/** Kilowatts, or the number of a day, as layout.ts has them. */
const KEY: Readonly<Record<OrderedField, string>> = {
  bruttoleistungKw: 'bruttoleistungKw::DOUBLE',
  inbetriebnahmedatum: `(inbetriebnahmedatum - (${DAY_ZERO}))::DOUBLE`,
  registrierungsdatum: `(registrierungsdatum - (${DAY_ZERO}))::DOUBLE`,
};

interface OrdersToFill {
  readonly warehouse: WarehouseConnection;
  /** The file to write. */
  readonly path: string;
  readonly units: number;
  /** Slices of units: one after the other is sorted by number. */
  readonly slices: number;
  /** Where the projections are those of the version before, its file, and a table of the units whose rows are replaced in them. */
  readonly replaced: { readonly before: string; readonly numbers: string } | null;
}

/** Of more units than this it costs less to sort all of them. */
const MOST_MERGED = 500_000;

/** Writes the orders of units from the finished projections. */
export async function fillOrders(orders: OrdersToFill): Promise<void> {
  const { warehouse, path, units, replaced } = orders;
  const kinds = await openKinds(warehouse);
  const file = createOrders(path);
  try {
    const merged = replaced === null ? null : await mergedOrders(orders, replaced, file, kinds);
    const byNumber = merged ?? (await allOrders(orders, file, kinds));
    if (byNumber.length !== units) throw new Error(`The orders have ${byNumber.length} of ${units} units`);
    const counts = kinds.all.map(() => 0);
    for (const kind of byNumber) counts[kind] = (counts[kind] ?? 0) + 1;
    file.finish(byNumber, { units, kinds: kinds.all, counts, isComplete: kinds.isComplete() });
  } catch (error) {
    file.abort();
    throw error;
  }
}

/** Selects digits, code of the kind and value of units. */
const unitsBy = (field: OrderedField, { code }: KindNumbers): string =>
  `SELECT (mastrNummer & 1099511627775)::DOUBLE, ${code}, ${KEY[field]} FROM ${ORDERED[field]}`;

const sorted = (field: OrderedField): string => `ORDER BY ${field} NULLS LAST, mastrNummer`;

/** Writes all orders from the projections. @returns the kinds of units in the order of numbers */
async function allOrders(
  { warehouse, units, slices, replaced }: OrdersToFill,
  file: OrdersWriter,
  kinds: KindNumbers,
): Promise<Uint16Array> {
  for (const field of FIELDS) {
    file.begin(field);
    // A scan keeps the order in which rows were inserted.
    const order = replaced === null ? '' : sorted(field);
    await warehouse.columns(`${unitsBy(field, kinds)} ${order}`, (columns) => {
      const [digits = [], codes = [], values = []] = columns as number[][];
      for (let row = 0; row < digits.length; row++) {
        file.add(at(digits, row), kinds.of(at(codes, row)), values[row] ?? null);
      }
    });
  }
  const byNumber = new Uint16Array(units);
  let place = 0;
  for (const range of sliceRanges(slices)) {
    const sql = `SELECT ${kinds.code} FROM units_by_number WHERE ${isInRange('mastrNummer', range)} ORDER BY mastrNummer`;
    await warehouse.columns(sql, ([codes = []]) => {
      for (const code of codes as number[]) byNumber[place++] = kinds.of(code);
    });
  }
  return byNumber;
}

/** The same from the file of the version before. @returns null where it is of no use, before anything is written */
async function mergedOrders(
  { warehouse }: OrdersToFill,
  { before, numbers }: NonNullable<OrdersToFill['replaced']>,
  file: OrdersWriter,
  kinds: KindNumbers,
): Promise<Uint16Array | null> {
  const changed: number[] = [];
  await warehouse.columns(`SELECT (nummer & 1099511627775)::DOUBLE FROM ${numbers} ORDER BY 1`, ([column = []]) => {
    for (const digits of column as number[]) changed.push(digits);
  });
  if (changed.length > MOST_MERGED) return null;
  const rows = new Map<OrderedField, ChangedUnits>();
  for (const field of FIELDS) {
    const own: ChangedUnits = { digits: [], codes: [], values: [] };
    const sql = `${unitsBy(field, kinds)} WHERE mastrNummer IN (SELECT nummer FROM ${numbers}) ${sorted(field)}`;
    await warehouse.columns(sql, (columns) => {
      const [digits = [], codes = [], values = []] = columns as number[][];
      for (let row = 0; row < digits.length; row++) {
        own.digits.push(at(digits, row));
        own.codes.push(at(codes, row));
        own.values.push(values[row] ?? null);
      }
    });
    rows.set(field, own);
  }
  const earlier = openEarlierOrders(before);
  if (earlier === null) return null;
  try {
    return mergeOrders({ earlier, changed: Float64Array.from(changed), rows, file, kinds });
  } finally {
    earlier.close();
  }
}

const FIELDS = Object.keys(ORDERED) as OrderedField[];

const at = (list: readonly number[], index: number): number => list[index] ?? 0;
