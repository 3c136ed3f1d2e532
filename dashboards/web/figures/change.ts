import { power, share } from '../format/numbers.ts';
import type { Snapshot, TimeSeriesRow } from '../v1/answers.ts';
import { sumOf } from './months.ts';

/** Compares the days of a snapshot with the same days a year before. */
export interface Change {
  readonly nowMw: number;
  readonly beforeMw: number;
}

export type Series = 'zubau' | 'abbau' | 'netto';

export const megawattsOf = ({ zubau90Tage, abbau90Tage, netto90TageMw }: Snapshot, series: Series): number =>
  series === 'netto' ? netto90TageMw : series === 'zubau' ? zubau90Tage.mw : abbau90Tage.mw;

export const megawattsIn = (rows: readonly TimeSeriesRow[], month: string, series: Series): number => {
  const grown = series === 'abbau' ? 0 : sumOf(rows, [month], 'zubauMw');
  const gone = series === 'zubau' ? 0 : sumOf(rows, [month], 'abbauMw');
  return series === 'abbau' ? gone : grown - gone;
};

/** Above this factor, and below zero, a percentage says less than the difference. */
const LARGEST_FACTOR = 5;

/** „12 %“, or „450 MW“ where a percentage would mislead; the arrow before it has the sign. */
export function changeText({ nowMw, beforeMw }: Change): string {
  const difference = Math.abs(nowMw - beforeMw);
  return beforeMw > 0 && nowMw >= 0 && nowMw / beforeMw <= LARGEST_FACTOR
    ? share(difference / beforeMw)
    : power(difference * 1000);
}

export const changeSign = ({ nowMw, beforeMw }: Change): '▲' | '▼' => (nowMw > beforeMw ? '▲' : '▼');
