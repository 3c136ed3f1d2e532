import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { EXTENT } from '../../sql/query/tile-grid.ts';

/** Tiles as bytes: Mapbox Vector Tile 2.1. */

export const VECTOR_TILE = 'application/vnd.mapbox-vector-tile';

export interface TileFeature {
  readonly id?: number;
  /** From the north-western corner. */
  readonly point: readonly [x: number, y: number];
  readonly properties: Readonly<Record<string, string | number | boolean>>;
}

/** @param layers by name; one without features is left out */
export function tileBytes(layers: Readonly<Record<string, readonly TileFeature[]>>): Buffer {
  const filled = Object.entries(layers).filter(([, features]) => features.length > 0);
  const bytes = fromGeojsonVt(
    Object.fromEntries(
      filled.map(([name, features]) => [
        name,
        {
          features: features.map(({ id, point: [x, y], properties }) => ({
            type: 1,
            geometry: [[x, y]],
            tags: properties,
            ...(id === undefined ? {} : { id }),
          })),
        },
      ]),
    ),
    { version: 2, extent: EXTENT },
  );
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
