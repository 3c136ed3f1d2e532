import type { Comparison } from '../catalogue/field.ts';
import { COORDINATES, OF_SPACE } from '../catalogue/projections.ts';
import { municipalityPoints } from '../register/municipality-points.ts';
import { COORDINATES_OF_UNITS, type CoordinateColumns, type Dialect, type Dialects } from './dialect.ts';
import { placedSql } from './places.ts';
import { inPolygonsSql, isInPolygons, type Polygon, polygonsOf, unitsInPolygonsSql } from './polygon.ts';
import type { Binder } from './statement.ts';

/**
 * Units in a part of the map. One with published coordinates lies where these are; any other lies, as far as anybody is told, at the
 * point of its municipality (decision 7).
 */

/** A rectangle, a circle or polygons, in degrees; the rectangle of the latter is around them. */
export interface Area {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly circle: { readonly longitude: number; readonly latitude: number; readonly km: number } | null;
  readonly polygons?: readonly Polygon[];
}

/** A condition that is about a part of the map. */
interface AreaCondition {
  readonly filter: { readonly compare: 'box' | 'circle' | 'polygon' };
  /** Numbers with commas between them, `minLon,minLat,maxLon,maxLat` or `lon,lat,km`; polygons as a MultiPolygon of GeoJSON. */
  readonly value: unknown;
}

export const isArea = <Of extends { readonly filter: { readonly compare: Comparison }; readonly value: unknown }>(
  condition: Of,
): condition is Of & AreaCondition => ['box', 'circle', 'polygon'].includes(condition.filter.compare);

/** The mean radius of the earth (IUGG). */
const EARTH_KM = 6371.0088;

const RADIANS = Math.PI / 180;

