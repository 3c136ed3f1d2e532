import { type Area, distanceTo, isBeyond, isIn } from './area.ts';

/** The areas of a map that cover a country, for questions about many points. */
export interface Atlas {
  /** The area in which a point lies, or null. */
  at(x: number, y: number): Area | null;
  /** The distance from a point to the nearest area in metres, 0 in one. */
  toNearest(x: number, y: number): number;
}

/** Cells of a degree: areas lie in few of these, and few areas in each. */
const CELLS = 10;

export function atlasOf(areas: readonly Area[]): Atlas {
  const cells = new Map<number, Area[]>();
  for (const area of areas) {
    for (const cell of cellsOf(area)) {
      const there = cells.get(cell);
      if (there === undefined) cells.set(cell, [area]);
      else there.push(area);
    }
  }
  const at = (x: number, y: number): Area | null =>
    cells.get(cellAt(column(x), column(y)))?.find((area) => isIn(area, x, y)) ?? null;
  return {
    at,
    toNearest(x, y) {
      if (at(x, y) !== null) return 0;
      let least = Number.POSITIVE_INFINITY;
      for (const area of areas) {
        if (!isBeyond(area, x, y, least)) least = Math.min(least, distanceTo(area, x, y));
      }
      return least;
    },
  };
}

const column = (degrees: number): number => Math.floor(degrees * CELLS);

/** The number of a cell; there are 360 degrees in each row. */
const cellAt = (x: number, y: number): number => y * 360 * CELLS + x;

function* cellsOf({ west, south, east, north }: Area): Generator<number> {
  for (let y = column(south); y <= column(north); y++)
    for (let x = column(west); x <= column(east); x++) yield cellAt(x, y);
}
