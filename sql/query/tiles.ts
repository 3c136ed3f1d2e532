import { z } from 'zod';
import { OF_SPACE } from '../catalogue/projections.ts';
import { municipalityPoints } from '../register/municipality-points.ts';
import { isInSpace, projectionToCount } from './access-paths.ts';
import { conditionSql, whereAll } from './conditions.ts';
import { COORDINATES_OF_UNITS, type Dialect, type Dialects } from './dialect.ts';
import { isInArea, pointSql, withCoordinates } from './space.ts';
import { type Binder, binder, type WarehouseStatement } from './statement.ts';
import { areaOfTile, cellSql, type Tile } from './tile-grid.ts';
import { fromProjection } from './unit-source.ts';
import { type UnitCriteria, withToday } from './units.ts';

/**
 * The units of a tile of a map: counted by the cells of the tile, or one by one. As for every part of the map (space.ts), a unit with
 * published coordinates lies where these are, any other at the point of its municipality. Those are counted by municipality before
 * anything knows of points, of which there are few.
 */

export interface TileRequest extends UnitCriteria {
  readonly tile: Tile;
}

const place = {
  /** True: at the point of the municipality. */
  ausGemeinde: z.boolean(),
  /** Millionths of a degree; of several units, their sum. */
  laenge: z.number(),
  breite: z.number(),
};

export const tileCellRow = z.strictObject({
  ...place,
  /** Number of the cell, row by row. */
  zelle: z.number(),
  traeger: z.string(),
  anzahl: z.number(),
  /** Gross capacity; unknown capacity adds nothing. */
  kw: z.number(),
});

export const tileUnitRow = z.strictObject({ ...place, digits: z.number() });

export type TileCell = z.infer<typeof tileCellRow>;
export type TileUnit = z.infer<typeof tileUnitRow>;

/** Selects what the cells of a tile have, by carrier, units with coordinates apart from all others. */
export function tileCellsStatement(request: TileRequest, dialects: Dialects): WarehouseStatement {
  const values = binder();
  const select = (ausGemeinde: boolean, sums: string, from: string) => `SELECT ${ausGemeinde} AS "ausGemeinde",
  CAST(${cellSql(request.tile, 'ost', 'nord')} AS DOUBLE) AS zelle, traeger, ${sums}
FROM (${from}) AS counted
GROUP BY 1, 2, 3`;
  const sum = (what: string, name: string) => `CAST(coalesce(sum(${what}), 0) AS DOUBLE) AS ${name}`;
  const own = select(
    false,
    `CAST(count(*) AS DOUBLE) AS anzahl, ${sum('leistung', 'kw')}, sum(ost) AS laenge, sum(nord) AS breite`,
    located(
      request,
      () => ['CAST(units."einheitTyp" AS VARCHAR) AS traeger', 'units."bruttoleistungKw" AS leistung'],
      dialects,
      values,
    ),
  );
  const counted = placed(
    request,
    [
      'CAST(units."einheitTyp" AS VARCHAR) AS traeger',
      'count(*) AS einheiten',
      'sum(units."bruttoleistungKw") AS leistung',
    ],
    { dialect: dialects.projections, values, grouped: 'GROUP BY 1, 2' },
  );
  const sums = `${sum('einheiten', 'anzahl')}, ${sum('leistung', 'kw')}, sum(einheiten * ost) AS laenge, sum(einheiten * nord) AS breite`;
  return together([own, ...(counted === null ? [] : [select(true, sums, counted)])], values, request, dialects);
}

/**
 * Selects the units of a tile, in no order.
 * @param only leaves out those at the point of their municipality
 */
export function tileUnitsStatement(
  request: TileRequest,
  { only, limit }: { readonly only: 'located' | null; readonly limit: number },
  dialects: Dialects,
): WarehouseStatement {
  const values = binder();
  const digitsOf = ({ numberDigits, unitNumber }: Dialect) => `${numberDigits(unitNumber)} AS digits`;
  const select = (ausGemeinde: boolean, from: string) =>
    `SELECT ${ausGemeinde} AS "ausGemeinde", digits, ost AS laenge, nord AS breite FROM (${from}) AS found`;
  const own = located(request, (dialect) => [digitsOf(dialect)], dialects, values);
  const others =
    only === 'located'
      ? null
      : placed(request, [digitsOf(dialects.projections)], { dialect: dialects.projections, values, grouped: '' });
  const parts = [select(false, own), ...(others === null ? [] : [select(true, others)])];
  return together(
    [`SELECT * FROM (\n${parts.join('\nUNION ALL\n')}\n) AS units_of_tile LIMIT ${values.bind(limit)}`],
    values,
    request,
    dialects,
  );
}

