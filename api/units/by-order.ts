import type { Condition } from '../../sql/query/conditions.ts';
import { atMostThreeDecimals } from '../../sql/query/dialect.ts';
import type { CountedPageRequest } from '../../sql/query/units.ts';
import { AREA_DIGITS, isOrdered, type Kind, type OrderedField } from '../../sql/warehouse/orders/layout.ts';
import type { Bounds } from '../../sql/warehouse/orders/reader.ts';
import { dayNumber } from '../../sql/warehouse/regions/layout.ts';
import type { OrdersReader } from '../warehouse/version.ts';

/** Pages and totals of units by the orders of a version, without a statement (sql/warehouse/orders). */

/** Conditions that the orders can answer. */
interface Ordered {
  readonly ofKind: ((kind: Kind) => boolean)[];
  readonly bounds: Map<OrderedField, Bounds>;
}

/** Counts the units that meet conditions; null when a statement has to. */
export function totalByOrders(orders: OrdersReader | null, conditions: readonly Condition[]): number | null {
  const ordered = orders === null ? null : orderedConditions(conditions);
  if (orders === null || ordered === null) return null;
  const { ofKind, bounds } = ordered;
  const [only, ...others] = bounds;
  if (only === undefined) return sumOf(orders.counts.filter((_, kind) => isOfKind(orders.kinds[kind], ofKind)));
  return others.length > 0 || ofKind.length > 0 ? null : orders.count(...only);
}

/** Finds a page; null when a statement has to. */
export async function pageByOrders(orders: OrdersReader | null, page: CountedPageRequest): Promise<string[] | null> {
  const ordered = orders === null ? null : orderedConditions(page.conditions);
  if (orders === null || ordered === null) return null;
  const { sort, after, limit } = page;
  const [first, second, ...others] = sort;
  if (first === undefined || others.length > 0 || isUnlikely(orders, page)) return null;
  const { name } = first.field;
  const isOfNumbers = name === 'mastrNummer';
  if (isOfNumbers ? second !== undefined : !isOrdered(name)) return null;
  if (second !== undefined && (second.field.name !== 'mastrNummer' || second.direction !== 'asc')) return null;
  const field = isOrdered(name) ? name : null;
  const bounds = field === null ? undefined : ordered.bounds.get(field);
  if (ordered.bounds.size > (bounds === undefined ? 0 : 1)) return null;
  const { kinds } = orders;
  return orders.page({
    field,
    direction: first.direction,
    bounds: bounds ?? null,
    ofKind:
      ordered.ofKind.length === 0 ? null : Uint8Array.from(kinds, (kind) => (isOfKind(kind, ordered.ofKind) ? 1 : 0)),
    after:
      after === null
        ? null
        : {
            value: field === null ? null : keyOf(field, after[0] ?? null),
            number: String(after[field === null ? 0 : 1]),
          },
    limit,
  });
}

/** Of these many units, one is on the page: a statement finds fewer sooner. */
const MOST_FOR_ONE = 200;

const isUnlikely = ({ units }: OrdersReader, { total }: CountedPageRequest): boolean => total * MOST_FOR_ONE < units;

const isOfKind = (kind: Kind | undefined, tests: Ordered['ofKind']): boolean =>
  kind !== undefined && tests.every((test) => test(kind));

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** The value of a field as the order has it. */
const keyOf = (field: OrderedField, value: string | number | null): number | null =>
  value === null ? null : field === 'bruttoleistungKw' ? Number(value) : dayNumber(String(value));

/** Reads conditions as kinds and bounds; null when one of them is about anything else. */
function orderedConditions(conditions: readonly Condition[]): Ordered | null {
  const ordered: Ordered = { ofKind: [], bounds: new Map() };
  for (const condition of conditions) {
    const test = kindTest(condition);
    const bound = test === null ? boundOf(condition) : null;
    if (test !== null) {
      ordered.ofKind.push(test);
    } else if (bound !== null) {
      const { from, to } = ordered.bounds.get(bound.field) ?? { from: Number.NEGATIVE_INFINITY, to: Infinity };
      ordered.bounds.set(bound.field, { from: Math.max(from, bound.from), to: Math.min(to, bound.to) });
    } else {
      return null;
    }
  }
  return ordered;
}

const LABELS = ['einheitTyp', 'bundesland', 'betriebsStatus'] as const;

function kindTest({ field, filter, value }: Condition): ((kind: Kind) => boolean) | null {
  if (filter.over !== undefined || field.read !== null) return null;
  const label = LABELS.find((name) => name === field.name);
  if (filter.compare === 'oneOf' && label !== undefined) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return (kind) => values.includes(kind[label]);
  }
  if (filter.compare === 'prefix' && field.name === 'plz' && String(value).length <= AREA_DIGITS) {
    return ({ plz }) => plz?.startsWith(String(value)) === true;
  }
  return null;
}

/** Units without a value are within no bounds. */
function boundOf({ field, filter, value }: Condition): ({ field: OrderedField } & Bounds) | null {
  const { name } = field;
  if (filter.over !== undefined || field.read !== null || !isOrdered(name)) return null;
  switch (filter.compare) {
    case 'min':
      return { field: name, from: Number(atMostThreeDecimals(Number(value), 'up')), to: Infinity };
    case 'max':
      return { field: name, from: -Infinity, to: Number(atMostThreeDecimals(Number(value), 'down')) };
    case 'from':
      return { field: name, from: dayNumber(String(value)), to: Infinity };
    case 'to':
      return { field: name, from: -Infinity, to: dayNumber(String(value)) };
    default:
      return null;
  }
}
