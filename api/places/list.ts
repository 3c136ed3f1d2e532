import { z } from 'zod';
import { listStatement } from '../../sql/query/listed-places.ts';
import type { PerPlaceMembers } from '../../sql/query/per-place.ts';
import type { VersionReader } from '../warehouse/version.ts';

/** The official list of places, which figures by inhabitants and area rest on. */

const days = {
  gebietsstand: z.iso.date().describe('Day of the official list: places are such as they are on it'),
  einwohnerAm: z.iso.date().describe('Day on which the inhabitants were counted'),
};

export const SOURCE = '© Statistisches Bundesamt (Destatis), Gemeindeverzeichnis';

export const sourceShape = {
  quelle: z.literal(SOURCE).describe('To be named beside figures that rest on it'),
  ...days,
};

export const listShape = z
  .strictObject({
    ...sourceShape,
    ohneOrt: z
      .strictObject({ count: z.int(), bruttoleistungKw: z.number() })
      .describe(
        'Units among those counted that lie in no place of the list, so that no figure by inhabitants or area has them',
      ),
  })
  .nullable()
  .meta({ id: 'PlaceList' });

const listRow = z.strictObject(days);

interface Counted extends PerPlaceMembers {
  readonly totalCount: number;
  readonly totalKw: number;
}

/** The list, and what of the units counted lies in no place of it; null for a version of an earlier release. */
export async function listOf(row: Counted | undefined, { dialects, kept }: VersionReader) {
  if (!dialects.units.listedPlaces) return null;
  const [list] = await kept(listRow, listStatement(dialects.units));
  if (list === undefined) return null;
  const { totalCount = 0, totalKw = 0, orteAnzahl, orteKw } = row ?? {};
  const watts = Math.round(totalKw * 1000) - Math.round((orteKw ?? 0) * 1000);
  return {
    quelle: SOURCE,
    ...list,
    ohneOrt: { count: totalCount - (orteAnzahl ?? 0), bruttoleistungKw: watts / 1000 },
  };
}