const together = (parts: readonly string[], { values }: Binder, { today }: TileRequest, { units }: Dialects) =>
  withToday([parts.join('\nUNION ALL\n')], values, today, units);

interface Source {
  readonly dialect: Dialect;
  readonly values: Binder;
}

/** Selects columns of the units that have coordinates in the tile, and these as `ost` and `nord`. */
function located(
  { conditions, tile }: TileRequest,
  columnsOf: (dialect: Dialect) => readonly string[],
  { units, projections }: Dialects,
  values: Binder,
): string {
  const inSpace = isInSpace(conditions, projections);
  const dialect = inSpace ? withCoordinates(projections) : units;
  const coordinates = dialect.coordinates ?? COORDINATES_OF_UNITS;
  const millionths = (name: string) => `round(CAST(units.${name} AS DOUBLE) * 1000000)`;
  const where = [
    pointSql(areaOfTile(tile), 'units', coordinates, dialect, values),
    ...conditions.map((condition) => conditionSql(condition, dialect, values)),
  ];
  return `SELECT ${columnsOf(dialect).join(', ')}, ${millionths(coordinates.longitude)} AS ost, ${millionths(coordinates.latitude)} AS nord
  ${inSpace ? fromProjection(OF_SPACE) : 'FROM units AS units'} ${whereAll(where)}`;
}

/**
 * The same for the units without coordinates whose municipality has its point in the tile; null where there are none.
 * @param grouped ends the SELECT of units, whose first column is their municipality
 */
function placed(
  { conditions, tile }: TileRequest,
  columns: readonly string[],
  { dialect, values, grouped }: Source & { readonly grouped: string },
): string | null {
  // A version of an earlier release does not know what municipalities are today.
  if (!dialect.listedPlaces || dialect.places !== 'numbers') return null;
  const area = areaOfTile(tile);
  const all = municipalityPoints();
  const points = all.filter(({ longitude, latitude }) => isInArea(area, longitude, latitude));
  if (points.length === 0) return null;
  const digits = (degrees: number) => String(Math.round(degrees * 1e6)).padStart(8, '0');
  const texts = points.map(({ key, longitude, latitude }) => `${key}${digits(longitude)}${digits(latitude)}`);
  const places = `SELECT gebiete.gebiet AS gebiet, punkte.ost AS ost, punkte.nord AS nord FROM gebiete JOIN (
    SELECT left(eintrag, 8) AS gemeinde, CAST(substring(eintrag, 9, 8) AS DOUBLE) AS ost,
      CAST(substring(eintrag, 17, 8) AS DOUBLE) AS nord
    FROM (${dialect.textsOf(texts, values)}) AS texte
  ) AS punkte ON punkte.gemeinde = gebiete.ort WHERE gebiete.ebene = 'gemeinde'`;
  const isAll = points.length === all.length;
  const inSpace = isInSpace(conditions, dialect);
  const own = inSpace ? withCoordinates(dialect) : dialect;
  const where = [
    own.coordinates === null
      ? `NOT (${dialect.flag('latitude') ?? 'units.latitude IS NOT NULL'})`
      : `units.${own.coordinates.latitude} IS NULL`,
    ...(isAll ? [] : [`units.gemeindegebiet IN (SELECT gebiet FROM (${places}) AS places)`]),
    ...conditions.map((condition) => conditionSql(condition, own, values)),
  ];
  return `SELECT lying.*, places.ost AS ost, places.nord AS nord FROM (
    SELECT ${['units.gemeindegebiet AS gebiet', ...columns].join(', ')}
    ${fromProjection(inSpace ? OF_SPACE : projectionToCount(conditions, dialect))} ${whereAll(where)} ${grouped}
  ) AS lying JOIN (${places}) AS places ON places.gebiet = lying.gebiet`;
}
