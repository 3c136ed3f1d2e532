import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';

/**
 * GeoParquet 1.1 (https://geoparquet.org/releases/v1.1.0/): a point for each unit with published coordinates, and its bounds as
 * columns, by whose statistics readers skip row groups. Those without coordinates have no geometry, stand behind the others, and
 * are in the order of their postal codes.
 */

/** The columns of a row: those of every dump, and the point. */
export const withPoints = (): string => `*,
  CASE WHEN longitude IS NOT NULL THEN ST_AsWKB(('POINT (' || longitude || ' ' || latitude || ')')::GEOMETRY)::BLOB END AS geometry,
  CASE WHEN longitude IS NOT NULL THEN {
    'xmin': longitude::DOUBLE, 'ymin': latitude::DOUBLE, 'xmax': longitude::DOUBLE, 'ymax': latitude::DOUBLE
  } END AS bbox`;

/** The longitudes and latitudes between which the country, its sea included, is divided into cells. */
const [WEST, EAST, SOUTH, NORTH] = [3, 16, 47, 56];

/** Bits of a cell in each direction: some 200 metres. */
const BITS = 12;

/** Puts a zero before each bit, so that those of two numbers go between each other. */
const spread = (value: string): string =>
  [
    [8, 0x00ff00ff],
    [4, 0x0f0f0f0f],
    [2, 0x33333333],
    [1, 0x55555555],
  ].reduce((bits, [shift, mask]) => `((${bits} | (${bits} << ${shift})) & ${mask})`, value);

const cellOf = (degree: string, from: number, to: number): string =>
  `least(${2 ** BITS - 1}, greatest(0, floor((${degree}::DOUBLE - ${from}) / ${to - from} * ${2 ** BITS})))::BIGINT`;

/** The order of the cells is that of Morton: what is near in it is near on the map, but for some jumps. */
export const SPATIAL_ORDER = [
  'longitude IS NULL',
  `${spread(cellOf('longitude', WEST, EAST))} | (${spread(cellOf('latitude', SOUTH, NORTH))} << 1)`,
  'plz',
  '"mastrNummer"',
].join(', ');

/** The metadata by which readers know the column of points; without a reference system it is longitude and latitude of WGS 84. */
export async function geoMetadata(engine: WarehouseConnection, units: string): Promise<string> {
  const bounds = firstRow(
    await engine.rows<Record<'west' | 'south' | 'east' | 'north', number | null>>(
      `SELECT min(longitude)::DOUBLE AS west, min(latitude)::DOUBLE AS south, max(longitude)::DOUBLE AS east, max(latitude)::DOUBLE AS north
       FROM ${units}`,
    ),
  );
  const covering = Object.fromEntries(['xmin', 'ymin', 'xmax', 'ymax'].map((name) => [name, ['bbox', name]]));
  const { west, south, east, north } = bounds;
  return JSON.stringify({
    version: '1.1.0',
    primary_column: 'geometry',
    columns: {
      geometry: {
        encoding: 'WKB',
        geometry_types: ['Point'],
        ...(west === null ? {} : { bbox: [west, south, east, north] }),
        covering: { bbox: covering },
      },
    },
  });
}
