/**
 * Draws nights with a chosen number of changes, in the proportions that real days had. The clock of the world stands still
 * meanwhile: nothing else changes.
 */
import { itemAt } from '../../../runtime/present.ts';
import { CARRIERS, ELECTRIC } from './carriers.ts';
import { type Arrivals, type Change, type Changes, type Event, NO_CHANGES } from './changes.ts';
import { isDeleted } from './deletion.ts';
import { leads } from './links.ts';
import { foreignOwner, isLegal, operatorKey } from './operators.ts';
import { baseOf, roll } from './random.ts';
import { PLANNED } from './status.ts';
import { Unit } from './unit.ts';
import { imprintKey, STREAM, World, type WorldKey } from './world.ts';

/**
 * Counted between three real states of the storage units from 5 MW on (September 2025, February and July 2026), the only
 * ones whose history is known: 102 units came, 13 left, and 142 changed. 18 operators had another name.
 */
const REAL = {
  came: 102,
  renamed: 18,
  changed: [
    ['left', 13],
    ['commissioned', 20],
    ['moved', 28],
    ['power', 18],
    ['touched', 76],
  ] satisfies readonly (readonly [Event, number])[],
};
const REAL_TOTAL = REAL.changed.reduce((sum, [, count]) => sum + count, REAL.came);

/** Planned units are among this share of them, the newest. */
const PLANNED_AMONG = 0.15;

/** An event finds its unit among this many at most; where none of them can have it, its place stays empty. */
const LOOKED_AT = 3000;

export function drawNights(key: WorldKey): Changes {
  const { nights = [] } = key;
  if (nights.length === 0) return NO_CHANGES;
  const world = new World({ ...key, nights: [] });
  const units = new Map<number, Change>();
  const renamed = new Map<number, number>();
  const arrivals: Arrivals[] = [];
  let came = 0;
  for (const { day, changes } of nights) {
    const share = (count: number): number => Math.round((changes * count) / REAL_TOTAL);
    came += share(REAL.came);
    arrivals.push({ day, counts: countsAfter(world, came) });
    for (const [nth, [event, count]] of REAL.changed.entries()) {
      const newest = event === 'commissioned' || event === 'moved' ? PLANNED_AMONG : 1;
      spread(world, { day, draw: nth + 1, newest }, share(count), (carrier, index) => {
        const at = imprintKey(carrier, index);
        if (units.has(at) || !canHave(world, event, carrier, index)) return false;
        units.set(at, { day, event });
        return true;
      });
    }
    spread(world, { day, draw: 0, newest: 1 }, share(REAL.renamed), (carrier, leader) => {
      const operator = operatorKey(world, carrier, leader, 0);
      const own = leads(world, carrier, leader) && foreignOwner(world, carrier, leader) < 0;
      if (!own || renamed.has(operator) || !isLegal(world, operator)) return false;
      renamed.set(operator, day);
      return true;
    });
  }
  return { arrivals, units, renamed };
}

/** Counts by carrier once this many electric units have come: each kind grows as the register does at that time. */
function countsAfter(world: World, came: number): number[] {
  const at = (day: number): number[] => CARRIERS.map(({ code }) => world.countOn(code, day));
  const electric = (counts: readonly number[]): number =>
    ELECTRIC.reduce((sum, { code }) => sum + itemAt(counts, code), 0);
  const aim = electric(world.counts) + came;
  let [low, high] = [world.day, world.day + 1];
  while (electric(at(high)) < aim) high += high - world.day;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (electric(at(middle)) < aim) low = middle;
    else high = middle;
  }
  return at(high);
}

/** Offers the newest units to `take`, evenly over carriers and their indices, until it has taken so many. */
function spread(
  world: World,
  { day, draw, newest }: { readonly day: number; readonly draw: number; readonly newest: number },
  count: number,
  take: (carrier: number, index: number) => boolean,
): void {
  const sizes = ELECTRIC.map(({ code }) => ({ code, size: Math.ceil(newest * itemAt(world.counts, code)) }));
  const all = sizes.reduce((sum, { size }) => sum + size, 0);
  const unitAt = (place: number): readonly [carrier: number, index: number] => {
    let rest = place;
    for (const { code, size } of sizes) {
      if (rest < size) return [code, itemAt(world.counts, code) - size + rest];
      rest -= size;
    }
    throw new RangeError(`there is no unit ${place}`);
  };
  const base = baseOf(world.seed, STREAM.night + draw, day);
  for (let nth = 0; nth < count; nth++) {
    const from = Math.floor(((nth + roll(base, nth)) / count) * all);
    for (let step = 0; step < Math.min(LOOKED_AT, all); step++) {
      if (take(...unitAt((from + step) % all))) break;
    }
  }
}

const units = new WeakMap<World, Unit>();

function canHave(world: World, event: Event, carrier: number, index: number): boolean {
  if (isDeleted(world, carrier, index)) return false;
  if (event === 'left' || event === 'touched') return true;
  const unit = units.get(world) ?? new Unit(world);
  units.set(world, unit);
  const planned = unit.load(carrier, index).status === PLANNED;
  return event === 'power' ? !planned : planned;
}
