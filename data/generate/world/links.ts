/** The plants, permits, locations and connection points of a unit, and their keys in the number series. */

import { itemAt } from '../../../runtime/present.ts';
import { BIOMASS, CARRIERS, COMBUSTION, HYDRO, MIXED, SOLAR, STORAGE, WIND } from './carriers.ts';
import {
  AT_SEA,
  BIOGAS,
  GASES,
  GROUND,
  type Kind,
  LARGE_BATTERY,
  LARGE_ROOF,
  LIQUID_BIOMASS,
  MEDIUM_ENGINE,
  ON_LAND,
  POWER_STATION,
  PUMPED_HYDRO,
  REACTOR,
  RESERVOIR,
  RUN_OF_RIVER,
  SMALL_ENGINE,
  SOLID_BIOMASS,
} from './kinds.ts';
import { roll } from './random.ts';
import { PLANNED } from './status.ts';
import { type Unit, unitNumber } from './unit.ts';
import type { Group, World } from './world.ts';

const EEG_SHARE = new Map([
  [SOLAR, 0.94],
  [STORAGE, 0.98],
  [WIND, 0.98],
  [BIOMASS, 0.96],
  [HYDRO, 0.85],
  [MIXED, 0.5],
]);
const CHP_SHARE = new Map([
  [COMBUSTION, 0.72],
  [BIOMASS, 0.84],
  [MIXED, 0.4],
]);
const PERMIT_SHARE = new Map<Kind, number>([
  [ON_LAND, 0.95],
  [AT_SEA, 0.97],
  [BIOGAS, 0.85],
  [SOLID_BIOMASS, 0.9],
  [LIQUID_BIOMASS, 0.4],
  [RUN_OF_RIVER, 0.7],
  [RESERVOIR, 0.9],
  [GROUND, 0.5],
  [LARGE_ROOF, 0.08],
  [POWER_STATION, 0.95],
  [MEDIUM_ENGINE, 0.25],
  [SMALL_ENGINE, 0.02],
  [LARGE_BATTERY, 0.6],
  [PUMPED_HYDRO, 0.95],
  [REACTOR, 1],
  [GASES, 0.5],
]);

/** Carriers whose units have an EEG plant each; the others share that of their site. */
export function hasOwnPlant(carrier: number): boolean {
  return carrier === STORAGE || carrier === WIND;
}

export function hasEeg(unit: Unit): boolean {
  return drawsEeg(unit.carrier, hasOwnPlant(unit.carrier) ? unit.base : unit.siteBase);
}

/** The same from the base alone: of the unit where it has its own plant, else of the site. */
export function drawsEeg(carrier: number, base: number): boolean {
  return roll(base, 80) < (EEG_SHARE.get(carrier) ?? 0);
}

/** Key of the EEG plant. */
export function eegKey(unit: Unit): number {
  return hasOwnPlant(unit.carrier) ? unit.index * 16 + unit.carrier : unit.siteKey;
}

export function hasChp(unit: Unit): boolean {
  return roll(unit.base, 81) < (CHP_SHARE.get(unit.carrier) ?? 0) && unit.kind.name !== 'emergency power';
}

export function chpKey(unit: Unit): number {
  return unit.index * 16 + unit.carrier;
}

export function hasPermit(unit: Unit): boolean {
  return unit.siteCarrier === unit.carrier && roll(unit.siteBase, 82) < (PERMIT_SHARE.get(unit.kind) ?? 0);
}

/** Key of the storage plant, which holds the capacity in kWh. */
export function storagePlantKey(unit: Unit): number {
  return (unit.siteCarrier === STORAGE ? unit.leader : unit.index) * 16 + STORAGE;
}

/** A planned unit does not name its location. */
export function namesLocation(unit: Unit): boolean {
  return unit.status !== PLANNED && roll(unit.base, 83) > 0.015;
}

export function locationNumber(world: World, unit: Unit): string {
  return world.series(itemAt(CARRIERS, unit.siteCarrier).locationPrefix).of(unit.siteKey);
}

/** Number of connection points of a location. */
export function pointCount(siteBase: number): number {
  const chance = roll(siteBase, 84);
  return chance < 0.12 ? 0 : chance < 0.97 ? 1 : chance < 0.992 ? 2 : 3;
}

export function pointNumber(world: World, siteCarrier: number, siteKey: number, point: number): string {
  return world.series(siteCarrier > 8 ? 'GAN' : 'SAN').of(siteKey * 4 + point);
}

const group: Group = { leader: 0, size: 1 };

/** Numbers of the registered units of a site, comma and blank between them. */
export function unitsOfSite(world: World, carrier: number, leader: number): string {
  world.group(carrier, leader, group);
  let list = unitNumber(world, carrier, leader);
  for (let i = 1; i < group.size && leader + i < itemAt(world.counts, carrier); i++) {
    list += `, ${unitNumber(world, carrier, leader + i)}`;
  }
  return list;
}

/** Units of a site and the storage units beside its solar units. */
export function unitsOfLocation(world: World, carrier: number, leader: number): string {
  let list = unitsOfSite(world, carrier, leader);
  if (carrier !== SOLAR) return list;
  const { size } = world.group(carrier, leader, group);
  for (let i = 0; i < size; i++) {
    const storage = world.storageBeside(leader + i);
    if (storage >= 0) list += `, ${unitNumber(world, STORAGE, storage)}`;
  }
  return list;
}

export function leads(world: World, carrier: number, index: number): boolean {
  return world.group(carrier, index, group).leader === index;
}
