import { z } from 'zod';
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

const seriesPerPlaceRow = z.strictObject(seriesPerPlaceShape);

/** The members of a period, written out, as there are thousands of rows. @param sums of the places; undefined where they have none */
export function seriesPerPlace(sums: Sums | undefined, bezug: Bezug | null): z.infer<typeof seriesPerPlaceRow> {
  const zubau = ratios(sums?.zubauAnzahl ?? 0, sums?.zubauKw ?? 0, bezug ?? NOWHERE);
  const abbau = ratios(sums?.abbauAnzahl ?? 0, sums?.abbauKw ?? 0, bezug ?? NOWHERE);
  const pipeline = ratios(sums?.pipelineAnzahl ?? 0, sums?.pipelineKw ?? 0, bezug ?? NOWHERE);
  return {
    zubauAnzahlJe1000Einwohner: zubau.anzahlJe1000Einwohner,
    zubauKwJe1000Einwohner: zubau.kwJe1000Einwohner,
    zubauAnzahlJeKm2: zubau.anzahlJeKm2,
    zubauKwJeKm2: zubau.kwJeKm2,
    abbauAnzahlJe1000Einwohner: abbau.anzahlJe1000Einwohner,
    abbauKwJe1000Einwohner: abbau.kwJe1000Einwohner,
    abbauAnzahlJeKm2: abbau.anzahlJeKm2,
    abbauKwJeKm2: abbau.kwJeKm2,
    pipelineAnzahlJe1000Einwohner: pipeline.anzahlJe1000Einwohner,
    pipelineKwJe1000Einwohner: pipeline.kwJe1000Einwohner,
    pipelineAnzahlJeKm2: pipeline.anzahlJeKm2,
    pipelineKwJeKm2: pipeline.kwJeKm2,
  };
}
