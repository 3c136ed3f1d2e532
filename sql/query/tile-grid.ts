import type { Area } from './space.ts';

/**
 * The tiles of maps, as every map client counts them: web mercator, z, x and y from the north-western corner. Places are whole
 * millionths of a degree, as the register has them, so that each lies in one tile of a zoom, and in one cell of a tile.
 */

export interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Tiles of this zoom are 400 m wide; nothing is told apart beyond. */
export const MOST_ZOOM = 16;

/** Units of a tile, from one edge to the other. */
export const EXTENT = 4096;

/** Cells of a tile, from one edge to the other: each is a tile of four zooms further. */
const CELLS = 16;
const ZOOMS_OF_CELL = 4;

const MILLIONTHS = 1e6;

/** A place in millionths of a degree. */
export interface TilePlace {
  readonly longitude: number;
  readonly latitude: number;
}

/** The first millionth of a degree of a column. */
const westOf = (z: number, x: number): number => Math.ceil((360 * (x / 2 ** z) - 180) * MILLIONTHS);

/** The last millionth of a degree of a row, northwards. */
const northOf = (z: number, y: number): number =>
  Math.floor(((Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** z))) * 180) / Math.PI) * MILLIONTHS);

/** The rectangle whose places are those of a tile: neighbours have none in common. */
export const areaOfTile = ({ z, x, y }: Tile): Area => ({
  west: westOf(z, x) / MILLIONTHS,
  east: (westOf(z, x + 1) - 1) / MILLIONTHS,
  south: (northOf(z, y + 1) + 1) / MILLIONTHS,
  north: northOf(z, y) / MILLIONTHS,
  circle: null,
});

/** The cells of a tile are numbered row by row. */
export const areaOfCell = ({ z, x, y }: Tile, cell: number): Area =>
  areaOfTile({
    z: z + ZOOMS_OF_CELL,
    x: x * CELLS + (cell % CELLS),
    y: y * CELLS + Math.floor(cell / CELLS),
  });

const inner = (edgeOf: (step: number) => number): number[] =>
  Array.from({ length: CELLS - 1 }, (_, index) => edgeOf(index + 1));

/** Writes the number of the cell of a place. @param longitude and latitude are expressions, in millionths of a degree */
export function cellSql({ z, x, y }: Tile, longitude: string, latitude: string): string {
  const columns = inner((step) => westOf(z + ZOOMS_OF_CELL, x * CELLS + step));
  const rows = inner((step) => northOf(z + ZOOMS_OF_CELL, y * CELLS + step));
  return `${stepsSql(longitude, '>=', columns)} + ${CELLS} * ${stepsSql(latitude, '<=', rows)}`;
}

/** Writes how many of the edges a value has passed, halving them: no engine then computes a projection of its own. */
function stepsSql(value: string, passes: '>=' | '<=', edges: readonly number[], first = 0): string {
  if (edges.length === 0) return String(first);
  const half = Math.floor(edges.length / 2);
  const beyond = stepsSql(value, passes, edges.slice(half + 1), first + half + 1);
  return `CASE WHEN ${value} ${passes} ${edges[half]} THEN ${beyond} ELSE ${stepsSql(value, passes, edges.slice(0, half), first)} END`;
}

/** Where a place lies in its tile, 0 to 4095 from the west and from the north. */
export function inTile({ z, x, y }: Tile, { longitude, latitude }: TilePlace): readonly [x: number, y: number] {
  const sine = Math.sin((latitude / MILLIONTHS / 180) * Math.PI);
  const southwards = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  const within = (share: number, tile: number): number =>
    Math.min(EXTENT - 1, Math.max(0, Math.floor((share * 2 ** z - tile) * EXTENT)));
  return [within(longitude / MILLIONTHS / 360 + 0.5, x), within(southwards, y)];
}
