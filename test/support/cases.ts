/** CASES=10 asks every property and fuzzer for ten times its usual number of cases; time limits grow with it. */
const TIMES = Number(process.env.CASES ?? 1);

/** @param usual cases in a run of the suite */
export const cases = (usual: number): number => Math.ceil(usual * TIMES);

/**
 * Options of a property whose cases meet rules of the whole service: the suite draws the same cases each time, so that it
 * never fails by chance on something that nobody has changed. With CASES, also with CASES=1, they are drawn anew.
 */
export const sameInEveryRun: { readonly seed?: number } = process.env.CASES === undefined ? { seed: 1 } : {};
