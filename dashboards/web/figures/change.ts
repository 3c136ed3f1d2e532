import { PERCENT, power, share, signed } from '../format/numbers.ts';
import type { TimeSeriesRow } from '../v1/answers.ts';
import { type Comparison, sumOf } from './months.ts';

/** Compares three months with the same months a year before, from the months of the time series. */
export interface Change {
  readonly nowMw: number;
  readonly beforeMw: number;
}

export type Series = 'zubau' | 'abbau' | 'netto';

export function changeOf(rows: readonly TimeSeriesRow[], { now, before }: Comparison, series: Series): Change {
  const over = (months: readonly string[]): number => {
    const grown = series === 'abbau' ? 0 : sumOf(rows, months, 'zubauMw');
    const gone = series === 'zubau' ? 0 : sumOf(rows, months, 'abbauMw');
    return series === 'abbau' ? gone : grown - gone;
  };
  return { nowMw: over(now), beforeMw: over(before) };
}

/** Above this factor, and below zero, a percentage says less than the difference. */
const LARGEST_FACTOR = 5;

/** „+12 %“, or „+450 MW“ where a percentage would mislead. */
export function changeText({ nowMw, beforeMw }: Change): string {
  const difference = nowMw - beforeMw;
  if (beforeMw > 0 && nowMw >= 0 && nowMw / beforeMw <= LARGEST_FACTOR) {
    const relative = difference / beforeMw;
    return relative > 0 ? `+${share(relative)}` : relative < 0 ? share(relative) : `${signed(0)}${PERCENT}`;
  }
  const text = power(difference * 1000);
  return difference > 0 ? `+${text}` : text;
}

export const changeSign = ({ nowMw, beforeMw }: Change): '▲' | '▼' => (nowMw > beforeMw ? '▲' : '▼');
