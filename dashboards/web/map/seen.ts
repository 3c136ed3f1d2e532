import { type Point, projection } from './projection.ts';
import type { Size, View } from './view.ts';

/** The part of the world that a map shows, and the tiles that cover it. */

/** In degrees. */
export interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export interface Seen extends Bounds {
  /** Pixels of a kilometre. */
  readonly scale: number;
}

/** Units are nowhere else. */
const COUNTRY: Bounds = { west: 3, south: 46.5, east: 16, north: 56.5 };

/** The edges of a screen are no lines of longitude: what is seen reaches farthest at some of these points. */
const STEPS = [0, 0.5, 1];

export function seenIn({ scale, x, y }: View, { width, height }: Size): Seen {
  const places = STEPS.flatMap((across) =>
    STEPS.map((down): Point => {
      const point: [number, number] = [(across * width - x) / scale, (down * height - y) / scale];
      return projection.invert?.(point) ?? [0, 0];
    }),
  );
  const [longitudes, latitudes] = [places.map(([longitude]) => longitude), places.map(([, latitude]) => latitude)];
  return {
    west: Math.max(COUNTRY.west, Math.min(...longitudes)),
    south: Math.max(COUNTRY.south, Math.min(...latitudes)),
    east: Math.min(COUNTRY.east, Math.max(...longitudes)),
    north: Math.min(COUNTRY.north, Math.max(...latitudes)),
    scale,
  };
}

export const isWithin = ({ west, south, east, north }: Bounds, longitude: number, latitude: number): boolean =>
  longitude >= west && longitude <= east && latitude >= south && latitude <= north;

/** A tile of web mercator. */
export interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** About as large as a tile is drawn (px). */
const TILE_SIZE = 512;
const MOST_ZOOM = 14;
/** More tiles than this take a coarser zoom. */
const MOST_TILES = 12;
/** Kilometres of a tile of zoom 0 in the middle of the country. */
const EQUATOR = 40_075 * Math.cos((51 * Math.PI) / 180);

export function tilesOf(seen: Seen): readonly Tile[] {
  const fitting = Math.round(Math.log2((EQUATOR * seen.scale) / TILE_SIZE));
  for (let z = Math.min(MOST_ZOOM, Math.max(1, fitting)); z > 0; z -= 1) {
    const [left, right] = [columnOf(z, seen.west), columnOf(z, seen.east)];
    const [top, bottom] = [rowOf(z, seen.north), rowOf(z, seen.south)];
    if ((right - left + 1) * (bottom - top + 1) > MOST_TILES) continue;
    return from(left, right).flatMap((x) => from(top, bottom).map((y) => ({ z, x, y })));
  }
  return [{ z: 0, x: 0, y: 0 }];
}

const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

const columnOf = (z: number, longitude: number): number => Math.floor((longitude / 360 + 0.5) * 2 ** z);

function rowOf(z: number, latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z);
}
