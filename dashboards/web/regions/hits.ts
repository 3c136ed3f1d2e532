import { say } from '../format/language.ts';
import type { ReferenceValue } from '../v1/answers.ts';
import { fold } from './fold.ts';
import { isKeyed, LEVELS, type Region, type RegionOrCountry } from './region.ts';

/** A place that was found. */
export interface Hit {
  readonly region: RegionOrCountry;
  readonly name: string;
  /** Says what it is and where: „Landkreis, Bayern“. It tells places of one name apart. */
  readonly detail: string;
  /** Units there; null = not known. */
  readonly count: number | null;
}

/** The places that the interface found at each level; the lists of levels that were not asked are empty. */
export interface Found {
  readonly bundesland: readonly ReferenceValue[];
  readonly landkreis: readonly ReferenceValue[];
  readonly gemeinde: readonly ReferenceValue[];
}

/** First digits of official keys: those of a state. */
const STATE_KEYS: Readonly<Record<string, string>> = {
  'Schleswig-Holstein': '01',
  Hamburg: '02',
  Niedersachsen: '03',
  Bremen: '04',
  'Nordrhein-Westfalen': '05',
  Hessen: '06',
  'Rheinland-Pfalz': '07',
  'Baden-Württemberg': '08',
  Bayern: '09',
  Saarland: '10',
  Berlin: '11',
  Brandenburg: '12',
  'Mecklenburg-Vorpommern': '13',
  Sachsen: '14',
  'Sachsen-Anhalt': '15',
  Thüringen: '16',
};

export const stateKey = (name: string): string | null => STATE_KEYS[name] ?? null;

/** Maps show the states, and districts and municipalities by their keys; they have neither the sea nor postal codes. */
export const isOnMap = (place: Region): boolean =>
  place.level === 'bundesland' ? stateKey(place.value) !== null : isKeyed(place);

/** States whose districts are called Kreis. */
const STATES_OF_KREISE: readonly string[] = ['Schleswig-Holstein', 'Nordrhein-Westfalen'];

/** The key of the only part of a place that is one with it: a town without a district is a municipality as well. */
export const keyOfOnlyPart = (key: string): string => `${key}000`;

export const districtKind = (isTown: boolean, state: string | null | undefined): string => {
  if (isTown) return say('kreisfreie Stadt', 'independent town');
  return state != null && STATES_OF_KREISE.includes(state) ? say('Kreis', 'district') : say('Landkreis', 'district');
};

/** Places of three levels as hits, each place once: a town that is its own district is the district. */
export function hitsOf({ bundesland, landkreis, gemeinde }: Found, districtNames: ReadonlyMap<string, string>): Hit[] {
  const keysOf = (values: readonly ReferenceValue[]) => new Set(values.map(({ schluessel }) => schluessel));
  const states = new Set(bundesland.map(({ value }) => keyOfOnlyPart(stateKey(value) ?? '')));
  const districts = keysOf(landkreis);
  const municipalities = keysOf(gemeinde);
  const key = ({ schluessel }: ReferenceValue): string => schluessel ?? '';
  return [
    ...bundesland.map(
      ({ value, count }): Hit => ({
        region: { level: 'bundesland', value },
        name: value,
        detail:
          stateKey(value) === null ? say('Nord- und Ostsee', 'North Sea and Baltic Sea') : say('Bundesland', 'State'),
        count,
      }),
    ),
    ...landkreis
      .filter((place) => !states.has(key(place)))
      .map((place): Hit => {
        const kind = districtKind(municipalities.has(keyOfOnlyPart(key(place))), place.bundesland);
        return {
          region: { level: 'landkreis', value: place.schluessel ?? place.value },
          name: place.name ?? place.value,
          detail: joined(kind, place.bundesland),
          count: place.count,
        };
      }),
    ...gemeinde
      .filter((place) => !(key(place).endsWith('000') && districts.has(key(place).slice(0, 5))))
      .map((place): Hit => {
        const district = districtNames.get(key(place).slice(0, 5));
        return {
          region: { level: 'gemeinde', value: place.schluessel ?? place.value },
          name: place.name ?? place.value,
          detail: joined(
            district === undefined
              ? say('Gemeinde', 'Municipality')
              : say(`Gemeinde (${district})`, `Municipality (${district})`),
            place.bundesland,
          ),
          count: place.count,
        };
      }),
  ];
}

const joined = (...parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => part != null).join(', ');

/** Keys of districts in which municipalities lie that even their state does not tell apart. */
export const districtsToName = (gemeinde: readonly ReferenceValue[]): readonly string[] => [
  ...new Set(
    gemeinde
      .filter(({ value, schluessel }) => schluessel != null && value === schluessel)
      .map(({ schluessel }) => (schluessel ?? '').slice(0, 5)),
  ),
];

/** What tells places of one name apart begins so: „(Hessen)“, „, Stadt“, „an der Aisch“, „a.d.Waldnaab“, „am Main“. */
const SUFFIX = /,| ?\(| (?:(?:am|an|auf|bei|im|in|ob|unter|vor)(?= )|[abiouv]\.)/;
/** A name without its suffix, folded. */
const ownName = (folded: string): string => folded.split(SUFFIX, 1)[0]?.trim() || folded;

/**
 * The best first: called exactly so, so but for what stands in brackets or behind a comma, names that begin with it, words
 * of the own name that do, words of the suffix, the rest; then the larger place.
 */
export function ranked(hits: readonly Hit[], typed: string): readonly Hit[] {
  const hasWord = (text: string): boolean => text.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(typed));
  const closeness = (name: string): number => {
    const folded = fold(name);
    const bare = folded.split(/,| ?\(/, 1)[0];
    const own = ownName(folded);
    const steps = [
      folded === typed,
      bare === typed,
      own === typed,
      folded.startsWith(typed),
      hasWord(own),
      hasWord(folded),
    ];
    const step = steps.indexOf(true);
    return step < 0 ? steps.length : step;
  };
  const level = ({ region }: Hit): number => (region === null ? -1 : LEVELS.indexOf(region.level));
  const order = hits.map((hit) => ({ hit, closeness: closeness(hit.name) }));
  order.sort(
    (a, b) => a.closeness - b.closeness || level(a.hit) - level(b.hit) || (b.hit.count ?? 0) - (a.hit.count ?? 0),
  );
  return order.map(({ hit }) => hit);
}
