import { columnsRead } from '../catalogue/field.ts';
import {
  hasColumn,
  OF_SELDOM,
  OF_SPACE,
  PROJECTIONS,
  type Projection,
  SELDOM_FLAGS,
  SELDOM_VALUES,
} from '../catalogue/projections.ts';
import type { Condition } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import type { SortKey } from './keyset.ts';
import { areaOf, isArea, rectangleKm2 } from './space.ts';

const TABLES = Object.keys(PROJECTIONS) as Projection[];

/** The choice of a projection depends on this, beside the question. */
type Form = Pick<Dialect, 'narrowProjections' | 'costInOrder' | 'space'>;

/**
 * Returns the projection, among those with each kind of unit in every block, in which counting or grouping the units that meet the
 * conditions reads least.
 * @param grouped the columns that they are grouped by, as far as some projection lacks them
 */
export const projectionToCount = (
  conditions: readonly Condition[],
  form: Form,
  grouped: readonly string[] = [],
): Projection => tableToCount(conditions, { ...form, space: null }, grouped);

/** The same among all projections, for what `unitsMeeting` reads. */
export function tableToCount(
  conditions: readonly Condition[],
  form: Form,
  grouped: readonly string[] = [],
): Projection {
  const hasGrouped = (table: Projection) => !form.narrowProjections || grouped.every((name) => hasColumn(table, name));
  const tables = TABLES.filter((table) => hasGrouped(table) && answers(table, conditions, form));
  const read = (table: Projection) => shareRead(table, conditions, form);
  return tables.reduce((best, table) => (read(table) < read(best) ? table : best));
}

/** Returns true when a projection has all units that meet the conditions, with the columns to see it. */
const answers = (table: Projection, conditions: readonly Condition[], { narrowProjections, space }: Form): boolean =>
  (table !== OF_SPACE || (space !== null && conditions.some(isArea))) &&
  (!narrowProjections || (hasColumns(table, conditions) && (table !== OF_SELDOM || conditions.some(needsSeldom))));

const hasColumns = (table: Projection, conditions: readonly Condition[]): boolean =>
  conditions.every((condition) => columnsOf(condition).every((name) => hasColumn(table, name)));

/** Returns true when the projection in the order of the map is there, with the columns of the conditions. */
export const isInSpace = (conditions: readonly Condition[], { narrowProjections, space }: Form): boolean =>
  space !== null && (!narrowProjections || hasColumns(OF_SPACE, conditions));

const columnsOf = ({ field, filter }: Condition): readonly string[] => filter.over?.reads ?? columnsRead(field);

/** Returns true for a condition that no unit meets without something seldom. An expression over such values is NULL without. */
function needsSeldom(condition: Condition): boolean {
  const { compare } = condition.filter;
  const [columns, isPositive] =
    compare === 'is' || compare === 'present'
      ? [[...SELDOM_VALUES, ...SELDOM_FLAGS], condition.value === true]
      : [SELDOM_VALUES, true];
  return isPositive && columnsOf(condition).some((name) => columns.includes(name));
}

/**
 * Returns the projection for a page in this order. The one that is sorted alike can stop as soon as the page is full, which
 * is soon where many units match; where few match, it is better to find and sort them.
 * @param total number of units that meet the conditions
 * @param rows rows that are read until the page is full: its own, and those before it where it is read from the beginning
 */
export function projectionToList(
  conditions: readonly Condition[],
  sort: readonly SortKey[],
  total: number,
  rows: number,
  form: Form,
): Projection {
  const inOrder = projectionInOrder(conditions, sort, form);
  const picking = tableToCount(conditions, form);
  // In any other order, what lies in an area would have to be looked up for each unit.
  if (picking === OF_SPACE) return picking;
  const untilFull = Math.min(shareRead(inOrder, conditions, form), rows / Math.max(total, 1));
  return untilFull * form.costInOrder <= shareRead(picking, conditions, form) ? inOrder : picking;
}

/** Returns true when so many units meet the conditions that a page of them is read in order, which nobody has to count for. */
export const leavesMany = (conditions: readonly Condition[]): boolean =>
  conditions.reduce((product, condition) => product * (share(condition) ?? 0), 1) >= SHARE_OF_MANY;

/** Returns true when so few units meet the conditions that all of them are read and sorted. */
export const leavesFew = (conditions: readonly Condition[], form: Form): boolean =>
  shareRead(tableToCount(conditions, form), conditions, form) <= SHARE_OF_FEW;

function projectionInOrder(conditions: readonly Condition[], [first]: readonly SortKey[], form: Form): Projection {
  const isInOrder = (table: Projection) =>
    PROJECTIONS[table][0] === first?.field.name && answers(table, conditions, form);
  return TABLES.find(isInOrder) ?? 'units_by_number';
}

/** More counts than this cost more than they save. */
const MAX_ALTERNATIVES = 16;

