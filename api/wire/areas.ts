import { z } from 'zod';
import type { Area } from '../../sql/query/space.ts';
import { fault, MEANINGS } from './parameters.ts';

/** Parts of the map as a caller writes them, in a query and in a body alike: numbers with commas between them. */

/** With as many decimals as programs write: 0.30000000000000004 has 17. */
const NUMBER = '-?[0-9]{1,3}(?:\\.[0-9]{1,30})?';

/** More than the country either way. */
export const MOST_DEGREES = 12;

/** Returns true for a rectangle that no filter takes. */
export const isLargerThanTaken = ({ west, south, east, north }: Omit<Area, 'circle'>): boolean =>
  east - west > MOST_DEGREES || north - south > MOST_DEGREES;

const MOST_KM = 200;

/** Where the country lies, with room around it: numbers that stand the other way round are noticed by it. */
export const isOfTheCountry = (longitude: number, latitude: number): boolean =>
  longitude > 3 && longitude < 17 && latitude > 46 && latitude < 57;

const area = (count: number, form: string, faultOf: (numbers: readonly number[]) => string | null) => {
  const pattern = `^${Array.from({ length: count }, () => NUMBER).join(',')}$`;
  return z
    .string(`must be ${form}`)
    .transform((text, context): string => {
      const wrong = new RegExp(pattern).test(text) ? faultOf(text.split(',').map(Number)) : `must be ${form}`;
      if (wrong === null) return text.split(',').map(Number).join();
      context.issues.push(fault('INVALID_PARAMETER', wrong));
      return z.NEVER;
    })
    .register(MEANINGS, { type: 'string', pattern });
};

export const isOutOfRange = (longitude: number, latitude: number): boolean =>
  Math.abs(longitude) > 180 || Math.abs(latitude) > 90;

export const RANGE = 'must have longitudes from -180 to 180 and latitudes from -90 to 90, the longitude first';

/** A rectangle. */
export const boxParameter = () =>
  area(4, 'four numbers minLon,minLat,maxLon,maxLat in degrees, such as 8.9,48.7,9.4,49.0', (numbers) => {
    const [west = 0, south = 0, east = 0, north = 0] = numbers;
    if (isOutOfRange(west, south) || isOutOfRange(east, north)) return RANGE;
    if (west === east || south === north) return 'has no area: maxLon must be above minLon, and maxLat above minLat';
    const isTurned = isOfTheCountry(south, west) && isOfTheCountry(north, east);
    const [ofLongitude, ofLatitude] = isTurned
      ? [
          [south, north],
          [west, east],
        ]
      : [
          [west, east],
          [south, north],
        ];
    const corners = {
      west: Math.min(...ofLongitude),
      south: Math.min(...ofLatitude),
      east: Math.max(...ofLongitude),
      north: Math.max(...ofLatitude),
    };
    const isReversed = west > east || south > north;
    if (isLargerThanTaken(corners)) {
      const most = `at most ${MOST_DEGREES} degrees either way`;
      return isReversed
        ? `ends before it begins: the south-western corner comes first, ${most} from the other`
        : `is larger than the country: ${most}; leave it out for all units`;
    }
    const meant = [corners.west, corners.south, corners.east, corners.north].join();
    if (isTurned) return `has latitudes where longitudes belong: write ${meant}`;
    return isReversed ? `ends before it begins: the south-western corner comes first, as in ${meant}` : null;
  });

/** A circle. */
export const circleParameter = () =>
  area(3, 'three numbers lon,lat,km, such as 9.19,48.9,10', (numbers) => {
    const [longitude = 0, latitude = 0, km = 0] = numbers;
    if (isOutOfRange(longitude, latitude)) return RANGE;
    if (km <= 0) return 'must have a radius above 0 km';
    if (km > MOST_KM) {
      return `has a radius of ${km} km; at most ${MOST_KM} are taken: use bbox or bundesland for larger areas`;
    }
    return isOfTheCountry(latitude, longitude)
      ? `has the latitude where the longitude belongs: write ${[latitude, longitude, km].join()}`
      : null;
  });
