import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Area, areaOf, distanceTo, isIn } from '../../../ingest/boundaries/area.ts';
import { atlasOf } from '../../../ingest/boundaries/atlas.ts';

type Point = readonly [x: number, y: number];

const ring = (...points: Point[]): Float64Array => Float64Array.from([...points, ...points.slice(0, 1)].flat());
const square = (x: number, y: number, side: number): Float64Array =>
  ring([x, y], [x, y + side], [x + side, y + side], [x + side, y]);
const area = (key: string, ...lines: Float64Array[]): Area => areaOf(key, key, lines);

/** A degree of latitude in metres; one of longitude is half of it at 60° north. */
const DEGREE = 111_320;

describe('the distance to an area', () => {
  const land = area('land', square(10, 60, 1));

  it('is 0 in it', () => expect(distanceTo(land, 10.5, 60.5)).toBe(0));

  it.each<[where: string, x: number, y: number, metres: number]>([
    ['north of it', 10.5, 61.1, 0.1 * DEGREE],
    ['west of it, where degrees of longitude are short', 9.9, 60.00001, 0.1 * DEGREE * Math.cos((60 * Math.PI) / 180)],
    ['nearest to its corner', 10, 59.9, 0.1 * DEGREE],
    ['on its border', 11, 60.5, 0],
    ['on its corner', 11, 61, 0],
  ])('is that to its border %s', (_, x, y, metres) => expect(distanceTo(land, x, y)).toBeCloseTo(metres, 0));

  it('is that to the enclave around a point, which is no part of it', () => {
    const around = area('around', square(10, 60, 1), square(10.4, 60.4, 0.2));
    expect(isIn(around, 10.2, 60.5)).toBe(true);
    expect(distanceTo(around, 10.5, 60.42)).toBeCloseTo(0.02 * DEGREE, 0);
  });

  it('is that to the nearest of its islands', () => {
    const islands = area('islands', square(10, 60, 1), square(10, 62, 1));
    expect(distanceTo(islands, 10.5, 61.9)).toBeCloseTo(0.1 * DEGREE, 0);
    expect(distanceTo(islands, 10.5, 62.5)).toBe(0);
  });
});

/** Of thousandths of a square, so that points lie on borders and beside corners often. */
const coordinate = fc.integer({ min: 1, max: 999 }).map((thousandths) => thousandths / 1000);
const position = fc.tuple(coordinate, coordinate);

describe('areas that share their borders', () => {
  it('have each point of the country in exactly one of them, that of a border too', () =>
    fc.assert(
      fc.property(fc.array(position, { minLength: 1, maxLength: 6 }), position, (bends, elsewhere) => {
        // A line from the south to the north divides a square. It may cross itself: then it makes enclaves.
        const border = Float64Array.from([[0.5, 0], ...bends, [0.5, 1]].flat());
        const west = area('west', border, Float64Array.from([0.5, 1, 0, 1, 0, 0, 0.5, 0]));
        const east = area('east', Float64Array.from([0.5, 0, 1, 0, 1, 1, 0.5, 1]), border);
        for (const [x, y] of [elsewhere, ...bends]) {
          expect([isIn(west, x, y), isIn(east, x, y)].filter(Boolean)).toHaveLength(1);
        }
      }),
    ));
});

/** The distance found by walking along the border in small steps, and by the sum of the angles under which it is seen. */
function walked({ lines }: Area, x: number, y: number): number {
  const toEast = DEGREE * Math.cos((y * Math.PI) / 180);
  const STEPS = 400;
  let least = Number.POSITIVE_INFINITY;
  let turned = 0;
  for (const line of lines) {
    for (let at = 0; at + 3 < line.length; at += 2) {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = line.subarray(at, at + 4);
      const angle = Math.atan2(y2 - y, x2 - x) - Math.atan2(y1 - y, x1 - x);
      turned += angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
      for (let step = 0; step <= STEPS; step++) {
        const [a, b] = [x1 + ((x2 - x1) * step) / STEPS, y1 + ((y2 - y1) * step) / STEPS];
        least = Math.min(least, Math.hypot((a - x) * toEast, (b - y) * DEGREE));
      }
    }
  }
  const surrounded = Math.round(turned / (2 * Math.PI));
  return surrounded % 2 === 0 ? least : 0;
}

describe('distances', () => {
  /** Rings with corners all around a centre, so that none crosses itself. */
  const star = fc
    .tuple(position, fc.array(fc.double({ min: 0.02, max: 0.1, noNaN: true }), { minLength: 3, maxLength: 9 }))
    .map(([[x, y], radii]) => {
      const angle = (index: number) => (2 * Math.PI * index) / radii.length;
      return ring(
        ...radii.map((r, index): Point => [10 + x + r * Math.cos(angle(index)), 50 + y + r * Math.sin(angle(index))]),
      );
    });
  const country = fc.array(star, { minLength: 1, maxLength: 8 });
  const anywhere = fc.tuple(
    fc.double({ min: 9.5, max: 11.5, noNaN: true }),
    fc.double({ min: 49.5, max: 51.5, noNaN: true }),
  );

  it('are those that a walk along all borders finds', () =>
    fc.assert(
      fc.property(country, anywhere, (rings, [x, y]) => {
        const areas = rings.map((one, index) => area(String(index), one));
        const found = areas.map((one) => distanceTo(one, x, y));
        for (const [index, one] of areas.entries()) {
          // Steps are 40 m apart at most.
          expect(Math.abs((found[index] ?? 0) - walked(one, x, y))).toBeLessThan(25);
        }
        expect(atlasOf(areas).toNearest(x, y)).toBe(Math.min(...found));
        expect(atlasOf(areas).at(x, y)).toBe(areas.find((one) => isIn(one, x, y)) ?? null);
      }),
    ));
});
