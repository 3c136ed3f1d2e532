import { STATE_NAMES } from '../../sql/register/states.ts';
import type { Call } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { listReferenceValues } from '../reference/values.ts';
import { ask } from './ask.ts';
import type { Area, Place } from './rules.ts';
import { placesIn, type View } from './views.ts';
import type { Say } from './words.ts';

/** Looks up the places of a view: what they are called, and whether there are such places, as figures of none are all zero. */

interface Value {
  readonly value: string;
  readonly schluessel?: string | null;
  readonly name?: string | null;
  readonly bundesland?: string | null;
}

/** As many as the interface answers at once. */
const MOST_VALUES = '100';
/** The interface takes no longer text; no name of a place is as long. */
const MOST_LETTERS = 100;

/** Values among which the place is if there is one. */
async function candidates({ level, value }: Place, call: Call): Promise<readonly Value[]> {
  if (level === 'bundesland') return (await ask(listReferenceValues, {}, call, { set: level })) as readonly Value[];
  // „Neustadt, Hessen“ is found by its name: the state is part of a value only where another place has the name, too.
  const q = level === 'plz' ? value : value.replace(/, [^,]*$/, '');
  if (q.length > MOST_LETTERS || !/[\p{L}\p{N}]/u.test(q)) return [];
  return (await ask(listReferenceValues, { q, limit: MOST_VALUES }, call, { set: level })) as readonly Value[];
}

/** A place may be written by its key, by its name, or by that and its state. */
const isSpelling = ({ level, value: written }: Place, { value, schluessel, name, bundesland }: Value): boolean =>
  level === 'plz' ? value.startsWith(written) : [value, schluessel, name, `${name}, ${bundesland}`].includes(written);

/** States are there, whatever stands in them. */
const isState = ({ level, value }: Place): boolean =>
  level === 'bundesland' && Object.values(STATE_NAMES).includes(value);

/** One that cannot be looked up, as before the first version, counts as one that is there. */
async function isThere(place: Place, call: Call): Promise<boolean> {
  if (isState(place)) return true;
  try {
    return (await candidates(place, call)).some((value) => isSpelling(place, value));
  } catch (error) {
    if (error instanceof Problem) return true;
    throw error;
  }
}

/** Choices that name places. */
const PLACED = ['region', 'orte', 'vergleich', 'ohne'];

/** Says which place of a view there is not, as the page would; null = all are there. */
export async function placeFault({ page, query }: View, call: Call): Promise<string | null> {
  const choices = new URLSearchParams(query);
  // A list of units says by itself that it has none.
  const texts = page === 'einheiten' ? [] : PLACED.flatMap((name) => choices.get(name) ?? []);
  for (const place of texts.flatMap(placesIn)) {
    if (place === null || 'fault' in place || (await isThere(place, call))) continue;
    return `names ${place.level}:${place.value}, where the register has no unit`;
  }
  return null;
}

/** States whose districts are called Kreis. */
const STATES_OF_KREISE: readonly (string | null | undefined)[] = ['Schleswig-Holstein', 'Nordrhein-Westfalen'];

/** The shortest name that means this place alone, also among those of the other level: „Leipzig (Landkreis)“. */
export async function nameOf(place: Area, call: Call, say: Say): Promise<string> {
  if (place === null) return say('Deutschland', 'Germany');
  const { level, value: key } = place;
  const rest = key.length < 5 ? '…' : '';
  if (level === 'plz') return say(`PLZ ${key}${rest}`, `postal code ${key}${rest}`);
  if (level === 'bundesland' || !/^\d+$/.test(key)) return key;
  const like = async (set: string, q: string) =>
    (await ask(listReferenceValues, { q: q.slice(0, MOST_LETTERS), limit: MOST_VALUES }, call, {
      set,
    })) as readonly Value[];
  const found = (await like(level, key)).find(({ schluessel }) => schluessel === key);
  if (found?.name == null) return found?.value ?? key;
  const { value, name, bundesland } = found;
  const district = key.slice(0, 5);
  // A town without a district is one with the municipality.
  const other = level === 'landkreis' ? 'gemeinde' : 'landkreis';
  const only = level === 'landkreis' ? `${key}000` : key === `${district}000` ? district : null;
  const namesakes = (await like(other, name)).filter((one) => one.name === name && one.schluessel !== only);
  if (value !== key && namesakes.length === 0) return value;
  if (level === 'gemeinde') {
    if (value !== key) return `${value} (${say('Gemeinde', 'municipality')})`;
    const around = (await like('landkreis', district)).find(({ schluessel }) => schluessel === district);
    return `${name} (${around?.name ?? key})`;
  }
  const isTown = (await like('gemeinde', `${key}000`)).some(({ schluessel }) => schluessel === only);
  const german = isTown ? 'kreisfreie Stadt' : STATES_OF_KREISE.includes(bundesland) ? 'Kreis' : 'Landkreis';
  return `${value === key ? name : value} (${say(german, isTown ? 'independent town' : 'district')})`;
}
