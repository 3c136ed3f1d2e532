import type { Parameter } from '../address/address.ts';
import { say } from '../format/language.ts';
import type { Query } from '../v1/request.ts';

/** Levels of places, the largest first. */
export const LEVELS = ['bundesland', 'landkreis', 'gemeinde', 'plz'] as const;

export type Level = (typeof LEVELS)[number];

/**
 * A part of the country. `value` is what the interface takes: the name of a state, the official key of a district (5 digits)
 * or municipality (8 digits), which is never ambiguous, or the beginning of a postal code.
 */
export interface Region {
  readonly level: Level;
  readonly value: string;
}

/** The country as a whole is no region: null. */
export type RegionOrCountry = Region | null;

/** `landkreis:09162`, as addresses have it. */
export const regionText = ({ level, value }: Region): string => `${level}:${value}`;

export function readRegion(text: string): RegionOrCountry {
  const [, level, value] = /^([a-z]+):(.+)$/.exec(text) ?? [];
  const known = LEVELS.find((name) => name === level);
  if (known === undefined || value === undefined) return null;
  return known === 'plz' && !/^\d{1,5}$/.test(value) ? null : { level: known, value };
}

const EXAMPLES = say(
  'bundesland:Bayern, landkreis:09162, gemeinde:09162000 oder plz:80',
  'bundesland:Bayern, landkreis:09162, gemeinde:09162000 or plz:80',
);

/** The region of a page; the country is the default. */
export const region: Parameter<RegionOrCountry> = {
  initial: null,
  read: (text) => readRegion(text) ?? undefined,
  write: (value) => (value === null ? null : regionText(value)),
  takes: say(`einen Ort wie ${EXAMPLES}`, `a place like ${EXAMPLES}`),
  places: (value) => (value === null ? [] : [value]),
};

const COUNTRY = 'deutschland';

/** As `regionText`; the country, too, has a word. */
export const placeText = (place: RegionOrCountry): string => (place === null ? COUNTRY : regionText(place));

export const placesText = (places: readonly RegionOrCountry[]): string => places.map(placeText).join(',');

/** The choice of a place, and of the own portfolio there, for the address of another page. */
export const placeChoices = (place: RegionOrCountry, own: boolean): Readonly<Record<string, string | null>> => ({
  region: place === null ? null : regionText(place),
  portfolio: own ? 'true' : null,
});

/** Several places, at most so many; the country may be one of them. */
export const places = (
  most: number,
  initial: readonly RegionOrCountry[] = [],
): Parameter<readonly RegionOrCountry[]> => ({
  initial,
  read(text) {
    // A comma of a name, as in „Neustadt, Hessen“, is none between places.
    const all = text
      .split(/,(?=[a-z]+:|deutschland(?:,|$))/)
      .map((one) => (one === COUNTRY ? null : (readRegion(one) ?? undefined)));
    const known = all.filter((found) => found !== undefined);
    return known.length < all.length || known.length > most ? undefined : known;
  },
  write: (chosen) => (chosen.length === 0 || placesText(chosen) === placesText(initial) ? null : placesText(chosen)),
  takes: say(
    `höchstens ${most} Orte wie ${EXAMPLES}, mit Kommas dazwischen`,
    `at most ${most} places like ${EXAMPLES}, with commas between them`,
  ),
  places: (chosen) => chosen.filter((one) => one !== null),
});

/** True for a place that is written by its official key. */
export const isKeyed = ({ level, value }: Region): boolean =>
  (level === 'landkreis' && /^\d{5}$/.test(value)) || (level === 'gemeinde' && /^\d{8}$/.test(value));

/** Parameters of the three regional analyses. @param own only units of the own portfolio */
export const analysisQuery = (place: RegionOrCountry, own = false): Query => ({
  ...(place === null ? {} : { ebene: place.level, region: place.value }),
  ...(own ? { portfolio: true } : {}),
});

/** The same for several places of one level. */
export const levelQuery = (places: readonly RegionOrCountry[], own: boolean): Query => {
  const [first, ...others] = places.filter((place) => place !== null);
  const query = analysisQuery(first ?? null, own);
  return first === undefined || others.length === 0
    ? query
    : { ...query, region: [first, ...others].map(({ value }) => value) };
};

/** The filter of units and aggregations for the same place. */
export const unitQuery = (place: RegionOrCountry, own = false): Query => ({
  ...(place === null ? {} : { [place.level]: place.value }),
  ...(own ? { portfolio: true } : {}),
});
