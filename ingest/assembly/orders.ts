import { itemAt } from '../../runtime/present.ts';
import { labelsType } from '../../sql/catalogue/projections.ts';
import { isInRange } from '../../sql/register/mastr-number.ts';
import { AREA_DIGITS, type Kind, MOST_KINDS, ORDERED, type OrderedField } from '../../sql/warehouse/orders/layout.ts';
import { createOrders } from '../../sql/warehouse/orders/writer.ts';
import { DAY_ZERO } from '../../sql/warehouse/regions/layout.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { sliceRanges } from '../stage/slices.ts';

/** Kilowatts, or the number of a day, as layout.ts has them. */
const KEY: Readonly<Record<OrderedField, string>> = {
  bruttoleistungKw: 'bruttoleistungKw::DOUBLE',
  inbetriebnahmedatum: `(inbetriebnahmedatum - (${DAY_ZERO}))::DOUBLE`,
  registrierungsdatum: `(registrierungsdatum - (${DAY_ZERO}))::DOUBLE`,
};

/** The columns of a kind: each is an ENUM, and its code 0 where there is no value. */
const KIND_COLUMNS = ['einheitTyp', 'bundesland', 'betriebsStatus', 'plz'] as const;

const COLUMNS = [
  '(mastrNummer & 1099511627775)::DOUBLE',
  ...KIND_COLUMNS.map((name) => `coalesce(enum_code(${name})::INTEGER + 1, 0)`),
].join(', ');

interface OrdersToFill {
  readonly warehouse: WarehouseConnection;
  /** The file to write. */
  readonly path: string;
  readonly units: number;
  /** Slices of units: one after the other is sorted by number. */
  readonly slices: number;
}

/** Writes the orders of units from the finished projections. */
export async function fillOrders({ warehouse, path, units, slices }: OrdersToFill): Promise<void> {
  const kinds = kindNumbers(await Promise.all(KIND_COLUMNS.map((name) => labelsOf(warehouse, name))));
  const file = createOrders(path);
  try {
    for (const field of Object.keys(ORDERED) as OrderedField[]) {
      file.begin(field);
      // The projection is in this order, and a scan keeps the order in which rows were inserted.
      await warehouse.columns(`SELECT ${COLUMNS}, ${KEY[field]} FROM ${ORDERED[field]}`, (columns) => {
        const [digits = [], carriers = [], states = [], statuses = [], postcodes = [], values = []] =
          columns as number[][];
        for (let row = 0; row < digits.length; row++) {
          const kind = kinds.of(at(carriers, row), at(states, row), at(statuses, row), at(postcodes, row));
          file.add(at(digits, row), kind, values[row] ?? null);
        }
      });
    }
    const byNumber = new Uint16Array(units);
    const counts = kinds.all.map(() => 0);
    let place = 0;
    for (const range of sliceRanges(slices)) {
      const sql = `SELECT ${COLUMNS} FROM units_by_number WHERE ${isInRange('mastrNummer', range)} ORDER BY mastrNummer`;
      await warehouse.columns(sql, (columns) => {
        const [digits = [], carriers = [], states = [], statuses = [], postcodes = []] = columns as number[][];
        for (let row = 0; row < digits.length; row++) {
          const kind = kinds.of(at(carriers, row), at(states, row), at(statuses, row), at(postcodes, row));
          counts[kind] = at(counts, kind) + 1;
          byNumber[place++] = kind;
        }
      });
    }
    file.finish(byNumber, { units, kinds: kinds.all, counts, isComplete: kinds.isComplete() });
  } catch (error) {
    file.abort();
    throw error;
  }
}

const at = (list: readonly number[], index: number): number => list[index] ?? 0;

type Labels = readonly (string | null)[];

/** The values of an ENUM by their codes. */
async function labelsOf(warehouse: WarehouseConnection, column: string): Promise<Labels> {
  const range = `enum_range(NULL::${labelsType(column)})`;
  const rows = await warehouse.rows<{ text: string }>(`SELECT unnest(${range})::VARCHAR AS text`);
  return [null, ...rows.map(({ text }) => text)];
}

/** Numbers the kinds of units in the order in which they are met. @param labels of KIND_COLUMNS */
function kindNumbers(labels: readonly Labels[]) {
  const [carriers = [], states = [], statuses = [], postcodes = []] = labels;
  const areas = [...new Set(postcodes.map(areaOf))];
  const areaCodes = Uint16Array.from(postcodes, (postcode) => areas.indexOf(areaOf(postcode)));
  /** By the four codes as one number: one more than the number of the kind. */
  const numbers = new Uint32Array(carriers.length * states.length * statuses.length * areas.length);
  const all: Kind[] = [];
  let isComplete = true;
  return {
    all,
    isComplete: () => isComplete,
    of(carrier: number, state: number, status: number, postcode: number): number {
      const area = areaCodes[postcode] ?? 0;
      const code = ((carrier * states.length + state) * statuses.length + status) * areas.length + area;
      const known = numbers[code] ?? 0;
      if (known > 0) return known - 1;
      if (all.length === MOST_KINDS) {
        isComplete = false;
        return 0;
      }
      all.push({
        einheitTyp: itemAt(carriers, carrier),
        bundesland: itemAt(states, state),
        betriebsStatus: itemAt(statuses, status),
        plz: itemAt(areas, area),
      });
      numbers[code] = all.length;
      return all.length - 1;
    },
  };
}

const areaOf = (postcode: string | null): string | null => postcode?.slice(0, AREA_DIGITS) ?? null;
