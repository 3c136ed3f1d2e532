import { geoConicEqualArea } from 'd3-geo';

/**
 * The plane of all maps: an equal-area projection, so that areas can be compared by eye. Its unit is about a kilometre, x runs
 * east and y south.
 */

const EARTH_RADIUS_KM = 6371;

/** Straight lines between close points need no further points: precision 0 turns the resampling of d3-geo off. */
export const projection = geoConicEqualArea()
  .parallels([48.5, 53.5])
  .rotate([-10.4, 0])
  .center([0, 51.2])
  .scale(EARTH_RADIUS_KM)
  .translate([0, 0])
  .precision(0);

export interface Place {
  readonly longitude: number;
  readonly latitude: number;
}

export type Point = readonly [x: number, y: number];

/** Gives the point of a place in the plane. */
export function pointAt({ longitude, latitude }: Place): Point {
  return projection([longitude, latitude]) ?? [0, 0];
}
