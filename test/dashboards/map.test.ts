import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classesOf, classNames } from '../../dashboards/web/map/classes.ts';
import { clustersOf } from '../../dashboards/web/map/clusters.ts';
import { neighbour } from '../../dashboards/web/map/neighbour.ts';
import { type Point, pointAt } from '../../dashboards/web/map/projection.ts';
import { type Seen, seenIn, tilesOf } from '../../dashboards/web/map/seen.ts';
import { around, held, onScreen, viewOf, zoomed } from '../../dashboards/web/map/view.ts';
import { tileAt } from '../support/tiles.ts';

/** The rules of maps, without a browser. */

const values = fc.array(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 400 });

describe('classes of values', () => {
  it('have about as many areas each', () => {
    const classes = classesOf(
      Array.from({ length: 600 }, (_, index) => index + 1),
      'anzahl',
    );
    expect(classes.ends).toEqual([100, 200, 300, 400, 500]);
    expect([1, 99, 100, 599, 600].map(classes.classOf)).toEqual([0, 0, 1, 5, 5]);
  });

  it('or are the same multiple of each other', () => {
    expect(classesOf([1, 3, 50, 1e6], 'faktor').ends).toEqual([10, 100, 1000, 10_000, 100_000]);
  });

  it('are named by ends of two digits, as German readers write them', () => {
    expect(classNames(classesOf([0.001, 0.0123, 4.56, 1234.5], 'faktor'))).toEqual([
      'unter 0,01',
      '0,01 bis 0,11',
      '0,11 bis 1,1',
      '1,1 bis 12',
      '12 bis 120',
      'ab 120',
    ]);
  });

  it('are fewer where values are few or equal, and one where they are all the same', () => {
    expect(classNames(classesOf([7, 7, 7], 'anzahl'))).toEqual(['über 0']);
    expect(classesOf([], 'faktor').ends).toEqual([]);
    expect(classNames(classesOf([1, 100], 'anzahl')).length).toBeLessThanOrEqual(2);
  });

  it('each have a colour of their own, the highest the last, and a name', () => {
    fc.assert(
      fc.property(values, fc.constantFrom('anzahl' as const, 'faktor' as const), (list, division) => {
        const classes = classesOf(list, division);
        const colors = classNames(classes).map((_, index) => classes.colorOf(index));
        expect(new Set(colors).size).toBe(colors.length);
        expect(colors).toEqual(colors.toSorted());
        for (const value of list) expect(classes.classOf(value)).toBeLessThan(colors.length);
        expect(classes.ends).toEqual(classes.ends.toSorted((a, b) => a - b));
      }),
    );
  });
});

describe('view of a map', () => {
  const size = { width: 800, height: 600 };
  const box = { left: -300, top: -400, right: 300, bottom: 400 };
  const home = viewOf(box, size);

  it('shows the whole box in the middle', () => {
    expect(onScreen([0, 0], home)).toEqual([400, 300]);
    expect(onScreen([-300, -400], home)[1]).toBeCloseTo(12);
    expect(onScreen([300, 400], home)[1]).toBeCloseTo(588);
  });

  it('keeps the point below the pointer where it is, and does not go farther than home', () => {
    const near = zoomed(home, 4, [500, 200], home);
    const place: Point = [(500 - home.x) / home.scale, (200 - home.y) / home.scale];
    expect(onScreen(place, near)[0]).toBeCloseTo(500);
    expect(onScreen(place, near)[1]).toBeCloseTo(200);
    expect(zoomed(near, 1e-6, [0, 0], home).scale).toBe(home.scale);
    expect(zoomed(home, 1e9, [0, 0], home).scale).toBeLessThan(home.scale * 300);
  });

  it('cannot be dragged away from the map', () => {
    for (const [x, y] of [
      [9e9, 0],
      [-9e9, 9e9],
      [0, -9e9],
    ] as const) {
      const view = held({ ...zoomed(home, 3, [400, 300], home), x, y }, box, size);
      const [left, top] = onScreen([box.left, box.top], view);
      const [right, bottom] = onScreen([box.right, box.bottom], view);
      expect(left).toBeLessThan(size.width / 2);
      expect(right).toBeGreaterThan(size.width / 2);
      expect(top).toBeLessThan(size.height / 2);
      expect(bottom).toBeGreaterThan(size.height / 2);
    }
  });

  it('has a box around boxes, and none around nothing', () => {
    expect(around([box, { left: 0, top: 0, right: 500, bottom: 1 }])).toEqual({ ...box, right: 500 });
    expect(around([])).toBeNull();
  });
});