/**
 * Splits conditions that list values of sort columns into alternatives with one value each, so that the engine skips all
 * other blocks. No unit meets two alternatives, and together they have the units that meet the conditions.
 */
export function alternatives(conditions: readonly Condition[], table: Projection): (readonly Condition[])[] {
  const order: readonly string[] = PROJECTIONS[table];
  // Free text costs more than the table, and would be searched in each alternative; so would what lies in an area.
  if (table === OF_SPACE || conditions.some(({ filter }) => filter.compare === 'search')) return [conditions];
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
function shareRead(table: Projection, conditions: readonly Condition[], { narrowProjections }: Form): number {
  const order: readonly string[] = PROJECTIONS[table];
  const shares = conditions.map((condition) => {
    if (isArea(condition) !== (table === OF_SPACE)) return 1;
    if (isArea(condition)) return share(condition) ?? 1;
    const { name } = condition.field;
    if (order.includes(name)) return share(condition) ?? 1;
    return narrowProjections && isInRuns(table, name) ? SHARE_IN_RUNS : 1;
  });
  const product = shares.reduce((product, one) => product * one, 1);
  return narrowProjections && table === OF_SELDOM ? Math.min(product, SHARE_SELDOM) : product;
}

/** An operator has one name. */
const isInRuns = (table: Projection, name: string): boolean =>
  table === 'units_by_operator' && name === 'betreiberName';

/** Shares of the register, rounded: those of carriers, states and large capacities have not changed in years. */
const SHARE_OF_CARRIER: Readonly<Record<string, number>> = { solar: 0.7, storage: 0.3 };
const SHARE_OF_OTHER_CARRIERS = 0.01;
const SHARE_OF_STATUS: Readonly<Record<string, number>> = { 'In Betrieb': 0.95 };
const SHARE_OF_OTHER_STATUS = 0.02;
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
/** Share of the units without a capacity, or without a day of commissioning. */
const SHARE_WITHOUT = 0.02;
/** Share of the units with something seldom. */
const SHARE_SELDOM = 0.05;
/** A page fills soon where so many units meet the conditions. */
const SHARE_OF_MANY = 0.3;
/** As many units of a district, or of large ones, are sorted in a few milliseconds. */
const SHARE_OF_FEW = 0.005;
/** A column of runs of equal values takes this much of the time of another. */
const SHARE_IN_RUNS = 0.1;

const KM2_OF_COUNTRY = 357_000;
/** However large, in another projection an area would have to be looked up for each unit. */
const SHARE_OF_ANY_AREA = 0.9;

/** Estimates the share of the register that meets a condition; null when it is unknown. */
function share(condition: Condition): number | null {
  const { field, filter, value } = condition;
  const values = Array.isArray(value) ? value : [value];
  if (isArea(condition)) return Math.min(SHARE_OF_ANY_AREA, rectangleKm2(areaOf(condition)) / KM2_OF_COUNTRY);
  switch (field.name) {
    case 'betreiberMastrNummer':
      return Math.min(1, values.length * SHARE_OF_OPERATOR);
    case 'einheitTyp':
      return sum(values.map((carrier) => SHARE_OF_CARRIER[carrier as string] ?? SHARE_OF_OTHER_CARRIERS));
    case 'betriebsStatus':
      return sum(values.map((status) => SHARE_OF_STATUS[status as string] ?? SHARE_OF_OTHER_STATUS));
    case 'bundesland':
      return Math.min(1, values.length * SHARE_OF_STATE);
    case 'landkreis':
      return SHARE_OF_DISTRICT;
    case 'gemeinde':
      return SHARE_OF_MUNICIPALITY;
    case 'plz':
      return 10 ** -String(value).length;
    case 'bruttoleistungKw':
      if (filter.compare === 'present') return SHARE_WITHOUT;
      return filter.compare === 'min'
        ? (SHARES_OF_CAPACITY.find(({ fromKw }) => Number(value) >= fromKw)?.share ?? 0.9)
        : 0.9;
    case 'geplantesInbetriebnahmedatum':
      return filter.compare === 'present' && value === false ? 1 : SHARE_PLANNED;
    case 'inbetriebnahmedatum':
    case 'registrierungsdatum':
      if (filter.compare === 'present') return SHARE_WITHOUT;
      return filter.compare === 'from' ? Math.min(1, yearsSince(String(value)) * SHARE_OF_YEAR) : 0.9;
    default:
      return null;
  }
}

const sum = (shares: readonly number[]): number =>
  Math.min(
    1,
    shares.reduce((total, one) => total + one, 0),
  );

const MILLISECONDS_OF_YEAR = 365.25 * 24 * 3_600_000;

const yearsSince = (day: string): number => Math.max(0.02, (Date.now() - Date.parse(day)) / MILLISECONDS_OF_YEAR);
