import { z } from 'zod';
import type { UnitRow } from './read.ts';
import { unitProperties } from './unit.ts';

/** Units as GeoJSON (RFC 7946): a feature each, the unit as its properties, its coordinates as its point. */

export const GEO_JSON = 'application/geo+json';

const point = z.strictObject({
  type: z.literal('Point'),
  coordinates: z.array(z.number()).length(2).describe('Longitude, latitude (WGS 84)'),
});

const feature = z
  .strictObject({
    type: z.literal('Feature'),
    id: z.string().describe('MaStR number'),
    geometry: point.nullable(),
    properties: unitProperties,
  })
  .meta({ id: 'UnitFeature' });

/** @param meta the foreign member that pages and totals stand in */
export const featureCollectionShape = <Meta extends z.ZodType>(meta: Meta) =>
  z.strictObject({ type: z.literal('FeatureCollection'), features: z.array(feature), meta });

/** @param places rows of the units, in their order: the point does not depend on which fields were chosen */
export function featureCollection(units: readonly Record<string, unknown>[], places: readonly UnitRow[], meta: object) {
  const features = units.map(({ latitude: _, longitude: __, ...properties }, index) => {
    const { mastrNummer, latitude, longitude } = places[index]!;
    const located = typeof latitude === 'number' && typeof longitude === 'number';
    const geometry = located ? { type: 'Point', coordinates: [longitude, latitude] } : null;
    return { type: 'Feature', id: mastrNummer, geometry, properties };
  });
  return { type: 'FeatureCollection', features, meta };
}
