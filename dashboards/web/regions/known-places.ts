import type { LinkFault } from '../address/link-faults.ts';
import { nearest } from '../address/nearest.ts';
import { say } from '../format/language.ts';
import type { ReferenceValue, ReferenceValues } from '../v1/answers.ts';
import type { Loaded } from '../v1/loaded.ts';
import { Refused } from '../v1/problem.ts';
import { type Loading, useLoad } from '../v1/use-answer.ts';
import { isKeyed, type Level, type Region, regionText } from './region.ts';

/** Finds out whether there is a place of which a link names the key, the name or the postal code: figures of none are all zero. */

/** A place, and the parameter that names it. */
export interface NamedPlace {
  readonly parameter: string;
  readonly place: Region;
  /** As the link has it. */
  readonly written: string;
}

const NOTHING: Loaded<readonly LinkFault[]> = { state: 'ready', value: [] };

/** Lists the places that the register does not have. One that cannot be looked up counts as one that is there. */
export function useUnknownPlaces(named: readonly NamedPlace[]): Loaded<readonly LinkFault[]> {
  const id = named.map(({ parameter, place }) => `${parameter}=${regionText(place)}`).join(' ');
  const loaded = useLoad(id === '' ? null : id, async ({ ask }) => {
    const faults = await Promise.all(named.map((one) => faultOf(one, ask)));
    return faults.filter((fault) => fault !== null);
  });
  return id === '' ? NOTHING : loaded;
}

async function faultOf({ parameter, place, written }: NamedPlace, ask: Loading['ask']): Promise<LinkFault | null> {
  try {
    const values = await candidates(place, ask);
    if (values.some((value) => isSpelling(place, value))) return null;
    const near = place.level === 'bundesland' ? nearest(place.value, values.map(spelling)) : values.map(spelling)[0];
    const hint = near == null ? '' : say(`; gemeint ist vielleicht „${near}“`, `; “${near}” may be meant`);
    return { name: parameter, value: written, why: `${MISSING[place.level]}${hint}` };
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

const MISSING: Readonly<Record<Level, string>> = {
  bundesland: say(
    'nennt ein Bundesland, in dem das Register keine Einheit hat',
    'names a state in which the register has no unit',
  ),
  landkreis: say(
    'nennt einen Kreis, in dem das Register keine Einheit hat',
    'names a district in which the register has no unit',
  ),
  gemeinde: say(
    'nennt eine Gemeinde, in der das Register keine Einheit hat',
    'names a municipality in which the register has no unit',
  ),
  plz: say(
    'nennt Postleitzahlen, unter denen das Register keine Einheit hat',
    'names postal codes under which the register has no unit',
  ),
};

/** As many as the interface answers at once. */
const MOST_VALUES = 100;
/** The interface takes no longer text; no name of a place is as long. */
const MOST_LETTERS = 100;

/** Values among which the place is if there is one. @throws Refused */
async function candidates(place: Region, ask: Loading['ask']): Promise<readonly ReferenceValue[]> {
  const { level, value } = place;
  const path = `/v1/reference/${level}`;
  if (level === 'bundesland') return (await ask<ReferenceValues>({ path })).data;
  // „Neustadt, Hessen“ is found by its name: the state is part of a value only where another place has the name, too.
  const comma = level === 'plz' ? -1 : value.lastIndexOf(', ');
  const q = comma === -1 ? value : value.slice(0, comma);
  if (q.length > MOST_LETTERS || !/[\p{L}\p{N}]/u.test(q)) return [];
  const limit = level === 'plz' || isKeyed(place) ? 5 : MOST_VALUES;
  return (await ask<ReferenceValues>({ path, query: { q, limit } })).data;
}

/** A place may be written by its key, by its name, or by that and its state. */
function isSpelling(
  { level, value: written }: Region,
  { value, schluessel, name, bundesland }: ReferenceValue,
): boolean {
  if (level === 'plz') return value.startsWith(written);
  return [value, schluessel, name, `${name}, ${bundesland}`].includes(written);
}

const spelling = ({ value }: ReferenceValue): string => value;
