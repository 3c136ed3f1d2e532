import type { Position } from 'geojson';
import { quantize } from 'topojson-client';
import { presimplify, sphericalTriangleArea } from 'topojson-simplify';
import type { Objects, Topology, Transform } from 'topojson-specification';
import { itemAt } from '../../runtime/present.ts';
import { polygonArea, signedArea } from './area.ts';
import type { Area } from './source.ts';
import { arcOf, exactTopology, type Geometry, geometriesOf } from './topology.ts';

/** Areas as a topology with fewer points. Common borders stay common, and every area stays. */

export interface Detail {
  /** Points whose triangle with their neighbours is smaller are left out, in km². */
  readonly leastTriangleKm2: number;
  /** Islands without a neighbour below this area are left out, unless they are the largest part of their area. */
  readonly leastIslandKm2: number;
  /** Positions of the grid on either axis. */
  readonly grid: number;
}

type Weighted = [x: number, y: number, weight: number];

/** The share that the largest part of an area may lose or gain before its border gets more points. */
const TOLERANCE = 0.1;
const EARTH_RADIUS_KM = 6371.0072;
const MOST_ROUNDS = 20;
/** A ring below it has collapsed, or is a gap between borders that were drawn twice. */
const LEAST_SURFACE_KM2 = 0.01;

/** The points of a ring of arcs, the last of each arc being the first of the next. */
function pointsOf(ring: readonly number[], arcs: readonly Position[][]): Position[] {
  return ring.flatMap((index) => {
    const arc = itemAt(arcs, arcOf(index));
    return (index < 0 ? arc.toReversed() : arc).slice(1);
  });
}

/** The grid over a box of degrees. */
function gridOver(areas: readonly Area[], positions: number): Transform {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const [x = 0, y = 0] of areas.flatMap(({ polygons }) => polygons.flatMap(([exterior = []]) => exterior))) {
    box.west = Math.min(box.west, x);
    box.east = Math.max(box.east, x);
    box.south = Math.min(box.south, y);
    box.north = Math.max(box.north, y);
  }
  return {
    scale: [(box.east - box.west) / (positions - 1), (box.north - box.south) / (positions - 1)],
    translate: [box.west, box.south],
  };
}

/** Moves points to the grid, on which small rings may collapse. */
function snapped(arc: readonly Position[], { scale: [kx, ky], translate: [x0, y0] }: Transform): Position[] {
  return arc.map(([x = 0, y = 0]) => [Math.round((x - x0) / kx) * kx + x0, Math.round((y - y0) / ky) * ky + y0]);
}

/** A polygon as rings of arcs, with its area before points are left out. */
interface Part {
  readonly polygon: readonly number[][];
  readonly area: number;
}

function sizeOf(polygon: readonly number[][], arcs: readonly Position[][]): number {
  return polygonArea(polygon.map((ring) => pointsOf(ring, arcs)));
}

/**
 * Leaves out points below a tolerance. It is the same for all arcs at first; where the largest part of an area would lose
 * its shape, its arcs get a smaller one.
 */
function thinned(arcs: readonly Weighted[][], largest: readonly Part[], leastTriangleKm2: number): Position[][] {
  const thresholds = arcs.map(() => leastTriangleKm2 / EARTH_RADIUS_KM ** 2);
  const keep = (arc: readonly Weighted[], index: number): Position[] =>
    arc.filter(([, , weight]) => weight >= itemAt(thresholds, index)).map(([x, y]) => [x, y]);
  const kept = arcs.map(keep);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const lost = new Set<number>();
    for (const { polygon, area } of largest)
      if (Math.abs(sizeOf(polygon, kept) / area - 1) > TOLERANCE)
        for (const index of polygon.flat()) lost.add(arcOf(index));
    if (lost.size === 0) return kept;
    for (const index of lost) {
      thresholds[index] = itemAt(thresholds, index) / 4;
      kept[index] = keep(itemAt(arcs, index), index);
    }
  }
  throw new Error('Areas cannot be simplified without losing them');
}

/** The simplified topology of areas, its arcs quantised to the grid, as the object `areas`. */
export function simplified(areas: readonly Area[], { leastTriangleKm2, leastIslandKm2, grid }: Detail): Topology {
  const exact = exactTopology(areas);
  const all = presimplify({ ...exact, objects: {} }, sphericalTriangleArea).arcs as Weighted[][];
  const geometries = geometriesOf(exact, 'areas');
  const parts = geometries.map(({ arcs }): Part[] =>
    arcs.map((polygon) => ({ polygon, area: sizeOf(polygon, all) })).sort((a, b) => b.area - a.area),
  );
  const largest = parts.map((polygons) => itemAt(polygons, 0));
  const transform = gridOver(areas, grid);
  const arcs = thinned(all, largest, leastTriangleKm2).map((arc) => snapped(arc, transform));

  const uses = new Map<number, number>();
  for (const index of geometries.flatMap((geometry) => geometry.arcs.flat(2)))
    uses.set(arcOf(index), (uses.get(arcOf(index)) ?? 0) + 1);
  // A ring without a neighbour is an island; a hole without one is a gap between borders that should be one line.
  const hasNeighbour = (ring: readonly number[]): boolean => ring.some((index) => (uses.get(arcOf(index)) ?? 0) > 1);
  const isSurface = (ring: readonly number[]): boolean =>
    Math.abs(signedArea(pointsOf(ring, arcs))) > LEAST_SURFACE_KM2;
  const kept = geometries.map((geometry, index): Geometry => {
    const polygons = itemAt(parts, index).filter(
      ({ polygon: [exterior = []], area }, part) =>
        part === 0 || (isSurface(exterior) && (area >= leastIslandKm2 || hasNeighbour(exterior))),
    );
    const withoutGaps = (polygon: readonly number[][]): number[][] =>
      polygon.filter((ring, at) => at === 0 || (isSurface(ring) && hasNeighbour(ring)));
    return { ...geometry, arcs: polygons.map(({ polygon }) => withoutGaps(polygon)) };
  });
  return quantize(pruned(exact, kept, arcs), transform);
}

/** Leaves out arcs that no geometry uses any more. */
function pruned(topology: Topology, geometries: readonly Geometry[], arcs: readonly Position[][]): Topology<Objects> {
  const numbers = new Map<number, number>();
  const renumbered = (index: number): number => {
    const arc = arcOf(index);
    const number = numbers.get(arc) ?? numbers.size;
    numbers.set(arc, number);
    return index < 0 ? ~number : number;
  };
  const kept = geometries.map((geometry) => ({
    ...geometry,
    arcs: geometry.arcs.map((polygon) => polygon.map((ring) => ring.map(renumbered))),
  }));
  return {
    type: 'Topology',
    ...(topology.bbox && { bbox: topology.bbox }),
    objects: { areas: { type: 'GeometryCollection', geometries: kept } },
    arcs: [...numbers.keys()].map((arc) => itemAt(arcs, arc)),
  };
}
