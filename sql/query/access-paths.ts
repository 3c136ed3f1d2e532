import type { UnitField } from '../catalogue/field.ts';
import { PLANNED_ONLY, PROJECTIONS, type Projection } from '../catalogue/projections.ts';
import type { Condition } from './conditions.ts';
import type { SortKey } from './keyset.ts';

const TABLES = Object.keys(PROJECTIONS) as Projection[];

/** Returns the projection in which counting or grouping the units that meet the conditions reads least. */
export function projectionToCount(conditions: readonly Condition[]): Projection {
  const tables = TABLES.filter((table) => hasAll(table, conditions));
  return tables.reduce((best, table) => (shareRead(table, conditions) < shareRead(best, conditions) ? table : best));
}

/** Returns true when a projection has all units that meet the conditions. */
const hasAll = (table: Projection, conditions: readonly Condition[]): boolean =>
  table !== PLANNED_ONLY || conditions.some(needsPlannedDay);

/** Returns true for a condition that no unit without a planned day meets. */
export const needsPlannedDay = ({ field, filter, value }: Condition): boolean =>
  isPlannedDay(field) &&
  filter.over === undefined &&
  (filter.compare === 'from' || filter.compare === 'to' || (filter.compare === 'present' && value === true));

/** Returns true for the field in whose order the projection is that lacks units without a value of it. */
export const isPlannedDay = ({ name }: UnitField): boolean => name === PROJECTIONS[PLANNED_ONLY][0];

/**
 * Returns the projection for a page in this order. The one that is sorted alike can stop as soon as the page is full, which
 * is soon where many units match; where few match, it is better to find and sort them.
 * @param total number of units that meet the conditions
 * @param rows rows of this page and the earlier ones
 */
export function projectionToList(
  conditions: readonly Condition[],
  sort: readonly SortKey[],
  total: number,
  rows: number,
): Projection {
  const [first] = sort;
  const isInOrder = (table: Projection) => PROJECTIONS[table][0] === first?.field.name && hasAll(table, conditions);
  const inOrder = TABLES.find(isInOrder) ?? 'units_by_number';
  const picking = projectionToCount(conditions);
  const untilFull = Math.min(shareRead(inOrder, conditions), rows / Math.max(total, 1));
  return untilFull <= shareRead(picking, conditions) ? inOrder : picking;
}

/** More counts than this cost more than they save. */
const MAX_ALTERNATIVES = 16;

/**
 * Splits conditions that list values of sort columns into alternatives with one value each, so that the engine skips all
 * other blocks. No unit meets two alternatives, and together they have the units that meet the conditions.
 */
export function alternatives(conditions: readonly Condition[], table: Projection): (readonly Condition[])[] {
  const order: readonly string[] = PROJECTIONS[table];
  // Free text costs more than the table, and would be searched in each alternative.
  if (conditions.some(({ filter }) => filter.compare === 'search')) return [conditions];
  return conditions.reduce<(readonly Condition[])[]>(
    (alternatives, condition) => {
      const { field, filter, value } = condition;
      const listed = filter.compare === 'oneOf' && field.read === null && order.includes(field.name);
      const values = listed ? (value as readonly string[]) : [];
      const apart = values.length > 1 && values.length * alternatives.length <= MAX_ALTERNATIVES;
      const ways = apart ? values.map((one) => ({ ...condition, value: [one] })) : [condition];
      return alternatives.flatMap((some) => ways.map((way) => [...some, way]));
    },
    [[]],
  );
}

/** Estimates the share of a projection that the conditions leave to be read. */
function shareRead(table: Projection, conditions: readonly Condition[]): number {
  const order: readonly string[] = PROJECTIONS[table];
  const shares = conditions.map((condition) => (order.includes(condition.field.name) ? share(condition) : 1));
  return shares.reduce((product, one) => product * one, 1);
}

/** Shares of the register, rounded: those of carriers and of large capacities have not changed in years. */
const SHARE_OF_CARRIER: Readonly<Record<string, number>> = { solar: 0.7, storage: 0.3 };
const SHARE_OF_OTHER_CARRIERS = 0.01;
const SHARES_OF_CAPACITY = [
  { fromKw: 1000, share: 0.005 },
  { fromKw: 100, share: 0.02 },
  { fromKw: 30, share: 0.05 },
  { fromKw: 10, share: 0.3 },
];
const SHARE_OF_OPERATOR = 0.0001;
const SHARE_OF_STATE = 0.06;
const SHARE_OF_DISTRICT = 0.0025;
const SHARE_OF_MUNICIPALITY = 0.0001;
const SHARE_OF_YEAR = 0.15;
/** Share of the units with a planned day of commissioning. */
const SHARE_PLANNED = 0.02;

/** Estimates the share of the register that meets a condition; 1 when it is unknown. */
function share({ field, filter, value }: Condition): number {
  const values = Array.isArray(value) ? value : [value];
  switch (field.name) {
    case 'betreiberMastrNummer':
      return Math.min(1, values.length * SHARE_OF_OPERATOR);
    case 'einheitTyp':
      return sum(values.map((carrier) => SHARE_OF_CARRIER[carrier as string] ?? SHARE_OF_OTHER_CARRIERS));
    case 'bundesland':
      return Math.min(1, values.length * SHARE_OF_STATE);
    case 'landkreis':
      return SHARE_OF_DISTRICT;
    case 'gemeinde':
      return SHARE_OF_MUNICIPALITY;
    case 'plz':
      return 10 ** -String(value).length;
    case 'bruttoleistungKw':
      return filter.compare === 'min'
        ? (SHARES_OF_CAPACITY.find(({ fromKw }) => Number(value) >= fromKw)?.share ?? 0.9)
        : 0.9;
    case 'geplantesInbetriebnahmedatum':
      return filter.compare === 'present' && value === false ? 1 : SHARE_PLANNED;
    case 'inbetriebnahmedatum':
    case 'registrierungsdatum':
      return filter.compare === 'from' ? Math.min(1, yearsSince(String(value)) * SHARE_OF_YEAR) : 0.9;
    default:
      return 1;
  }
}

const sum = (shares: readonly number[]): number =>
  Math.min(
    1,
    shares.reduce((total, one) => total + one, 0),
  );

const MILLISECONDS_OF_YEAR = 365.25 * 24 * 3_600_000;

const yearsSince = (day: string): number => Math.max(0.02, (Date.now() - Date.parse(day)) / MILLISECONDS_OF_YEAR);
