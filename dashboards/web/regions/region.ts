import type { Parameter } from '../address/address.ts';
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

export function readRegion(text: string | null): RegionOrCountry {
  const [, level, value] = /^([a-z]+):(.+)$/.exec(text ?? '') ?? [];
  const known = LEVELS.find((name) => name === level);
  return known === undefined || value === undefined ? null : { level: known, value };
}

/** The region of a page; the country is the default. */
export const region: Parameter<RegionOrCountry> = {
  read: readRegion,
  write: (value) => (value === null ? null : regionText(value)),
};

/** Several regions, at most so many. */
export const regions = (most: number): Parameter<readonly Region[]> => ({
  read: (text) =>
    (text ?? '')
      // A comma of a name, as in „Neustadt, Hessen“, is none between regions.
      .split(/,(?=[a-z]+:)/)
      .map(readRegion)
      .filter((found) => found !== null)
      .slice(0, most),
  write: (chosen) => (chosen.length === 0 ? null : chosen.map(regionText).join(',')),
});

/** Parameters of the three regional analyses. */
export const analysisQuery = (place: RegionOrCountry): Query =>
  place === null ? {} : { ebene: place.level, region: place.value };

/** The filter of units and aggregations for the same place. */
export const unitQuery = (place: RegionOrCountry): Query => (place === null ? {} : { [place.level]: place.value });
