import { say } from '../../format/language.ts';
import type { Area } from '../../map/boundaries.ts';
import type { MapLevel } from '../../map/level.ts';
import type { Group } from '../../v1/answers.ts';
import type { AreaData } from './load-areas.ts';
import type { Measure } from './measures.ts';
import type { Scope } from './scope.ts';
import { groupsAt } from './stock.ts';

/** The known values of an area. */
export type AreaValue =
  | { readonly state: 'units'; readonly group: Group; readonly value: number }
  /** The register has no such unit here. */
  | { readonly state: 'none' }
  /** Nothing was loaded for it, or the register does not know its key any more. */
  | { readonly state: 'unknown'; readonly why: string };

/** A place that the map does not have: it is younger than its borders, in the sea, or not known. */
export interface Elsewhere {
  readonly group: Group;
  readonly value: number | null;
}

export interface Values {
  readonly areas: readonly Area[];
  readonly valueByKey: ReadonlyMap<string, AreaValue>;
  readonly elsewhere: readonly Elsewhere[];
}

const NONE: AreaValue = { state: 'none' };
const NOT_LOADED: AreaValue = { state: 'unknown', why: say('nicht geladen', 'not loaded') };
const NOT_KNOWN: AreaValue = {
  state: 'unknown',
  why: say('kommt im Register nicht vor', 'does not occur in the register'),
};
const NOT_LISTED: AreaValue = {
  state: 'unknown',
  why: say('Einwohner und Fläche sind nicht bekannt', 'inhabitants and area are not known'),
};
const NOT_DIVIDED: AreaValue = {
  state: 'unknown',
  why: say(
    'am Anfang stand hier nichts: eine Änderung in Prozent gibt es nicht',
    'nothing stood here at the beginning: there is no change in per cent',
  ),
};

/** A group, and what it is compared with. */
interface Compared {
  readonly group: Group;
  readonly other: Group | null;
}

/**
 * The groups of a map that have something.
 * @param at number of the day that is shown, where the stock of days was asked for
 */
function comparedOf(data: AreaData, { kind }: Measure, at: number | null): readonly Compared[] {
  const groups = at === null ? data.groups : groupsAt(data.groups, at);
  const others = kind === 'zuwachs' ? groupsAt(data.groups, 0) : data.wholes;
  const wholes = at === null || kind === 'zuwachs' || others === null ? others : groupsAt(others, at);
  const byKey = new Map(wholes?.map((group) => [group.key, group]));
  return groups
    .map((group) => ({ group, other: byKey.get(group.key) ?? null }))
    .filter(({ group, other }) => group.count > 0 || (kind === 'zuwachs' && (other?.count ?? 0) > 0));
}

/** Brings figures and areas together. @param at as `comparedOf` has it */
export function valuesOf(data: AreaData, { level, prefix }: Scope, measure: Measure, at: number | null): Values {
  const areas = data.boundaries.areas.filter(({ key }) => key.startsWith(prefix));
  const keyOf = keysOfGroups(level, areas);
  const found = new Map<string, Compared>();
  const elsewhere: Elsewhere[] = [];
  const shown = new Set(areas.map(({ key }) => key));
  for (const compared of comparedOf(data, measure, at)) {
    const key = keyOf(compared.group);
    if (key !== null && shown.has(key)) found.set(key, compared);
    else elsewhere.push({ group: compared.group, value: measure.valueOf(compared.group, compared.other) });
  }
  const absent = (key: string): AreaValue => {
    if (data.isPartial) return NOT_LOADED;
    return data.known === null || data.known.has(key) ? NONE : NOT_KNOWN;
  };
  const without = measure.kind === 'zuwachs' ? NOT_DIVIDED : data.isPartial ? NOT_LOADED : NOT_LISTED;
  const valueByKey = new Map(
    areas.map(({ key }): [string, AreaValue] => {
      const compared = found.get(key);
      if (compared === undefined) return [key, absent(key)];
      const value = measure.valueOf(compared.group, compared.other);
      return [key, value === null ? without : { state: 'units', group: compared.group, value }];
    }),
  );
  return { areas, valueByKey, elsewhere };
}

/** The values of all areas on all days, by which colours stay the same while time goes by. */
export function numbersOf(data: AreaData, scope: Scope, measure: Measure, ats: readonly (number | null)[]): number[] {
  return ats.flatMap((at) =>
    [...valuesOf(data, scope, measure, at).valueByKey.values()].flatMap((one) =>
      one.state === 'units' ? [one.value] : [],
    ),
  );
}

/** States are named, districts and municipalities have their key. */
function keysOfGroups(level: MapLevel, areas: readonly Area[]): (group: Group) => string | null {
  if (level !== 'bundesland') return ({ schluessel }) => schluessel ?? null;
  const keys = new Map(areas.map(({ name, key }) => [name, key]));
  return ({ key }) => keys.get(key ?? '') ?? null;
}
