/** The plants of a world that take part in tenders, and which rounds they can have won. */

import { itemAt } from '../../../runtime/present.ts';
import { plantPower } from '../files/plants.ts';
import { BIOMASS, COMBUSTION, MIXED, SOLAR, STORAGE, WIND } from '../world/carriers.ts';
import { isDeleted } from '../world/deletion.ts';
import { GROUND, kindOf, LARGE_BATTERY, LARGE_ROOF, ON_LAND } from '../world/kinds.ts';
import { chpKey, drawsEeg, eegKey, hasChp, hasEeg, leads } from '../world/links.ts';
import { roll } from '../world/random.ts';
import type { Region } from '../world/regions.ts';
import { PLANNED } from '../world/status.ts';
import { date, dayText, NONE } from '../world/text.ts';
import { Unit, unitNumber } from '../world/unit.ts';
import { chpImprintKey, type Group, imprintKey, type World } from '../world/world.ts';
import { type Round, UNITS_NAMED_FROM } from './calendar.ts';

/**
 * The ways in which a plant can be linked to its award: by the award number in the register, by the register number in
 * the award list, by the parcels, which both name, or not at all.
 */
export type Link = 'register' | 'list' | 'parcel' | 'none';

/** One plant that won. */
export interface Winner {
  /** Key of its imprint. */
  readonly key: number;
  /** Numbers of its units, and of itself. */
  readonly units: readonly string[];
  readonly plant: string;
  /** Whole kW. */
  readonly kilowatts: number;
  readonly planned: boolean;
  /** Uniform random number that decides about the link. */
  readonly chance: number;
}

/** Plants that take part together: all of a site. */
export interface Claim {
  readonly base: number;
  readonly region: Region;
  readonly technology: string;
  /** Bid dates that are possible, both included. */
  readonly from: number;
  readonly to: number;
  readonly winners: readonly Winner[];
  /** Returns how a winner is linked to an award of the round. */
  link(winner: Winner, round: Round): Link;
  /** Returns true when the units are registered at the parcels of the award. */
  readonly atParcels: boolean;
}

const TENDERS_FROM = date(2015, 9);

/** The bid dates before the plant was built; for a unit that was registered while planned, around its registration. */
function datesOf(unit: Unit, before: number, after: number): { from: number; to: number } {
  const planned = unit.status === PLANNED || unit.registered !== unit.first;
  return planned
    ? { from: unit.first - before, to: unit.first + after }
    : { from: unit.commissioned - 600, to: unit.commissioned - 60 };
}

function winner(world: World, unit: Unit, units: readonly string[], kilowatts: number, key: number): Winner {
  return {
    key,
    units,
    plant: world.series('EEG').of(eegKey(unit)),
    kilowatts: Math.max(1, Math.floor(kilowatts)),
    planned: unit.status === PLANNED,
    chance: roll(unit.base, 910),
  };
}

/** Numbers of the units of a site. */
function unitsOf(world: World, carrier: number, leader: number): string[] {
  const group: Group = { leader: 0, size: 1 };
  const { size } = world.group(carrier, leader, group);
  const end = Math.min(leader + size, itemAt(world.counts, carrier));
  return Array.from({ length: end - leader }, (_, i) => unitNumber(world, carrier, leader + i));
}

function* leaders(world: World, carrier: number): Generator<number> {
  const size = itemAt(world.counts, carrier);
  for (let index = 0; index < size; index++)
    if (leads(world, carrier, index) && !isDeleted(world, carrier, index)) yield index;
}

/** Ground-mounted plants and large roofs. */
function* solarClaims(world: World, unit: Unit): Generator<Claim> {
  const group: Group = { leader: 0, size: 1 };
  for (const index of leaders(world, SOLAR)) {
    const base = world.siteBase(SOLAR, index);
    if (!drawsEeg(SOLAR, base)) continue;
    const joint = world.group(SOLAR, index, group).size > 1;
    const kind = kindOf(SOLAR, index, base, world.registration(SOLAR, index), joint);
    if (kind !== GROUND && kind !== LARGE_ROOF) continue;
    unit.load(SOLAR, index);
    const kilowatts = plantPower(world, unit, false);
    const built = unit.commissioned === NONE ? unit.first : unit.commissioned;
    const ground = kind === GROUND;
    const least = !ground ? 300 : built < date(2017) ? 100 : 750;
    if (kilowatts < least || built < TENDERS_FROM || roll(base, 911) < 0.1) continue;
    const other = roll(base, 912);
    yield {
      base,
      region: unit.region,
      technology: !ground
        ? 'SOLAR_DACH'
        : other < 0.12
          ? 'INNOVATION'
          : other < 0.3
            ? 'GEMEINSAM'
            : 'SOLAR_FREIFLAECHE',
      ...datesOf(unit, 420, -20),
      winners: [winner(world, unit, unitsOf(world, SOLAR, index), kilowatts, imprintKey(SOLAR, index))],
      // Planned plants rarely name their award.
      link: ({ planned, chance }) =>
        chance < (planned ? 0.2 : 0.85) ? 'register' : ground && chance < (planned ? 0.5 : 0.97) ? 'parcel' : 'none',
      atParcels: ground,
    };
  }
}