export function areaOf({ filter, value }: AreaCondition): Area {
  if (filter.compare === 'polygon') return aroundPolygons(polygonsOf(String(value)));
  const numbers = String(value).split(',').map(Number);
  if (filter.compare === 'box') {
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

function aroundPolygons(polygons: readonly Polygon[]): Area {
  const outermost = (choose: (...all: number[]) => number, side: 'west' | 'south' | 'east' | 'north'): number =>
    choose(...polygons.map((polygon) => polygon[side])) / 1e6;
  return {
    ...{ west: outermost(Math.min, 'west'), east: outermost(Math.max, 'east') },
    ...{ south: outermost(Math.min, 'south'), north: outermost(Math.max, 'north') },
    ...{ circle: null, polygons },
  };
}

/** Square kilometres of the rectangle. */
export function rectangleKm2({ west, south, east, north }: Area): number {
  const [wide, high] = [(east - west) * RADIANS * EARTH_KM, (north - south) * RADIANS * EARTH_KM];
  return wide * high * Math.cos(((south + north) / 2) * RADIANS);
}

/** Of a distance of so many kilometres: the square of the sine of half of its angle. */
const squareOf = (km: number): number => Math.sin(km / EARTH_KM / 2) ** 2;

export function isInArea(
  { west, south, east, north, circle, polygons }: Area,
  longitude: number,
  latitude: number,
): boolean {
  if (longitude < west || longitude > east || latitude < south || latitude > north) return false;
  if (polygons !== undefined) return isInPolygons(polygons, longitude, latitude);
  if (circle === null) return true;
  const northwards = Math.sin(((latitude - circle.latitude) * RADIANS) / 2) ** 2;
  const eastwards = Math.sin(((longitude - circle.longitude) * RADIANS) / 2) ** 2;
  const shrunk = Math.cos(circle.latitude * RADIANS) * Math.cos(latitude * RADIANS);
  return northwards + shrunk * eastwards <= squareOf(circle.km);
}

/** Writes the condition that a unit lies in the area. */
export function inAreaSql(area: Area, dialect: Dialect, values: Binder): string {
  const { coordinates } = dialect;
  const [byCoordinates, isElsewhere] =
    coordinates === null
      ? [
          `${dialect.unitNumber} ${dialect.isIn} (${locatedUnits(area, dialect, values)})`,
          `NOT (${dialect.flag('latitude') ?? 'units.latitude IS NOT NULL'})`,
        ]
      : [pointSql(area, 'units', coordinates, dialect, values), `units.${coordinates.latitude} IS NULL`];
  return `(${byCoordinates} OR (${isElsewhere} AND ${municipalitySql([area], dialect, values)}))`;
}

/** Selects the numbers of units with coordinates in the area. */
function locatedUnits(area: Area, dialect: Dialect, values: Binder): string {
  if (dialect.space !== null) {
    const { polygons, ...around } = area;
    const within = pointSql(around, 'placed', COORDINATES, dialect, values);
    if (polygons === undefined) return `SELECT mastrNummer FROM ${OF_SPACE} AS placed WHERE ${within}`;
    const columns = { longitude: `placed.${COORDINATES.longitude}`, latitude: `placed.${COORDINATES.latitude}` };
    const placed = { table: `${OF_SPACE} AS placed`, number: 'placed.mastrNummer', around: within, ...columns };
    return unitsInPolygonsSql(polygons, placed, dialect, values);
  }
  return `SELECT nummer FROM units AS placed WHERE ${pointSql(area, 'placed', COORDINATES_OF_UNITS, dialect, values)}`;
}

/**
 * Writes the condition that a unit of OF_SPACE lies in each of some areas as two, of which it meets one at most: by its coordinates,
 * and at the point of its municipality.
 */
export const inAreasSql = (areas: readonly Area[], dialect: Dialect, values: Binder) => ({
  byCoordinates: areas
    .flatMap(({ polygons, ...around }) => [
      pointSql(around, 'units', COORDINATES, dialect, values),
      ...(polygons === undefined
        ? []
        : [`${dialect.unitNumber} ${dialect.isIn} (${locatedUnits({ ...around, polygons }, dialect, values)})`]),
    ])
    .join(' AND '),
  byMunicipality: `units.${COORDINATES.latitude} IS NULL AND ${municipalitySql(areas, dialect, values)}`,
});

/** The dialect of tables with the coordinates of OF_SPACE, where the version has them. */
export const withCoordinates = (projections: Dialect): Dialect =>
  projections.space === null ? projections : { ...projections, coordinates: COORDINATES };

/** Writes the condition that coordinates lie in the area: each in the type of its column, by which an engine skips blocks. */
export function pointSql(
  area: Area,
  table: string,
  columns: CoordinateColumns,
  dialect: Dialect,
  values: Binder,
): string {
  const [x, y] = [`${table}.${columns.longitude}`, `${table}.${columns.latitude}`];
  const bound = (name: string, degrees: number, direction: 'down' | 'up') =>
    dialect.storedValue({ name, kind: 'degree' }, sixDecimals(degrees, direction), values);
  const box = [
    `${y} >= ${bound('latitude', area.south, 'up')} AND ${y} <= ${bound('latitude', area.north, 'down')}`,
    `${x} >= ${bound('longitude', area.west, 'up')} AND ${x} <= ${bound('longitude', area.east, 'down')}`,
  ].join(' AND ');
  const { circle, polygons } = area;
  if (polygons !== undefined) {
    return `${box} AND ${inPolygonsSql(polygons, { longitude: x, latitude: y }, dialect, values)}`;
  }
  if (circle === null) return box;
  const degrees = (column: string) => `CAST(${column} AS DOUBLE)`;
  const half = (column: string, middle: number) =>
    `pow(sin((${degrees(column)} - ${double(middle)}) * ${double(RADIANS / 2)}), 2)`;
  const shrunk = `${double(Math.cos(circle.latitude * RADIANS))} * cos(${degrees(y)} * ${double(RADIANS)})`;
  return `${box} AND ${half(y, circle.latitude)} + ${shrunk} * ${half(x, circle.longitude)} <= ${double(squareOf(circle.km))}`;
}

/** The dialects of a version without OF_SPACE. */
export const withoutSpace = ({ units, projections }: Dialects): Dialects => ({
  units,
  projections: { ...projections, space: null },
});

/** A number of the program, never a text of a caller. */
const double = (number: number): string => `CAST('${number}' AS DOUBLE)`;

/** Columns have six decimals: no point of one lies between a bound and what it is rounded to. */
const sixDecimals = (degrees: number, direction: 'down' | 'up'): string =>
  ((direction === 'up' ? Math.ceil(degrees * 1e6 - 1e-6) : Math.floor(degrees * 1e6 + 1e-6)) / 1e6).toFixed(6);

/** Keys in one parameter, of which a server takes 128 KiB. */
const MOST_KEYS = 4000;

/** Writes the condition that the point of a unit's municipality lies in each of the areas. */
function municipalitySql(areas: readonly Area[], dialect: Dialect, values: Binder): string {
  // A version of an earlier release does not know what municipalities are today.
  if (!dialect.listedPlaces || dialect.places === 'names' || dialect.places === 'keys') return 'false';
  const keys = municipalityPoints()
    .filter(({ longitude, latitude }) => areas.every((area) => isInArea(area, longitude, latitude)))
    .map(({ key }) => key);
  if (keys.length === 0) return 'false';
  const parts: string[] = [];
  for (let from = 0; from < keys.length; from += MOST_KEYS) {
    parts.push(dialect.isOneOf('ort', values.bind(keys.slice(from, from + MOST_KEYS))));
  }
  return placedSql('gemeinde', `(${parts.join(' OR ')})`, 'units', dialect);
}
