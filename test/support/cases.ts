/** CASES=10 asks every property and fuzzer for ten times its usual number of cases; time limits grow with it. */
const TIMES = Number(process.env.CASES ?? 1);

/** @param usual cases in a run of the suite */
export const cases = (usual: number): number => Math.ceil(usual * TIMES);