/** Wind farms: every turbine is a plant of its own, the farm wins together. */
function* windClaims(world: World, unit: Unit): Generator<Claim> {
  const group: Group = { leader: 0, size: 1 };
  for (const index of leaders(world, WIND)) {
    const { size } = world.group(WIND, index, group);
    unit.load(WIND, index);
    if (unit.kind !== ON_LAND || roll(unit.siteBase, 911) < 0.15) continue;
    const { siteBase, region } = unit;
    const dates = datesOf(unit, 150, 150);
    const winners: Winner[] = [];
    for (let at = index; at < Math.min(index + size, itemAt(world.counts, WIND)); at++) {
      if (isDeleted(world, WIND, at)) continue;
      unit.load(WIND, at);
      if (!hasEeg(unit) || (unit.commissioned !== NONE && unit.commissioned < dates.from + 100)) continue;
      winners.push(winner(world, unit, [unit.number], unit.net, imprintKey(WIND, at)));
    }
    if (winners.length === 0) continue;
    yield {
      base: siteBase,
      region,
      technology: 'WIND',
      ...dates,
      winners,
      link: ({ planned, chance }, { day }) =>
        chance < (planned ? 0.1 : 0.85) ? 'register' : day >= UNITS_NAMED_FROM ? 'list' : 'none',
      atParcels: false,
    };
  }
}

/** New biomass plants, and existing ones that go on after their twenty years. */
function* biomassClaims(world: World, unit: Unit): Generator<Claim> {
  for (const index of leaders(world, BIOMASS)) {
    const base = world.siteBase(BIOMASS, index);
    if (!drawsEeg(BIOMASS, base) || roll(base, 911) < 0.5) continue;
    unit.load(BIOMASS, index);
    const built = unit.commissioned === NONE ? unit.first : unit.commissioned;
    const existing = built < date(2011);
    if (built < date(2000) || (!existing && built < date(2017))) continue;
    const end = date(Number(dayText(built).slice(0, 4)) + 20, 12, 31);
    const dates = existing ? { from: end - 1000, to: end - 100 } : datesOf(unit, 400, 0);
    const kilowatts = plantPower(world, unit, true);
    yield {
      base,
      region: unit.region,
      technology: 'BIOMASSE',
      ...dates,
      winners: [winner(world, unit, unitsOf(world, BIOMASS, index), kilowatts, imprintKey(BIOMASS, index))],
      link: ({ chance }, { day }) => (chance < 0.6 ? 'register' : day >= date(2020) ? 'list' : 'none'),
      atParcels: false,
    };
  }
}

/** Large batteries that won together with wind or solar power. */
function* storageClaims(world: World, unit: Unit): Generator<Claim> {
  for (let index = 0; index < itemAt(world.counts, STORAGE); index++) {
    const base = world.unitBase(STORAGE, index);
    if (roll(base, 911) > 0.5 || isDeleted(world, STORAGE, index) || !drawsEeg(STORAGE, base)) continue;
    unit.load(STORAGE, index);
    if (unit.kind !== LARGE_BATTERY) continue;
    yield {
      base,
      region: unit.region,
      technology: 'INNOVATION',
      ...datesOf(unit, 420, -20),
      winners: [winner(world, unit, [unit.number], unit.net, imprintKey(STORAGE, index))],
      link: ({ planned, chance }) => (chance < (planned ? 0.3 : 0.9) ? 'register' : 'none'),
      atParcels: false,
    };
  }
}

/** CHP plants; their award belongs to the CHP plant, not to an EEG plant. */
function* chpClaims(world: World, unit: Unit): Generator<Claim> {
  for (const carrier of [COMBUSTION, BIOMASS, MIXED]) {
    for (let index = 0; index < itemAt(world.counts, carrier); index++) {
      if (roll(world.unitBase(carrier, index), 911) < 0.4 || isDeleted(world, carrier, index)) continue;
      unit.load(carrier, index);
      if (!hasChp(unit) || unit.gross < 100) continue;
      yield {
        base: unit.base,
        region: unit.region,
        technology: 'KWK',
        ...datesOf(unit, 500, 500),
        winners: [
          {
            ...winner(world, unit, [unit.number], unit.net, chpImprintKey(carrier, index)),
            plant: world.series('KWK').of(chpKey(unit)),
          },
        ],
        link: ({ chance }) => (chance < 0.5 ? 'register' : 'list'),
        atParcels: false,
      };
    }
  }
}

/** All that take part, carrier by carrier in the order of their registration. */
export function* claimsOf(world: World): Generator<Claim> {
  const unit = new Unit(world);
  yield* solarClaims(world, unit);
  yield* windClaims(world, unit);
  yield* biomassClaims(world, unit);
  yield* storageClaims(world, unit);
  yield* chpClaims(world, unit);
}
