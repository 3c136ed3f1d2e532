/** A judgement about two versions of the code from their runs. */

export type Unit = 's' | 'CPU-s' | 'MB' | 'ms';

/** One measure of both versions: less is better. */
export interface Series {
  readonly name: string;
  readonly unit: Unit;
  /** One value of each run. */
  readonly against: readonly number[];
  readonly ours: readonly number[];
}

export interface Judged {
  readonly name: string;
  readonly unit: Unit;
  /** Medians; null where there was no run. */
  readonly against: number | null;
  readonly ours: number | null;
  readonly ratio: number | null;
  readonly verdict: 'worse' | 'better' | 'alike';
}

/** By how much medians differ that are alike, at least: time on the clock depends on what else the machine does. */
const NOISE: Readonly<Record<Unit, number>> = { s: 0.15, ms: 0.15, 'CPU-s': 0.1, MB: 0.1 };

/**
 * Compares the medians. They count as different when they differ by more than noise, and every run of the one is beyond
 * every run of the other.
 */
export function judged({ name, unit, against, ours }: Series): Judged {
  if (against.length === 0 || ours.length === 0) {
    return { name, unit, against: median(against), ours: median(ours), ratio: null, verdict: 'alike' };
  }
  const [theirs, own] = [median(against) ?? 0, median(ours) ?? 0];
  const beyond = (more: readonly number[], less: readonly number[]) => Math.min(...more) > Math.max(...less);
  const noise = 1 + NOISE[unit];
  const isWorse = own > theirs * noise && beyond(ours, against);
  const isBetter = theirs > own * noise && beyond(against, ours);
  const ratio = theirs === 0 ? null : own / theirs;
  return { name, unit, against: theirs, ours: own, ratio, verdict: isWorse ? 'worse' : isBetter ? 'better' : 'alike' };
}

/** The middle value, or the mean of both in the middle; null of nothing. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
