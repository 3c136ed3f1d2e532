/** The statistics of a list of times, in milliseconds. */
export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly mean: number;
}

/** @param times milliseconds, in any order, at least one */
export function timesOf(times: readonly number[]): Times {
  const sorted = [...times].sort((a, b) => a - b);
  return {
    count: sorted.length,
    p50: percentile(sorted, 50),
    p99: percentile(sorted, 99),
    mean: sorted.reduce((sum, time) => sum + time, 0) / sorted.length,
  };
}

/** The smallest value that at least this percentage of the values does not exceed (nearest rank). */
export function percentile(sorted: readonly number[], percentage: number): number {
  const rank = Math.ceil((percentage / 100) * sorted.length);
  return sorted[Math.max(rank, 1) - 1]!;
}
