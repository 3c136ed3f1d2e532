import { itemAt } from '../../runtime/present.ts';
import { labelsType } from '../../sql/catalogue/projections.ts';
import { AREA_DIGITS, type Kind, MOST_KINDS } from '../../sql/warehouse/orders/layout.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';

/** Numbers for the kinds of units, in the order in which they are met. */
export interface KindNumbers {
  /** The kinds so far. */
  readonly all: readonly Kind[];
  /** False when there were more kinds than can be told apart. */
  readonly isComplete: () => boolean;
  /** Selects the code of a unit. */
  readonly code: string;
  /** Returns the number of the kind of a code. */
  of(code: number): number;
  /** Returns the number of a kind. */
  ofKind(kind: Kind): number;
}

/** The columns of a kind: each is an ENUM. */
const KIND_COLUMNS = ['einheitTyp', 'bundesland', 'betriebsStatus', 'plz'] as const;

export const openKinds = async (warehouse: WarehouseConnection): Promise<KindNumbers> =>
  kindNumbers(await Promise.all(KIND_COLUMNS.map((name) => labelsOf(warehouse, name))));

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

/** @param labels of KIND_COLUMNS */
function kindNumbers(labels: readonly Labels[]): KindNumbers {
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

  const numberOf = (others: number, area: number): number => {
    const known = numbers[others * areas.length + area] ?? 0;
    if (known > 0) return known - 1;
    if (all.length === MOST_KINDS) {
      isComplete = false;
      return 0;
    }
    all.push(kindOf(others, area));
    numbers[others * areas.length + area] = all.length;
    return all.length - 1;
  };

  return {
    all,
    isComplete: () => isComplete,
    code: codeOfKind(labels),
    of(code) {
      const postcode = code % postcodes.length;
      return numberOf((code - postcode) / postcodes.length, areaCodes[postcode] ?? 0);
    },
    ofKind({ einheitTyp, bundesland, betriebsStatus, plz }) {
      const [carrier, state, status] = [
        carriers.indexOf(einheitTyp),
        states.indexOf(bundesland),
        statuses.indexOf(betriebsStatus),
      ];
      return numberOf((carrier * states.length + state) * statuses.length + status, areas.indexOf(plz));
    },
  };
}

const areaOf = (postcode: string | null): string | null => postcode?.slice(0, AREA_DIGITS) ?? null;
