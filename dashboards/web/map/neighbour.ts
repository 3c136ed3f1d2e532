import type { Point } from './projection.ts';

/** Arrow keys lead from one place to the next one in their direction. */

const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export const isArrow = (key: string): boolean => key in DIRECTIONS;

/** The nearest item in the direction of a key; one aside counts as farther away. null = there is none */
export function neighbour<T>(key: string, from: Point, items: Iterable<T>, placeOf: (item: T) => Point): T | null {
  const [east, south] = DIRECTIONS[key] ?? [0, 0];
  let best: { readonly item: T; readonly distance: number } | null = null;
  for (const item of items) {
    const [x, y] = placeOf(item);
    const [dx, dy] = [x - from[0], y - from[1]];
    const ahead = dx * east + dy * south;
    const aside = Math.abs(dx * south) + Math.abs(dy * east);
    if (ahead <= 0 || aside > 2 * ahead) continue;
    const distance = ahead + 2 * aside;
    if (best === null || distance < best.distance) best = { item, distance };
  }
  return best?.item ?? null;
}
