import { z } from 'zod';
import type { UnitRow } from './read.ts';
import { unitProperties } from './unit.ts';

/** Units as GeoJSON (RFC 7946): each is a feature with the unit as its properties and its coordinates as a point. */

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

/** @param meta foreign member with page and totals */
export const featureCollectionShape = <Meta extends z.ZodType>(meta: Meta) =>
  z.strictObject({ type: z.literal('FeatureCollection'), features: z.array(feature), meta });

/** @param rows those of the units, in their order: the point does not depend on the chosen fields */
export function featureCollection(units: readonly Record<string, unknown>[], rows: readonly UnitRow[], meta: object) {
  const features = units.map(({ latitude: _, longitude: __, ...properties }, index) => {
    const row = rows[index];
    if (row === undefined) throw new Error('There are more units than rows');
    const { mastrNummer, latitude, longitude } = row;
    const located = typeof latitude === 'number' && typeof longitude === 'number';
    const geometry = located ? { type: 'Point', coordinates: [longitude, latitude] } : null;
    return { type: 'Feature', id: mastrNummer, geometry, properties };
  });
  return { type: 'FeatureCollection', features, meta };
}
