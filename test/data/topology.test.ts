import type { Position } from 'geojson';
import { feature, mergeArcs, neighbors } from 'topojson-client';
import type { GeometryCollection } from 'topojson-specification';
import { describe, expect, it } from 'vitest';
import { polygonArea } from '../../data/boundaries/area.ts';
import { simplified } from '../../data/boundaries/simplify.ts';
import type { Area } from '../../data/boundaries/source.ts';
import { exactTopology, geometriesOf } from '../../data/boundaries/topology.ts';

/** How borders become common lines, and how they lose points, on areas that are small enough to be read. */

/** A square with a point in the middle of each side, which a straight side does not need. */
function square(x: number, y: number, side: number): Position[] {
  const [half, all] = [side / 2, side];
  const corners: Position[] = [
    [0, 0],
    [half, 0],
    [all, 0],
    [all, half],
    [all, all],
    [half, all],
    [0, all],
    [0, half],
    [0, 0],
  ];
  return corners.map(([dx = 0, dy = 0]) => [x + dx, y + dy]);
}

const area = (key: string, ...polygons: Position[][][]): Area => ({ key, name: key, polygons });
const DETAIL = { leastTriangleKm2: 1, leastIslandKm2: 5, grid: 100_000 };

const featuresOf = (areas: readonly Area[]) => {
  const topology = simplified(areas, DETAIL);
  const { features } = feature(topology, topology.objects.areas as GeometryCollection);
  return new Map(
    features.map(({ id, geometry }) => [id, geometry.type === 'MultiPolygon' ? geometry.coordinates : []]),
  );
};

describe('borders', () => {
  it('are one line for both neighbours, also where a point was written in two ways', () => {
    const east = square(10.3, 50, 0.3).map(([x = 0, y = 0]) => [x + 1e-8, y]);
    const topology = exactTopology([
      area('west', [square(10, 50, 0.3)]),
      area('east', [east]),
      area('far', [square(13, 51, 1)]),
    ]);
    expect(neighbors(geometriesOf(topology, 'areas'))).toEqual([[1], [0], []]);
  });

  it('vanish between areas that are merged, around an exclave that touches the border at one point, too', () => {
    // The notch in the ring of `around` begins and ends at the same corner, and a part of `beside` fills it.
    const notch: Position[] = [
      [11, 51],
      [10.6, 50.9],
      [10.9, 50.6],
      [11, 51],
    ];
    const around: Position[] = [[10, 50], [10, 50.5], [10, 51], ...notch, [11, 50], [10, 50]];
    const topology = exactTopology([area('beside', [square(9, 50, 1)], [notch]), area('around', [around])]);
    const merged = feature(topology, mergeArcs(topology, geometriesOf(topology, 'areas'))).geometry;
    expect(merged.type === 'MultiPolygon' && merged.coordinates.map((rings) => rings.length)).toEqual([1]);
  });
});

describe('thinning', () => {
  it('leaves out points that change little, and keeps corners', () => {
    const [[ring = []] = []] = featuresOf([area('a', [square(10, 50, 0.2)])]).get('a') ?? [];
    expect(ring).toHaveLength(5);
  });

  it('keeps an area that is smaller than the tolerance, with its shape', () => {
    const small = square(12, 50, 0.01);
    const shown = featuresOf([area('a', [square(10, 50, 1)]), area('b', [small])]).get('b') ?? [];
    expect(polygonArea(shown[0] ?? [])).toBeCloseTo(polygonArea([small]), 1);
  });

  it('leaves out small islands beside a larger part, but not exclaves between neighbours', () => {
    const island = square(13, 50, 0.02);
    const exclave = square(10.4, 50.4, 0.02);
    const shown = featuresOf([
      area('a', [square(12, 50, 0.5)], [island], [exclave]),
      area('b', [square(10, 50, 1), exclave]),
    ]);
    const westOf = (rings: Position[][]): number => Math.min(...rings.flat().map(([x = 0]) => x));
    expect(shown.get('a')?.map(westOf)).toEqual([expect.closeTo(12, 3), expect.closeTo(10.4, 3)]);
    expect(shown.get('b')?.map((rings) => rings.length)).toEqual([2]);
  });

  it('closes gaps between borders that the source drew twice', () => {
    const gap = square(10.5, 50.5, 0.001);
    expect(featuresOf([area('a', [square(10, 50, 1), gap])]).get('a')?.[0]).toHaveLength(1);
  });
});
