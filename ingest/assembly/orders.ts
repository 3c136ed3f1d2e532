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

/** The columns of a kind: each is an ENUM. */
const KIND_COLUMNS = ['einheitTyp', 'bundesland', 'betriebsStatus', 'plz'] as const;

interface OrdersToFill {
  readonly warehouse: WarehouseConnection;
  /** The file to write. */
  readonly path: string;
  readonly units: number;
  /** Slices of units: one after the other is sorted by number. */
  readonly slices: number;
  /** True: the rows of each projection lie in its order, so none is sorted. */
  readonly inOrder: boolean;
}

/** Writes the orders of units from the finished projections. */
export async function fillOrders({ warehouse, path, units, slices, inOrder }: OrdersToFill): Promise<void> {
  const kinds = kindNumbers(await Promise.all(KIND_COLUMNS.map((name) => labelsOf(warehouse, name))));
  const file = createOrders(path);
  try {
    for (const field of Object.keys(ORDERED) as OrderedField[]) {
      file.begin(field);
      // A scan keeps the order in which rows were inserted.
      const order = inOrder ? '' : `ORDER BY ${field} NULLS LAST, mastrNummer`;
      const sql = `SELECT (mastrNummer & 1099511627775)::DOUBLE, ${kinds.code}, ${KEY[field]} FROM ${ORDERED[field]} ${order}`;
      await warehouse.columns(sql, (columns) => {
        const [digits = [], codes = [], values = []] = columns as number[][];
        for (let row = 0; row < digits.length; row++) {
          file.add(at(digits, row), kinds.of(at(codes, row)), values[row] ?? null);
        }
      });
    }
    const byNumber = new Uint16Array(units);
    const counts = kinds.all.map(() => 0);
    let place = 0;
    for (const range of sliceRanges(slices)) {
      const sql = `SELECT ${kinds.code} FROM units_by_number WHERE ${isInRange('mastrNummer', range)} ORDER BY mastrNummer`;
      await warehouse.columns(sql, ([codes = []]) => {
        for (const code of codes as number[]) {
          const kind = kinds.of(code);
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

/** The values of an ENUM by their codes, after null. */
async function labelsOf(warehouse: WarehouseConnection, column: string): Promise<Labels> {
  const range = `enum_range(NULL::${labelsType(column)})`;
  const rows = await warehouse.rows<{ text: string }>(`SELECT unnest(${range})::VARCHAR AS text`);
  return [null, ...rows.map(({ text }) => text)];
}

/**
 * Selects the codes of the KIND_COLUMNS of a unit, 0 where it has no value, as one number: a value takes longer to fetch from the
 * engine than to take apart.
 */
function codeOfKind(labels: readonly Labels[]): string {
  const codes = KIND_COLUMNS.map((name) => `coalesce(enum_code(${name})::BIGINT + 1, 0)`);
  const joined = codes.reduce((code, next, column) => `(${code}) * ${itemAt(labels, column).length} + ${next}`);
  return `(${joined})::DOUBLE`;
}

/** Numbers the kinds of units in the order in which they are met. @param labels of KIND_COLUMNS */
function kindNumbers(labels: readonly Labels[]) {
  const [carriers = [], states = [], statuses = [], postcodes = []] = labels;
  const areas = [...new Set(postcodes.map(areaOf))];
  const areaCodes = Uint16Array.from(postcodes, (postcode) => areas.indexOf(areaOf(postcode)));
  /** By the first three codes and the one of the area as one number: one more than the number of the kind. */
  const numbers = new Uint32Array(carriers.length * states.length * statuses.length * areas.length);
  const all: Kind[] = [];
  let isComplete = true;

  const kindOf = (others: number, area: number): Kind => ({
    einheitTyp: itemAt(carriers, Math.floor(others / (states.length * statuses.length))),
    bundesland: itemAt(states, Math.floor(others / statuses.length) % states.length),
    betriebsStatus: itemAt(statuses, others % statuses.length),
    plz: itemAt(areas, area),
  });

  return {
    all,
    isComplete: () => isComplete,
    code: codeOfKind(labels),
    /** @param code as `code` selects it */
    of(code: number): number {
      const postcode = code % postcodes.length;
      const others = (code - postcode) / postcodes.length;
      const area = areaCodes[postcode] ?? 0;
      const known = numbers[others * areas.length + area] ?? 0;
      if (known > 0) return known - 1;
      if (all.length === MOST_KINDS) {
        isComplete = false;
        return 0;
      }
      all.push(kindOf(others, area));
      numbers[others * areas.length + area] = all.length;
      return all.length - 1;
    },
  };
}

const areaOf = (postcode: string | null): string | null => postcode?.slice(0, AREA_DIGITS) ?? null;
