import type { Boundaries } from '../../map/boundaries.ts';
import type { MapLevel } from '../../map/level.ts';
import type { Region, RegionOrCountry } from '../../regions/region.ts';

/** The part of the country that the map shows, and the areas in which it does. */
export interface Scope {
  readonly level: MapLevel;
  /** A state, a district, or the country. */
  readonly region: RegionOrCountry;
  /** Digits with which the keys of the areas begin. */
  readonly prefix: string;
}

/**
 * Turns what an address asks for into what a map can show: states only of the whole country, a district by its
 * municipalities, and municipalities only of a state or district, as the interface names a thousand places at most.
 * @returns null where a state has to be chosen first
 */
export function scopeOf(asked: MapLevel, region: RegionOrCountry, states: Boundaries): Scope | null {
  const district = districtOf(region);
  if (district !== null) return { level: 'gemeinde', region: district, prefix: district.value };
  const state = region?.level === 'bundesland' ? stateKey(region.value, states) : null;
  if (state === null) return asked === 'gemeinde' ? null : { level: asked, region: null, prefix: '' };
  return { level: asked === 'gemeinde' ? 'gemeinde' : 'landkreis', region, prefix: state };
}

/** The district of a region; a municipality is shown in its district. */
function districtOf(region: RegionOrCountry): Region | null {
  if (region?.level !== 'landkreis' && region?.level !== 'gemeinde') return null;
  const key = region.value.slice(0, 5);
  return /^\d{5}$/.test(key) ? { level: 'landkreis', value: key } : null;
}

export const stateKey = (name: string, states: Boundaries): string | null =>
  states.areas.find((state) => state.name === name)?.key ?? null;
