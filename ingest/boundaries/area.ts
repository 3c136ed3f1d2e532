import { float64At } from '../scan/typed-arrays.ts';

/** An area of a map, and where a point lies to it. Points are degrees, distances metres. */

export interface Area {
  /** Official key. */
  readonly key: string;
  readonly name: string;
  /**
   * Its border with all holes and islands, as longitude and latitude of points in turn: lines that make up rings, in any order
   * and direction. Neighbours have the same lines, so no point lies in both of them.
   */
  readonly lines: readonly Float64Array[];
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export function areaOf(key: string, name: string, lines: readonly Float64Array[]): Area {
  let west = 180;
  let south = 90;
  let east = -180;
  let north = -90;
  for (const line of lines) {
    for (let at = 0; at < line.length; at += 2) {
      const x = float64At(line, at);
      const y = float64At(line, at + 1);
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
    }
  }
  return { key, name, lines, west, south, east, north };
}

/** Tells whether a point lies in an area: a way from it to the east crosses the border an odd number of times. */
export function isIn({ lines, west, south, east, north }: Area, x: number, y: number): boolean {
  if (x < west || x > east || y < south || y > north) return false;
  let inside = false;
  for (const line of lines) {
    let x1 = float64At(line, 0);
    let y1 = float64At(line, 1);
    for (let at = 2; at < line.length; at += 2) {
      const x2 = float64At(line, at);
      const y2 = float64At(line, at + 1);
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) * (x2 - x1)) / (y2 - y1)) inside = !inside;
      x1 = x2;
      y1 = y2;
    }
  }
  return inside;
}

const METRES_OF_DEGREE = 111_320;

/** Metres of a degree of longitude at a latitude. Around a point the earth is taken for flat: that is off by 1 % at 100 km. */
const metresOfLongitude = (latitude: number): number => METRES_OF_DEGREE * Math.cos((latitude * Math.PI) / 180);

/** The distance from a point to an area, 0 in it. */
export function distanceTo(area: Area, x: number, y: number): number {
  if (isIn(area, x, y)) return 0;
  const eastwards = metresOfLongitude(y);
  let least = Number.POSITIVE_INFINITY;
  for (const line of area.lines) {
    let x1 = (float64At(line, 0) - x) * eastwards;
    let y1 = (float64At(line, 1) - y) * METRES_OF_DEGREE;
    for (let at = 2; at < line.length; at += 2) {
      const x2 = (float64At(line, at) - x) * eastwards;
      const y2 = (float64At(line, at + 1) - y) * METRES_OF_DEGREE;
      least = Math.min(least, squareToSide(x1, y1, x2, y2));
      x1 = x2;
      y1 = y2;
    }
  }
  return Math.sqrt(least);
}

/** The square of the distance from the origin to the line between two points. */
function squareToSide(x1: number, y1: number, x2: number, y2: number): number {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const square = dx * dx + dy * dy;
  // The nearest point lies at this share of the way along the line.
  const share = square === 0 ? 0 : Math.max(0, Math.min(1, -(x1 * dx + y1 * dy) / square));
  const x = x1 + share * dx;
  const y = y1 + share * dy;
  return x * x + y * y;
}

/** Tells whether the box around an area, and so all of the area, is farther from a point than a distance. */
export function isBeyond({ west, south, east, north }: Area, x: number, y: number, distance: number): boolean {
  const northwards = Math.max(south - y, 0, y - north) * METRES_OF_DEGREE;
  if (northwards > distance) return true;
  const eastwards = Math.max(west - x, 0, x - east) * metresOfLongitude(y);
  return eastwards * eastwards + northwards * northwards > distance * distance;
}
