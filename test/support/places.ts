import { fold } from '../../sql/query/fold.ts';

/** Places in plain code: a second way to what a spelling covers, and to the spelling of each place (decisions, §8). */

export type Level = 'landkreis' | 'gemeinde';

/** What the rule looks at of a unit. */
export interface Located {
  readonly landkreis: string | null;
  readonly gemeinde: string | null;
  readonly bundesland: string | null;
  readonly gemeindeschluessel: string | null;
}

export interface Place<Unit> {
  /** The shortest spelling that covers exactly these units; null when there is none. */
  readonly wert: string | null;
  readonly schluessel: string | null;
  readonly name: string | null;
  readonly bundesland: string | null;
  readonly units: readonly Unit[];
}

const DIGITS = { landkreis: 5, gemeinde: 8 };

function keyOf({ gemeindeschluessel }: Located, level: Level): string | null {
  const key = gemeindeschluessel ?? '';
  return /^\d{5}.{3}$/u.test(key) && /^\d+$/.test(key.slice(0, DIGITS[level])) ? key.slice(0, DIGITS[level]) : null;
}

/** The key of each unit: its own, else that of the only place which has its name in its state. */
export function keysOf<Unit extends Located>(units: readonly Unit[], level: Level): (unit: Unit) => string | null {
  const named = (unit: Unit) => JSON.stringify([unit[level], unit.bundesland]);
  const keyed = units.filter(
    (unit) => keyOf(unit, level) !== null && (unit[level] ?? '') !== '' && unit.bundesland !== null,
  );
  const keys = new Map<string, Set<string | null>>();
  for (const unit of keyed) keys.set(named(unit), (keys.get(named(unit)) ?? new Set()).add(keyOf(unit, level)));
  return (unit) => {
    const own = keyOf(unit, level);
    if (own !== null) return own;
    const [key = null, ...others] = keys.get(named(unit)) ?? [];
    return others.length === 0 ? key : null;
  };
}

/** Returns the units that a spelling covers, from a list of them. */
export function coverage<Unit extends Located>(
  units: readonly Unit[],
  level: Level,
): (spelling: string) => readonly Unit[] {
  const keyed = keysOf(units, level);
  const byKey = Map.groupBy(units, keyed);
  const byName = Map.groupBy(units, (unit) => unit[level]);
  const byNameAndState = Map.groupBy(units, (unit) => JSON.stringify([unit[level], unit.bundesland]));
  return (spelling) => {
    if (/^\d+$/.test(spelling) && spelling.length === DIGITS[level]) return byKey.get(spelling) ?? [];
    if (spelling.endsWith(', ohne Schlüssel')) {
      const state = spelling.slice(0, -', ohne Schlüssel'.length);
      return units.filter((unit) => keyed(unit) === null && `${unit[level]}, ${unit.bundesland}` === state);
    }
    const named = byName.get(spelling) ?? [];
    const comma = spelling.lastIndexOf(', ');
    if (named.length > 0 || comma === -1) return named;
    return byNameAndState.get(JSON.stringify([spelling.slice(0, comma), spelling.slice(comma + 2)])) ?? [];
  };
}

/** The places of a level: a key is one place, and so is a name in a state without a key. */
export function placesOf<Unit extends Located>(units: readonly Unit[], level: Level): Place<Unit>[] {
  const covered = coverage(units, level);
  const keyed = keysOf(units, level);
  const placed = units.filter((unit) => keyed(unit) !== null || unit[level] !== null);
  const identity = (unit: Unit) => JSON.stringify(keyed(unit) ?? [unit[level], unit.bundesland]);
  return [...Map.groupBy(placed, identity).values()].map((members) => {
    const { name, bundesland } = mostFrequentName(members, level);
    const schluessel = keyed(members[0]!);
    // An empty name names nothing.
    const named = (name ?? '') === '' ? null : name;
    const inState = named === null || bundesland === null ? null : `${named}, ${bundesland}`;
    const spellings = [named, inState, schluessel, inState === null ? null : `${inState}, ohne Schlüssel`];
    const isExact = (spelling: string | null) => spelling !== null && sameUnits(covered(spelling), members);
    return { wert: spellings.find(isExact) ?? null, schluessel, name, bundesland, units: members };
  });
}

/** The name of a place, with its state, that most of its units have. */
function mostFrequentName(members: readonly Located[], level: Level) {
  const names = Map.groupBy(members, (unit) => JSON.stringify([unit[level], unit.bundesland]));
  return [...names.values()]
    .map((some) => ({ name: some[0]![level], bundesland: some[0]!.bundesland, count: some.length }))
    .sort((a, b) => b.count - a.count || inOrder(a.name, b.name) || inOrder(a.bundesland, b.bundesland))[0]!;
}

/** The order of the bytes; null last. */
function inOrder(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const sameUnits = <Unit>(one: readonly Unit[], other: readonly Unit[]): boolean =>
  one.length === other.length && new Set([...one, ...other]).size === one.length;

/** The text in which a search among the values of the set looks for names. */
export const searchedName = ({ wert, schluessel, name }: Place<unknown>): string =>
  fold(wert === schluessel ? (name ?? wert ?? '') : (wert ?? ''));
