/** The operators of sites, as keys in the number series ABR. */
import { SOLAR } from './carriers.ts';
import { type Kind, kindOf } from './kinds.ts';
import { bits, roll } from './random.ts';
import { type Group, STREAM, type World } from './world.ts';

/** Code of the pool of large operators, in addition to the codes of the carriers. */
const POOL = 12;

/** Share of sites that look for their operator at an earlier site; many households have several solar units. */
const SHARED_SOLAR = 0.28;
const SHARED = 0.05;

const target: Group = { leader: 0, size: 1 };

/** Key of a pool operator. */
export function poolKey(index: number): number {
  return index * 32 + POOL * 2;
}

/**
 * Key of the operator of a site; generation 1 is the operator after a change.
 * Some sites belong to the operator of an earlier site of the carrier or to one of the large operators.
 */
export function operatorKey(world: World, carrier: number, leader: number, generation: 0 | 1): number {
  const other = foreignOwner(world, carrier, leader);
  if (generation === 0 && other >= 0) return other;
  return leader * 32 + carrier * 2 + generation;
}

/** Key of the operator when it is not the site's own one, else -1. */
export function foreignOwner(world: World, carrier: number, leader: number): number {
  const base = world.siteBase(carrier, leader);
  const chance = roll(base, 2);
  if (chance > 0.93 && carrier > 1 && chance < 0.99) return poolKey(bits(base, 3) % world.poolSize);
  if (chance > 0.992 && carrier <= 1) return poolKey(bits(base, 3) % world.poolSize);
  const shared = carrier === SOLAR ? SHARED_SOLAR : SHARED;
  if (chance >= shared || leader < 8) return -1;
  const there = world.group(carrier, leader - 1 - (bits(base, 3) % Math.min(leader - 1, 400)), target).leader;
  const chanceThere = roll(world.siteBase(carrier, there), 2);
  if (chanceThere < shared || chanceThere > 0.93) return -1;
  // Households do not share their operator with solar parks.
  if (siteKind(world, carrier, there).legal > 0.5 !== siteKind(world, carrier, leader).legal > 0.5) return -1;
  return there * 32 + carrier * 2;
}

function siteKind(world: World, carrier: number, leader: number): Kind {
  const { size } = world.group(carrier, leader, target);
  return kindOf(carrier, leader, world.siteBase(carrier, leader), world.registration(carrier, leader), size > 1);
}

/** Random base of an operator. */
export function actorBase(world: World, key: number): number {
  return key % 32 >= POOL * 2
    ? poolBase(world, key)
    : world.siteBase(Math.floor((key % 32) / 2), Math.floor(key / 32)) ^ (key & 1);
}

function poolBase(world: World, key: number): number {
  return world.siteBase(STREAM.pool, key);
}

/** Returns true when an operator is an organisation at its registration. */
export function isLegal(world: World, key: number): boolean {
  if (key % 32 >= POOL * 2) return true;
  const carrier = Math.floor((key % 32) / 2);
  const leader = Math.floor(key / 32);
  return roll(world.siteBase(carrier, leader), 7 + (key & 1)) < siteKind(world, carrier, leader).legal;
}
