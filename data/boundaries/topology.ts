import type { FeatureCollection, MultiPolygon as GeoMultiPolygon, Position } from 'geojson';
import { topology as buildTopology } from 'topojson-server';
import type { MultiPolygon, Topology } from 'topojson-specification';
import { itemAt } from '../../runtime/present.ts';
import { signedArea } from './area.ts';
import type { Area } from './source.ts';

/** Areas as a topology: each border is one arc, which both neighbours refer to. */

export type Geometry = MultiPolygon;

/** Positions of the grid on either axis, about a metre apart: the source writes one point of a border in two ways. */
const METRES = 1_000_000;

/** Exterior rings run clockwise and holes counterclockwise, as d3-geo expects; RFC 7946 has it the other way. */
function wound(rings: readonly (readonly Position[])[]): Position[][] {
  return rings.map((ring, index) => (signedArea(ring) > 0 === (index === 0) ? ring.toReversed() : [...ring]));
}

function collectionOf(areas: readonly Area[]): FeatureCollection<GeoMultiPolygon> {
  return {
    type: 'FeatureCollection',
    features: areas.map(({ key, polygons }) => ({
      type: 'Feature',
      id: key,
      properties: null,
      geometry: { type: 'MultiPolygon', coordinates: polygons.map(wound) },
    })),
  };
}

/** The geometries of an object that was made of one feature collection of multipolygons. */
export function geometriesOf(topology: Topology, object: string): Geometry[] {
  const collection = topology.objects[object];
  if (collection?.type !== 'GeometryCollection') throw new TypeError(`${object} is no collection`);
  return collection.geometries as Geometry[];
}

/** Number of an arc whatever its direction: `~3` is arc 3 backwards. */
export const arcOf = (index: number): number => (index < 0 ? ~index : index);

/** The areas as the object `areas`, with the exact points of their borders in degrees. */
export function exactTopology(areas: readonly Area[]): Topology {
  const built = buildTopology({ areas: collectionOf(areas) }, METRES);
  const arcs = built.arcs.map((arc) => inDegrees(arc, built));
  const geometries = withJoinedLoops(geometriesOf(built, 'areas'), arcs);
  return { type: 'Topology', objects: { areas: { type: 'GeometryCollection', geometries } }, arcs };
}

/** The points of a quantised arc, which holds differences. */
function inDegrees(arc: readonly Position[], { transform }: Topology): Position[] {
  if (transform === undefined) throw new TypeError('The topology is not quantised');
  const { scale, translate } = transform;
  let [x, y] = [0, 0];
  return arc.map(([dx = 0, dy = 0]) => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

/**
 * An exclave that touches the border of the area around it at one point is a ring of its own, and a loop in the ring of that
 * area. topojson-server takes them for two arcs; here both refer to the loop.
 */
function withJoinedLoops(geometries: readonly Geometry[], arcs: readonly Position[][]): Geometry[] {
  const idOf = (index: number): string | null => {
    const arc = itemAt(arcs, arcOf(index));
    const isClosed = String(arc[0]) === String(arc.at(-1));
    return isClosed ? arc.slice(1).map(String).sort().join(' ') : null;
  };
  const loops = new Map<string, number>();
  for (const ring of geometries.flatMap(({ arcs: polygons }) => polygons.flat())) {
    if (ring.length === 1) continue;
    for (const index of ring) {
      const id = idOf(index);
      if (id !== null) loops.set(id, arcOf(index));
    }
  }
  const isClockwise = (index: number): boolean => signedArea(itemAt(arcs, arcOf(index))) < 0 === index >= 0;
  const joined = (ring: readonly number[]): number[] => {
    const [only, ...others] = ring;
    const loop = only === undefined || others.length > 0 ? undefined : loops.get(idOf(only) ?? '');
    if (only === undefined || loop === undefined) return [...ring];
    return [isClockwise(loop) === isClockwise(only) ? loop : ~loop];
  };
  return geometries.map((geometry) => ({ ...geometry, arcs: geometry.arcs.map((polygon) => polygon.map(joined)) }));
}