describe('plane of the maps', () => {
  it('has kilometres: Munich lies 504 km south-east of Berlin', () => {
    const [berlin, munich] = [
      pointAt({ longitude: 13.405, latitude: 52.52 }),
      pointAt({ longitude: 11.575, latitude: 48.137 }),
    ];
    expect(Math.hypot(berlin[0] - munich[0], berlin[1] - munich[1])).toBeCloseTo(504, -1);
    expect(munich[1]).toBeGreaterThan(berlin[1]);
  });
});

describe('tiles of what is seen', () => {
  const size = { width: 900, height: 640 };
  const degrees = fc.record({
    longitude: fc.double({ min: 7, max: 14, noNaN: true }),
    latitude: fc.double({ min: 48, max: 54, noNaN: true }),
  });

  it('cover every place that is seen, few of them, finer the nearer it is', () => {
    fc.assert(
      fc.property(degrees, fc.double({ min: 0.6, max: 400, noNaN: true }), (place, scale) => {
        const [x, y] = pointAt(place);
        const seen = seenIn({ scale, x: 300 - x * scale, y: 200 - y * scale }, size);
        const tiles = tilesOf(seen);
        const [z = 0] = tiles.map((tile) => tile.z);
        const [, column, row] = tileAt(z, place.longitude, place.latitude);
        expect(tiles).toContainEqual({ z, x: column, y: row });
        expect(tiles.length).toBeLessThanOrEqual(12);
        expect(2 ** z * 512).toBeGreaterThan(25_000 * Math.min(scale, 150) * 0.3);
      }),
    );
  });

  it('are few even of the whole world', () => {
    const world: Seen = { west: -180, south: -85, east: 180, north: 85, scale: 1000 };
    expect(tilesOf(world).length).toBeLessThanOrEqual(12);
  });
});

describe('points that would cover each other', () => {
  const size = { width: 400, height: 400 };
  const at = (...point: Point) => ({ point });

  it('are one until the view is near enough', () => {
    const points = [at(10, 10), at(11, 11), at(200, 200)];
    const far = clustersOf(points, { scale: 1, x: 0, y: 0 }, size);
    expect(far.map(({ members }) => members.length)).toEqual([2, 1]);
    expect(far[0]?.at).toEqual([10.5, 10.5]);
    expect(clustersOf(points, { scale: 60, x: -500, y: -500 }, size).map(({ members }) => members.length)).toEqual([
      1, 1,
    ]);
  });

  it('are all there, as far as they are on the screen', () => {
    const points = fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 400 })));
    fc.assert(
      fc.property(points, (list) => {
        const clusters = clustersOf(
          list.map((point) => ({ point })),
          { scale: 1, x: 0, y: 0 },
          size,
        );
        expect(clusters.reduce((sum, { members }) => sum + members.length, 0)).toBe(list.length);
      }),
    );
    expect(clustersOf([at(900, 0)], { scale: 1, x: 0, y: 0 }, size)).toEqual([]);
  });
});

describe('arrow keys', () => {
  const places: readonly Point[] = [
    [100, 0],
    [110, 5],
    [0, 100],
    [-50, -40],
  ];
  it.each([
    ['ArrowRight', [100, 0]],
    ['ArrowDown', [0, 100]],
    ['ArrowLeft', [-50, -40]],
    ['ArrowUp', [-50, -40]],
    ['Tab', null],
  ])('%s leads to the nearest place there', (key, expected) => {
    expect(neighbour(key, [0, 0], places, (place) => place)).toEqual(expected);
  });
});

describe('small maps', () => {
  it('name the source of the borders as the files of the borders do', () => {
    const source = readFileSync(new URL('../../dashboards/web/map/attribution.ts', import.meta.url), 'utf8');
    const file = readFileSync(new URL('../../data/reference/boundaries/landkreise.json', import.meta.url), 'utf8');
    const { herkunft } = JSON.parse(file) as { herkunft: { quellenvermerk: string } };
    expect(source).toContain(`'${herkunft.quellenvermerk}'`);
  });
});
