import { SOLAR, STORAGE } from './carriers.ts';
import { exponential, roll } from './random.ts';
import { type Group, imprintKey, type World } from './world.ts';

/** Share of units that are deleted some day, and the mean time until then (days). */
const DELETE_SHARE = 0.02;
const DELETE_MEAN = 1100;

/** First of the draws that decide about the deletion of a unit. */
export const DELETION_DRAW = 60;

/** The first units of the rare carriers are specimens, see Unit.specimen. */
export function isSpecimen(carrier: number, index: number): boolean {
  return carrier !== SOLAR && carrier !== STORAGE && index < 9;
}

/** Day on which a unit is deleted; far in the future for most. */
export function deletion(carrier: number, index: number, base: number, first: number): number {
  if (isSpecimen(carrier, index) || roll(base, DELETION_DRAW) >= DELETE_SHARE) return 1_000_000_000;
  return first + 2 + Math.floor(exponential(base, DELETION_DRAW + 1, DELETE_MEAN));
}

/** Returns true when one of the nights took the unit. */
function hasLeft(world: World, carrier: number, index: number): boolean {
  return world.changes.units.get(imprintKey(carrier, index))?.event === 'left';
}

const group: Group = { leader: 0, size: 1 };

/** The same, and nothing else stands there: location and operator leave with the unit. */
export function leftAlone(world: World, carrier: number, index: number): boolean {
  if (!hasLeft(world, carrier, index) || world.group(carrier, index, group).size > 1) return false;
  return carrier === SOLAR ? world.storageBeside(index) < 0 : carrier !== STORAGE || world.solarBeside(index) < 0;
}

/** Returns true when the unit is deleted by the day of the export. */
export function isDeleted(world: World, carrier: number, index: number): boolean {
  if (hasLeft(world, carrier, index)) return true;
  const base = world.unitBase(carrier, index);
  if (roll(base, DELETION_DRAW) >= DELETE_SHARE) return false;
  return deletion(carrier, index, base, world.registration(carrier, index)) <= world.day;
}

/**
 * Returns true when the file of the unit has it. A few deleted units are still written, since the register does not export
 * in one transaction.
 */
export function isInFile(world: World, carrier: number, index: number): boolean {
  return !isDeleted(world, carrier, index) || roll(world.unitBase(carrier, index), DELETION_DRAW + 2) < 0.02;
}
