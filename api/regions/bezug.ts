import { z } from 'zod';
import { listedPlaceRow, listedPlacesStatement, listedStatesStatement } from '../../sql/query/listed-places.ts';
import type { WarehouseStatement } from '../../sql/query/statement.ts';
import { stateName } from '../../sql/register/states.ts';
import { SOURCE, sourceShape } from '../places/list.ts';
import type { VersionReader } from '../warehouse/version.ts';
import { placeCondition, type RegionQuery, regionOf } from './parameters.ts';

/**
 * The figures of a region are divided by these. A unit keeps the key that its municipality had, and a municipality may have been merged
 * since, even into another district: figures by inhabitants and area are those of the places as they are on the official list.
 */
export interface Bezug {
  readonly quelle: typeof SOURCE;
  readonly einwohner: number;
  readonly flaecheKm2: number;
  readonly gebietsstand: string;
  readonly einwohnerAm: string;
  readonly orte: readonly { readonly schluessel: string; readonly name: string }[];
}

export const bezugShape = {
  bezug: z
    .strictObject({
      einwohner: z.int(),
      flaecheKm2: z.number(),
      ...sourceShape,
      orte: z
        .array(z.strictObject({ schluessel: z.string(), name: z.string() }))
        .describe(
          'The places of the list: what the region is today; figures by inhabitants and area count all units in them',
        ),
    })
    .nullable()
    .meta({ id: 'RegionBase' })
    .describe(
      'What figures by inhabitants and area are divided by; null with ebene plz, where the list does not have the region, and where an earlier release built the version',
    ),
};

/** A region of the list, and whether it consists of other units than the region that was asked for. */
interface Listed {
  readonly bezug: Bezug;
  readonly differs: boolean;
}

async function listedRegion(query: RegionQuery, { dialects, kept }: VersionReader): Promise<Listed | null> {
  const statement = dialects.units.listedPlaces ? placesStatement(query, { dialects }) : null;
  const places = statement === null ? [] : await kept(listedPlaceRow, statement);
  const [first] = places;
  if (first === undefined) return null;
  const { gebietsstand, einwohnerAm, eigene, gelistete, gemeinsame } = first;
  const orte = places.map(({ schluessel, name }) => ({ schluessel, name }));
  const einwohner = places.reduce((sum, place) => sum + place.einwohner, 0);
  const flaecheKm2 = Math.round(places.reduce((sum, place) => sum + place.flaecheKm2, 0) * 100) / 100;
  return {
    bezug: { quelle: SOURCE, einwohner, flaecheKm2, gebietsstand, einwohnerAm, orte },
    differs: gemeinsame !== eigene || gemeinsame !== gelistete,
  };
}

function placesStatement(query: RegionQuery, { dialects }: Pick<VersionReader, 'dialects'>): WarehouseStatement | null {
  const { units } = dialects;
  const region = regionOf(query);
  if (region === null) return listedStatesStatement(null, units);
  const { ebene } = region;
  if (ebene === 'plz') return null;
  if (ebene === 'bundesland') return listedStatesStatement(stateName(region.region), units);
  return listedPlacesStatement(ebene, (values) => placeCondition(region, ebene, 'regionen', units, values), units);
}

/**
 * Reads the figures of a region twice where the units of the region are not those of its places of the list, else once.
 * @param read reads the figures of a question
 */
export async function withBezug<Query extends RegionQuery, Figures>(
  query: Query,
  version: VersionReader,
  read: (query: Query) => Promise<Figures>,
): Promise<{ readonly figures: Figures; readonly ofPlaces: Figures; readonly bezug: Bezug | null }> {
  const [listed, figures] = await Promise.all([listedRegion(query, version), read(query)]);
  if (listed === null) return { figures, ofPlaces: figures, bezug: null };
  const { bezug, differs } = listed;
  const keys = bezug.orte.map(({ schluessel }) => schluessel);
  return { figures, ofPlaces: differs ? await read({ ...query, listed: keys }) : figures, bezug };
}
