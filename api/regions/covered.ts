import { z } from 'zod';
import { entryOf } from '../../runtime/present.ts';
import { type CoveredPlace, coveredPlaceRow, coveredPlacesStatement } from '../../sql/query/places.ts';
import { REFERENCE_SETS } from '../../sql/query/reference-sets.ts';
import { stateName } from '../../sql/register/states.ts';
import { hintsOf, hintsShape, type OpenValues } from '../hints/hints.ts';
import { conspicuousShape } from '../quality/conspicuous.ts';
import type { VersionReader } from '../warehouse/version.ts';
import { type Region, type RegionQuery, regionOf } from './parameters.ts';

/** Finds the places that the region of a question covers, for the meta of its answer. */

export const regionMetaShape = {
  ebene: z.string().nullable(),
  region: z.string().nullable(),
  regionen: z
    .array(coveredPlaceRow)
    .optional()
    .describe('With ebene landkreis and gemeinde: the places that `region` covers; empty when there is none'),
  ...conspicuousShape,
  ...hintsShape,
};

/** Every answer repeats `ebene` and `region`. @param isEmpty true when the answer has no unit */
export async function regionMeta(query: RegionQuery, isEmpty: boolean, dataset: VersionReader) {
  const region = regionOf(query);
  const repeated = { ebene: query.ebene ?? null, region: query.region ?? null };
  const asked = [...(region === null ? [] : [openValue(region)]), ...openCarriers(query)];
  const hints = asked.length === 0 ? {} : await hintsOf(asked, isEmpty, dataset);
  return { ...repeated, ...(region === null ? {} : await placesOf(region, dataset)), ...hints };
}

/** Absent for states and postal codes, which are what they say. */
export async function placesOf({ ebene, region }: Region, { dialects, kept }: VersionReader) {
  if (ebene === 'bundesland' || ebene === 'plz') return {};
  const places = await kept(coveredPlaceRow, coveredPlacesStatement({ level: ebene, text: region }, dialects.units));
  return { regionen: places.filter((place) => place.bundesland !== null || !isNamedWithState(place, places)) };
}

/** A unit may lack the state that others of its place have. */
const isNamedWithState = ({ schluessel, name }: CoveredPlace, places: readonly CoveredPlace[]): boolean =>
  places.some((place) => place.bundesland !== null && place.schluessel === schluessel && place.name === name);

/** The carriers of the register as values of the filter for them. */
const openCarriers = ({ registerEnergietraeger: values }: RegionQuery): OpenValues[] =>
  values === undefined
    ? []
    : [{ parameter: 'registerEnergietraeger', set: entryOf(REFERENCE_SETS, 'energietraeger'), values }];

/** The region as a value of the filter of its level. */
export const openValue = ({ ebene, region }: Region): OpenValues => ({
  parameter: 'region',
  set: entryOf(REFERENCE_SETS, ebene),
  values: [ebene === 'bundesland' ? stateName(region) : region],
});
