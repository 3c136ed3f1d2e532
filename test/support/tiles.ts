import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { Page } from 'playwright-core';
import { tileBytes, VECTOR_TILE } from '../../api/tiles/encode.ts';
import { inTile } from '../../sql/query/tile-grid.ts';
import type { ServiceResponse, Subject } from './service.ts';

/** A tile as a map client reads it. */
export interface ReadTile {
  readonly response: ServiceResponse;
  readonly einheiten: readonly TilePoint[];
  readonly gruppen: readonly TilePoint[];
}

interface TilePoint {
  readonly id: number | undefined;
  readonly properties: Readonly<Record<string, string | number | boolean>>;
  readonly longitude: number;
  readonly latitude: number;
}

export type TileOf = readonly [z: number, x: number, y: number];

/** Loads a tile and decodes it. @param query with its question mark */
export async function readTile(service: Subject, tile: TileOf, query = ''): Promise<ReadTile> {
  const response = await service.get(`/v1/tiles/${tile.join('/')}.mvt${query}`);
  return { response, ...decoded(response, tile) };
}

export function decoded(
  { bytes }: Pick<ServiceResponse, 'bytes'>,
  [z, x, y]: TileOf,
): Pick<ReadTile, 'einheiten' | 'gruppen'> {
  if (bytes === undefined) throw new Error('An answer came without its bytes');
  const { layers } = new VectorTile(new PbfReader(bytes));
  const pointsOf = (name: string): TilePoint[] => {
    const layer = layers[name];
    return Array.from({ length: layer?.length ?? 0 }, (_, index) => {
      const feature = layer!.feature(index);
      const { geometry } = feature.toGeoJSON(x, y, z);
      if (geometry.type !== 'Point') throw new Error(`A tile has a ${geometry.type}`);
      const [longitude = Number.NaN, latitude = Number.NaN] = geometry.coordinates;
      return { id: feature.id, properties: feature.properties, longitude, latitude };
    });
  };
  return { einheiten: pointsOf('einheiten'), gruppen: pointsOf('gruppen') };
}

/** The tile of a zoom in which a place lies. */
export function tileAt(z: number, longitude: number, latitude: number): TileOf {
  const angle = (latitude * Math.PI) / 180;
  const southwards = (1 - Math.log(Math.tan(angle) + 1 / Math.cos(angle)) / Math.PI) / 2;
  return [z, Math.floor((longitude / 360 + 0.5) * 2 ** z), Math.floor(southwards * 2 ** z)];
}

/** The places of a tile as the filter `bbox`: coordinates have six decimals, so that neighbours have none in common. */
export function boxOf([z, x, y]: TileOf): string {
  const north = (row: number) => (360 / Math.PI) * Math.atan(Math.exp(Math.PI * (1 - (2 * row) / 2 ** z))) - 90;
  const west = (column: number) => (column * 360) / 2 ** z - 180;
  const [first, beyond] = [Math.ceil(west(x) * 1e6), Math.ceil(west(x + 1) * 1e6)];
  const [last, below] = [Math.floor(north(y) * 1e6), Math.floor(north(y + 1) * 1e6)];
  return [first, below + 1, beyond - 1, last].map((millionths) => (millionths / 1e6).toFixed(6)).join();
}

/** A point that a test puts into tiles: a unit, or a group, which has `anzahl`. */
export interface StubbedPoint {
  readonly longitude: number;
  readonly latitude: number;
  readonly properties: Readonly<Record<string, string | number | boolean>>;
}

/**
 * Answers requests for tiles whose query matches with these points, each in its tile.
 * @returns the tiles that were asked for
 */
export async function stubTiles(page: Page, query: RegExp, points: readonly StubbedPoint[]): Promise<TileOf[]> {
  const asked: TileOf[] = [];
  const address = /\/v1\/tiles\/(\d+)\/(\d+)\/(\d+)\.mvt$/;
  await page.route(
    (url) => address.test(url.pathname) && query.test(url.search),
    async (route) => {
      const [, ...numbers] = address.exec(new URL(route.request().url()).pathname) ?? [];
      const [z = 0, x = 0, y = 0] = numbers.map(Number);
      asked.push([z, x, y]);
      const inside = points.filter(
        ({ longitude, latitude }) => String(tileAt(z, longitude, latitude)) === `${z},${x},${y}`,
      );
      const features = (isGroup: boolean) =>
        inside
          .filter(({ properties }) => 'anzahl' in properties === isGroup)
          .map(({ longitude, latitude, properties }) => ({
            point: inTile({ z, x, y }, { longitude: longitude * 1e6, latitude: latitude * 1e6 }),
            properties,
          }));
      await route.fulfill({
        contentType: VECTOR_TILE,
        body: tileBytes({ einheiten: features(false), gruppen: features(true) }),
      });
    },
  );
  return asked;
}
