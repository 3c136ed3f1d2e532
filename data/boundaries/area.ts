import type { Position } from 'geojson';

/**
 * Areas on the ellipsoid WGS 84. The authalic latitude maps the ellipsoid to a sphere of the same surface, on which the area
 * below a line in the cylindrical equal-area projection is exact. Taking degrees for those of a sphere, as `geoArea` of
 * d3-geo does, is off by up to 0.3 % in Germany.
 */

const EARTH_RADIUS_KM = 6378.137;
const FLATTENING = 1 / 298.257223563;
const ECCENTRICITY = Math.sqrt(FLATTENING * (2 - FLATTENING));
const DEGREE = Math.PI / 180;

/** Area between the equator and a latitude, for a wedge of one radian, divided by half the square of the earth's radius. */
function authalic(sine: number): number {
  const e = ECCENTRICITY;
  return (1 - e * e) * (sine / (1 - e * e * sine * sine) + Math.atanh(e * sine) / e);
}

/** Area inside a closed ring of degrees in km², positive when its points run counterclockwise. */
export function signedArea(ring: readonly Position[]): number {
  let sum = 0;
  let [lastX = 0, lastY = 0] = ring.at(-1) ?? [];
  let lastHeight = authalic(Math.sin(lastY * DEGREE));
  for (const [x = 0, y = 0] of ring) {
    const height = authalic(Math.sin(y * DEGREE));
    sum -= (x - lastX) * DEGREE * (height + lastHeight);
    [lastX, lastY, lastHeight] = [x, y, height];
  }
  // Half of the radius squared belongs to `authalic`, and another half to the mean of the two heights.
  return (sum * EARTH_RADIUS_KM ** 2) / 4;
}

/** Area of a polygon's rings in km², holes left out. */
export function polygonArea([exterior = [], ...holes]: readonly (readonly Position[])[]): number {
  return holes.reduce((area, hole) => area - Math.abs(signedArea(hole)), Math.abs(signedArea(exterior)));
}
