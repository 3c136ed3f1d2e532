import type { Dialect } from './dialect.ts';
import type { Binder } from './statement.ts';

/**
 * Polygons on the map, in millionths of a degree, as the register has coordinates: whole numbers, so that every engine and the
 * service find the same. A point lies in a polygon when it lies on an edge, or when a line from it to the east crosses an odd number of
 * edges, those of holes included; so where a ring crosses itself, what is surrounded twice lies outside.
 */

type Edge = readonly [x1: number, y1: number, x2: number, y2: number];

export interface Polygon {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  /** From south to north, from the south-western corner on. */
  readonly edges: readonly Edge[];
}

const MILLIONTHS = 1e6;

/** @param text a MultiPolygon of GeoJSON, with closed rings */
export function polygonsOf(text: string): Polygon[] {
  const { coordinates } = JSON.parse(text) as { coordinates: [number, number][][][] };
  return coordinates.map((rings) => {
    const whole = rings.map((ring) => ring.map(([x, y]) => [millionths(x), millionths(y)] as const));
    const [xs, ys] = [whole.flat().map(([x]) => x), whole.flat().map(([, y]) => y)];
    const [west, south] = [Math.min(...xs), Math.min(...ys)];
    const edges = whole.flatMap((ring) =>
      ring.slice(1).map(([x, y], index): Edge => {
        const [fromX, fromY] = ring[index] ?? [x, y];
        const [one, other] = [
          [fromX - west, fromY - south],
          [x - west, y - south],
        ] as const;
        return one[1] <= other[1] ? [...one, ...other] : [...other, ...one];
      }),
    );
    return { west, south, east: Math.max(...xs), north: Math.max(...ys), edges };
  });
}

const millionths = (degrees: number): number => Math.round(degrees * MILLIONTHS);

/** How many edges a line from west to east meets on average. */
export const edgesAcross = ({ edges, north, south }: Polygon): number =>
  edges.reduce((sum, [, from, , to]) => sum + to - from, 0) / Math.max(1, north - south);

/** What an edge adds for a point on it: even, and more than edges are crossed. */
const ON_EDGE = 1e6;

export function isInPolygons(polygons: readonly Polygon[], longitude: number, latitude: number): boolean {
  return polygons.some(({ west, south, edges }) => {
    const [x, y] = [millionths(longitude) - west, millionths(latitude) - south];
    const sum = edges.reduce((met, [x1, y1, x2, y2]) => {
      const side = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
      const isOn = side === 0 && y1 <= y && y <= y2 && Math.min(x1, x2) <= x && x <= Math.max(x1, x2);
      if (isOn) return met + ON_EDGE;
      return y1 <= y && y < y2 && side > 0 ? met + 1 : met;
    }, 0);
    return sum >= ON_EDGE || sum % 2 === 1;
  });
}

const whole = (column: string, from: number): string =>
  `(coalesce(CAST(round(CAST(${column} AS DOUBLE) * ${MILLIONTHS}) AS BIGINT), 0) - ${from})`;

/** Writes what an edge adds for a point. */
function metSql(x: string, y: string, [x1, y1, x2, y2]: readonly [string, string, string, string]): string {
  const side = `(${x2} - ${x1}) * (${y} - ${y1}) - (${y2} - ${y1}) * (${x} - ${x1})`;
  return `CASE WHEN ${y} < ${y1} OR ${y} > ${y2} OR ${side} < 0 THEN 0
        WHEN ${side} = 0 THEN CASE WHEN ${x} >= least(${x1}, ${x2}) AND ${x} <= greatest(${x1}, ${x2}) THEN ${ON_EDGE} ELSE 0 END
        WHEN ${y} < ${y2} THEN 1 ELSE 0 END`;
}

/** @param longitude and latitude are columns of degrees; where they are NULL, the answer says nothing */
export function inPolygonsSql(
  polygons: readonly Polygon[],
  { longitude, latitude }: Readonly<Record<'latitude' | 'longitude', string>>,
  dialect: Dialect,
  values: Binder,
): string {
  const parts = polygons.map((polygon) => {
    const [x, y] = [whole(longitude, polygon.west), whole(latitude, polygon.south)];
    const { height, strips } = stripsOf(polygon);
    const sum = dialect.sumOfNested(
      values.bind(JSON.stringify(strips)),
      `CAST(floor(${y} / ${height}) AS BIGINT)`,
      (edge) => metSql(x, y, [`${edge}[1]`, `${edge}[2]`, `${edge}[3]`, `${edge}[4]`]),
    );
    const [wide, high] = [polygon.east - polygon.west, polygon.north - polygon.south];
    return `(${x} >= 0 AND ${x} <= ${wide} AND ${y} >= 0 AND ${y} <= ${high} AND (${sum} >= ${ON_EDGE} OR ${sum} % 2 = 1))`;
  });
  return `(${parts.join(' OR ')})`;
}

/** A point is compared with the edges of its strip alone. Engines copy all strips for each block of rows, so more would cost more. */
const MOST_STRIPS = 64;

/** Edges in all strips together: as a parameter, a server takes 128 KiB. */
const MOST_ENTRIES = 2400;

/** Cuts a polygon into strips from south to north, each with the edges that reach into it. */
function stripsOf({ north, south, edges }: Polygon): { readonly height: number; readonly strips: Edge[][] } {
  for (let count = MOST_STRIPS; ; count /= 2) {
    const height = Math.ceil((north - south + 1) / count);
    const stripOf = (y: number): number => Math.floor(y / height);
    const entries = edges.reduce((sum, [, from, , to]) => sum + stripOf(to) - stripOf(from) + 1, 0);
    if (entries > MOST_ENTRIES && count > 1) continue;
    const strips = Array.from({ length: stripOf(north - south) + 1 }, (): Edge[] => []);
    for (const edge of edges) {
      for (let strip = stripOf(edge[1]); strip <= stripOf(edge[3]); strip++) strips[strip]?.push(edge);
    }
    return { height, strips };
  }
}

interface PlacedUnits {
  readonly table: string;
  /** Column of their numbers. */
  readonly number: string;
  readonly longitude: string;
  readonly latitude: string;
  /** The condition that they lie in the rectangle around the polygons. */
  readonly around: string;
}

/**
 * Selects the numbers of the units in the polygons, where many are looked at: joined with the edges of their strip, each takes a tenth
 * of what the condition takes.
 */
export function unitsInPolygonsSql(
  polygons: readonly Polygon[],
  { table, number, longitude, latitude, around }: PlacedUnits,
  dialect: Dialect,
  values: Binder,
): string {
  const met = `sum(${metSql('x', 'y', ['x1', 'y1', 'x2', 'y2'])})`;
  const columns = ['strip', 'x1', 'y1', 'x2', 'y2'].map((name, index) => `item[${index + 1}] AS ${name}`);
  const selects = polygons.map((polygon) => {
    const { height, strips } = stripsOf(polygon);
    const rows = strips.flatMap((edges, strip) => edges.map((edge) => [strip, ...edge]));
    return `SELECT nummer FROM (
      SELECT ${number} AS nummer, ${whole(longitude, polygon.west)} AS x, ${whole(latitude, polygon.south)} AS y
      FROM ${table} WHERE ${around}
    ) AS points JOIN (
      SELECT ${columns.join(', ')} FROM (${dialect.nestedItems(values.bind(JSON.stringify(rows)))}) AS items
    ) AS edges ON edges.strip = CAST(floor(points.y / ${height}) AS BIGINT)
    GROUP BY nummer HAVING ${met} >= ${ON_EDGE} OR ${met} % 2 = 1`;
  });
  return selects.join(' UNION ALL ');
}
