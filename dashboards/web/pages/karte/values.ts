import type { Area } from '../../map/boundaries.ts';
import type { MapLevel } from '../../map/level.ts';
import type { Group } from '../../v1/answers.ts';
import type { AreaData } from './load-areas.ts';
import type { Measure } from './measures.ts';
import type { Scope } from './scope.ts';

/** The known values of an area. */
export type AreaValue =
  | { readonly state: 'units'; readonly group: Group; readonly value: number }
  /** The register has no such unit here. */
  | { readonly state: 'none' }
  /** Nothing was loaded for it, or the register does not know its key any more. */
  | { readonly state: 'unknown'; readonly why: string };

export interface Values {
  readonly areas: readonly Area[];
  readonly valueByKey: ReadonlyMap<string, AreaValue>;
  /** Groups that no area of the map has: places that are younger than its borders, the sea, units without a place. */
  readonly elsewhere: readonly Group[];
}

const NONE: AreaValue = { state: 'none' };
const NOT_LOADED: AreaValue = { state: 'unknown', why: 'nicht geladen' };
const NOT_KNOWN: AreaValue = { state: 'unknown', why: 'kommt im Register nicht vor' };
const NOT_LISTED: AreaValue = { state: 'unknown', why: 'Einwohner und Fläche sind nicht bekannt' };

/** Brings figures and areas together. */
export function valuesOf(data: AreaData, { level, prefix }: Scope, measure: Measure): Values {
  const areas = data.boundaries.areas.filter(({ key }) => key.startsWith(prefix));
  const keyOf = keysOfGroups(level, areas);
  const groupOf = new Map<string, Group>();
  const elsewhere: Group[] = [];
  const shown = new Set(areas.map(({ key }) => key));
  for (const group of data.groups) {
    const key = keyOf(group);
    if (key !== null && shown.has(key)) groupOf.set(key, group);
    else elsewhere.push(group);
  }
  const absent = (key: string): AreaValue => {
    if (data.isPartial) return NOT_LOADED;
    return data.known === null || data.known.has(key) ? NONE : NOT_KNOWN;
  };
  const valueByKey = new Map(
    areas.map(({ key }): [string, AreaValue] => {
      const group = groupOf.get(key);
      if (group === undefined) return [key, absent(key)];
      const value = measure.valueOf(group);
      return [key, value === null ? NOT_LISTED : { state: 'units', group, value }];
    }),
  );
  return { areas, valueByKey, elsewhere };
}

/** States are named, districts and municipalities have their key. */
function keysOfGroups(level: MapLevel, areas: readonly Area[]): (group: Group) => string | null {
  if (level !== 'bundesland') return ({ schluessel }) => schluessel ?? null;
  const keys = new Map(areas.map(({ name, key }) => [name, key]));
  return ({ key }) => keys.get(key ?? '') ?? null;
}
