import { municipalityPoints } from '../register/municipality-points.ts';
import type { Dialect } from './dialect.ts';
import { placedSql } from './places.ts';
import type { Binder } from './statement.ts';

/**
 * Units in a part of the map. One with published coordinates lies where these are; any other lies, as far as anybody is told, at the
 * point of its municipality (decision 7).
 */

/** A rectangle or a circle, in degrees; the rectangle of a circle is around it. */
export interface Area {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly circle: { readonly longitude: number; readonly latitude: number; readonly km: number } | null;
}

/** Comparisons with a part of the map. */
export type AreaComparison = 'box' | 'circle';

/** The mean radius of the earth (IUGG). */
const EARTH_KM = 6371.0088;

const RADIANS = Math.PI / 180;

/** @param text numbers with commas between them: `minLon,minLat,maxLon,maxLat`, or `lon,lat,km` */
export function areaOf(compare: AreaComparison, text: string): Area {
  const numbers = text.split(',').map(Number);
  if (compare === 'box') {
    const [west = 0, south = 0, east = 0, north = 0] = numbers;
    return { west, south, east, north, circle: null };
  }
  const [longitude = 0, latitude = 0, km = 0] = numbers;
  const angle = km / EARTH_KM;
  const northwards = angle / RADIANS;
  // The circle is widest north of its middle.
  const share = Math.sin(angle) / Math.cos(latitude * RADIANS);
  const eastwards = share >= 1 ? 180 : Math.asin(share) / RADIANS;
  return {
    ...{ west: longitude - eastwards, east: longitude + eastwards },
    ...{ south: latitude - northwards, north: latitude + northwards },
    circle: { longitude, latitude, km },
  };
}

/** Of a distance of so many kilometres: the square of the sine of half of its angle. */
const squareOf = (km: number): number => Math.sin(km / EARTH_KM / 2) ** 2;

export function isInArea({ west, south, east, north, circle }: Area, longitude: number, latitude: number): boolean {
  if (longitude < west || longitude > east || latitude < south || latitude > north) return false;
  if (circle === null) return true;
  const northwards = Math.sin(((latitude - circle.latitude) * RADIANS) / 2) ** 2;
  const eastwards = Math.sin(((longitude - circle.longitude) * RADIANS) / 2) ** 2;
  const shrunk = Math.cos(circle.latitude * RADIANS) * Math.cos(latitude * RADIANS);
  return northwards + shrunk * eastwards <= squareOf(circle.km);
}

/** Writes the condition that a unit lies in the area. */
export function inAreaSql(area: Area, dialect: Dialect, values: Binder): string {
  const isLocated = dialect.flag('latitude') ?? 'units.latitude IS NOT NULL';
  const located = dialect.hasCoordinates
    ? pointSql(area, 'units', values, dialect)
    : `${dialect.unitNumber} ${dialect.isIn} (SELECT nummer FROM units AS placed WHERE ${pointSql(area, 'placed', values, dialect)})`;
  return `(${located} OR (NOT (${isLocated}) AND ${municipalitySql(area, dialect, values)}))`;
}

/** Writes the condition that coordinates lie in the area: each in the type of its column, by which an engine skips blocks. */
export function pointSql(area: Area, table: string, values: Binder, dialect: Dialect): string {
  const [x, y] = [`${table}.longitude`, `${table}.latitude`];
  const bound = (name: string, degrees: number, direction: 'down' | 'up') =>
    dialect.storedValue({ name, kind: 'degree' }, sixDecimals(degrees, direction), values);
  const box = [
    `${y} >= ${bound('latitude', area.south, 'up')} AND ${y} <= ${bound('latitude', area.north, 'down')}`,
    `${x} >= ${bound('longitude', area.west, 'up')} AND ${x} <= ${bound('longitude', area.east, 'down')}`,
  ].join(' AND ');
  const { circle } = area;
  if (circle === null) return box;
  const degrees = (column: string) => `CAST(${column} AS DOUBLE)`;
  const half = (column: string, middle: number) =>
    `pow(sin((${degrees(column)} - ${double(middle)}) * ${double(RADIANS / 2)}), 2)`;
  const shrunk = `${double(Math.cos(circle.latitude * RADIANS))} * cos(${degrees(y)} * ${double(RADIANS)})`;
  return `${box} AND ${half(y, circle.latitude)} + ${shrunk} * ${half(x, circle.longitude)} <= ${double(squareOf(circle.km))}`;
}

/** A number of the program, never a text of a caller. */
const double = (number: number): string => `CAST('${number}' AS DOUBLE)`;

/** Columns have six decimals: no point of one lies between a bound and what it is rounded to. */
const sixDecimals = (degrees: number, direction: 'down' | 'up'): string =>
  ((direction === 'up' ? Math.ceil(degrees * 1e6 - 1e-6) : Math.floor(degrees * 1e6 + 1e-6)) / 1e6).toFixed(6);

/** Keys in one parameter, of which a server takes 128 KiB. */
const MOST_KEYS = 4000;

function municipalitySql(area: Area, dialect: Dialect, values: Binder): string {
  // A version of an earlier release does not know what municipalities are today.
  if (!dialect.listedPlaces || dialect.places === 'names' || dialect.places === 'keys') return 'false';
  const keys = municipalityPoints()
    .filter(({ longitude, latitude }) => isInArea(area, longitude, latitude))
    .map(({ key }) => key);
  if (keys.length === 0) return 'false';
  const parts: string[] = [];
  for (let from = 0; from < keys.length; from += MOST_KEYS) {
    parts.push(dialect.isOneOf('ort', values.bind(keys.slice(from, from + MOST_KEYS))));
  }
  return placedSql('gemeinde', `(${parts.join(' OR ')})`, 'units', dialect);
}
