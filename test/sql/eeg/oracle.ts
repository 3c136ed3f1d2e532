import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** The rates a second time: each band is added up in a loop, in watts and hundredths of a cent. */

export interface Rate {
  readonly line: number;
  readonly from: string;
  readonly to: string;
  readonly series: string;
  readonly lower: number;
  readonly upper: number;
  readonly tariff: number | null;
  readonly value: number | null;
  readonly exact: boolean;
}

const hundredths = (text: string): number | null => (text === '' ? null : Math.round(Number(text) * 100));

const watts = (text: string): number => (text === '' ? Number.POSITIVE_INFINITY : Math.round(Number(text) * 1000));

const records = parse(readFileSync(new URL('../../../data/reference/eeg-rates.csv', import.meta.url)), {
  columns: true,
}) as Record<string, string>[];

export const RATES: readonly Rate[] = records.map((row, index) => ({
  line: index + 2,
  from: row.valid_from!,
  to: row.valid_to!,
  series: `${row.carrier}/${row.art}/${row.class}`,
  lower: watts(row.from_kw!),
  upper: watts(row.to_kw!),
  tariff: hundredths(row.tariff!),
  value: hundredths(row.value!),
  exact: row.exact === 'true',
}));

const bySeries = Map.groupBy(RATES, ({ series }) => series);

/** The bands of a series on a day, the lowest first. */
export const bandsOn = (series: string, day: string): readonly Rate[] =>
  (bySeries.get(series) ?? []).filter(({ from, to }) => from <= day && day <= to).sort((a, b) => a.lower - b.lower);

/**
 * The mean rate of a plant in cents, half up.
 * @returns null when a band that the plant reaches has no rate
 */
export function meanRate(bands: readonly Rate[], kw: number, column: 'tariff' | 'value', belowKw = 0): number | null {
  const [start, end] = [Math.round(belowKw * 1000), Math.round((belowKw + kw) * 1000)];
  let money = 0n;
  let reached = 0;
  for (const band of bands) {
    const rate = band[column];
    if (band.lower >= end) break;
    if (rate === null) return null;
    reached = band.upper;
    const share = Math.min(end, band.upper) - Math.max(start, band.lower);
    if (share > 0) money += BigInt(share) * BigInt(rate);
  }
  if (reached < end) return null;
  const width = BigInt(end - start);
  return Number((2n * money + width) / (2n * width)) / 100;
}
