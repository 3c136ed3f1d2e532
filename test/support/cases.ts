import { createHash } from 'node:crypto';

/** CASES=10 asks every property and fuzzer for ten times its usual number of cases; time limits grow with it. */
const TIMES = Number(process.env.CASES ?? 1);

/** @param usual cases in a run of the suite */
export const cases = (usual: number): number => Math.ceil(usual * TIMES);

/**
 * Options of a property whose cases meet rules of the whole service: the suite draws the same cases each time, so that it
 * never fails by chance on something that nobody has changed. With CASES, also with CASES=1, they are drawn anew.
 */
export const sameInEveryRun: { readonly seed?: number } = process.env.CASES === undefined ? { seed: 1 } : {};

/**
 * Draws what a run of the suite tries of a list whose items prove the same rule and each take a build or a process. Each
 * run draws anew, by the seed that it prints, so that a few runs try them all; SEED repeats a run, and from CASES=2 on a
 * run tries the whole list.
 * @param salt another for each further draw from a list of the same length
 * @returns items in the order of the list
 */
export function drawn<T>(items: readonly T[], count: number, salt = 0): T[] {
  if (TIMES > 1) return [...items];
  const rank = (index: number): string =>
    createHash('sha256').update(`${process.env.SEED}/${items.length}/${index}/${salt}`).digest('hex');
  const chosen = new Set(
    items
      .map((_, index) => index)
      .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
      .slice(0, count),
  );
  return items.filter((_, index) => chosen.has(index));
}
