import type { Point } from './projection.ts';
import { onScreen, type Size, type View } from './view.ts';

/** Points that would lie on top of each other are drawn as one, with their number. */

export interface Cluster<T> {
  /** Place on the screen: the middle of its points. */
  readonly at: Point;
  readonly members: readonly [T, ...T[]];
}

/** Points nearer to each other than about this are one (px). */
const CELL = 44;

/**
 * Gathers the points that are on the screen by the cells of a grid. The grid is fixed to the plane, so that clusters stay
 * what they are while the map is moved.
 */
export function clustersOf<T extends { readonly point: Point }>(
  points: readonly T[],
  view: View,
  { width, height }: Size,
): readonly Cluster<T>[] {
  const cells = new Map<string, [T, ...T[]]>();
  for (const one of points) {
    const [x, y] = onScreen(one.point, view);
    if (x < -CELL || y < -CELL || x > width + CELL || y > height + CELL) continue;
    const cell = one.point.map((value) => Math.floor((value * view.scale) / CELL)).join(' ');
    const members = cells.get(cell);
    if (members === undefined) cells.set(cell, [one]);
    else members.push(one);
  }
  return [...cells.values()].map((members) => {
    const mean = (axis: 0 | 1): number => members.reduce((sum, { point }) => sum + point[axis], 0) / members.length;
    return { at: onScreen([mean(0), mean(1)], view), members };
  });
}
