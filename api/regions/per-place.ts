import { NOWHERE, ratioShape, ratios } from '../places/per-place.ts';
import type { Bezug } from './bezug.ts';
import type { Sums } from './sums.ts';

/** The figures of a time series by inhabitants and area. */

/** Puts a word before the names of members. */
type Prefixed<Word extends string, Members> = {
  [Name in keyof Members & string as `${Word}${Capitalize<Name>}`]: Members[Name];
};

function prefixed<Word extends string, Members extends object>(word: Word, members: Members): Prefixed<Word, Members> {
  const named = Object.entries(members).map(([name, value]) => [
    `${word}${name[0]?.toUpperCase()}${name.slice(1)}`,
    value,
  ]);
  return Object.fromEntries(named) as Prefixed<Word, Members>;
}

export const seriesPerPlaceShape = {
  ...prefixed('zubau', ratioShape('Units commissioned in the places of `meta.bezug`')),
  ...prefixed('abbau', ratioShape('Units decommissioned there')),
  ...prefixed('pipeline', ratioShape('Units planned there')),
};

/** The members of a period. @param sums of the places; undefined where they have none */
export const seriesPerPlace = (sums: Sums | undefined, bezug: Bezug | null) => ({
  ...prefixed('zubau', ratios(sums?.zubauAnzahl ?? 0, sums?.zubauKw ?? 0, bezug ?? NOWHERE)),
  ...prefixed('abbau', ratios(sums?.abbauAnzahl ?? 0, sums?.abbauKw ?? 0, bezug ?? NOWHERE)),
  ...prefixed('pipeline', ratios(sums?.pipelineAnzahl ?? 0, sums?.pipelineKw ?? 0, bezug ?? NOWHERE)),
});
