/** The number of registered units of a carrier over time, and the commissioning days of the existing stock. */

import { entryOf, itemAt } from '../../../runtime/present.ts';
import { roll } from './random.ts';
import { date } from './text.ts';

type Knot = readonly [day: number, registered: number];

/** Millions of registered units by day (register statistics, rounded). The register opened on 31 January 2019. */
const SOLAR: readonly Knot[] = [
  [date(2019, 1, 31), 0],
  [date(2020), 0.55],
  [date(2021, 2), 1.95],
  [date(2022), 2.25],
  [date(2023), 2.75],
  [date(2024), 3.85],
  [date(2025), 4.9],
  [date(2026), 5.85],
  [date(2026, 11), 6.6],
];
const STORAGE: readonly Knot[] = [
  [date(2019, 1, 31), 0],
  [date(2020), 0.08],
  [date(2021, 2), 0.27],
  [date(2022), 0.42],
  [date(2023), 0.68],
  [date(2024), 1.2],
  [date(2025), 1.75],
  [date(2026), 2.36],
  [date(2026, 11), 2.86],
];
/** All others: the existing stock had to be registered by January 2021, little has come since. */
const STOCK: readonly Knot[] = [
  [date(2019, 1, 31), 0],
  [date(2020), 0.3],
  [date(2021, 2), 0.78],
  [date(2024), 0.9],
  [date(2026, 11), 1],
];

/** Number of the registered units of one carrier over time; strictly growing, linear between the knots and after them. */
export class Growth {
  readonly #days: number[];
  readonly #counts: number[];

  /** `units` = registered units on `day`. */
  constructor(shape: 'solar' | 'storage' | 'stock', units: number, day: number) {
    const knots = shape === 'solar' ? SOLAR : shape === 'storage' ? STORAGE : STOCK;
    this.#days = knots.map(([at]) => at);
    this.#counts = knots.map(([, count]) => count);
    const scale = units / this.at(day);
    this.#counts = this.#counts.map((count) => count * scale);
  }

  /** Registered units by the day (not whole). */
  at(day: number): number {
    return interpolate(this.#days, this.#counts, day);
  }

  /** Day (not whole) by which so many units are registered. */
  dayOf(count: number): number {
    return interpolate(this.#counts, this.#days, count);
  }

  /** First whole day on which the unit with this index is registered. */
  registration(index: number): number {
    return Math.ceil(this.dayOf(index + 1) - 1e-7);
  }

  /** Units registered on or before the day. */
  count(day: number): number {
    let count = Math.floor(this.at(day) + 1e-7);
    while (this.registration(count) <= day) count++;
    while (count > 0 && this.registration(count - 1) > day) count--;
    return count;
  }
}

function interpolate(from: readonly number[], to: readonly number[], value: number): number {
  let i = from.length - 2;
  while (i > 0 && value < itemAt(from, i)) i--;
  const x = itemAt(from, i);
  const y = itemAt(to, i);
  return y + ((value - x) * (itemAt(to, i + 1) - y)) / (itemAt(from, i + 1) - x);
}

/** Relative number of commissionings by year, first year and then year by year up to 2020. */
const PAST = new Map<string, { first: number; weights: readonly number[] }>(
  Object.entries({
    solar: { first: 2000, weights: [1, 2, 2, 3, 8, 10, 9, 11, 16, 25, 33, 32, 26, 16, 11, 8, 9, 11, 13, 17, 25] },
    storage: { first: 2013, weights: [1, 2, 4, 6, 9, 12, 18, 26] },
    wind: {
      first: 1990,
      weights: [
        1, 2, 2, 3, 5, 8, 6, 6, 8, 14, 14, 20, 22, 17, 12, 10, 12, 9, 9, 9, 8, 9, 10, 11, 18, 14, 16, 18, 8, 3, 4,
      ],
    },
    biomass: { first: 2000, weights: [2, 3, 4, 4, 6, 9, 12, 9, 5, 10, 14, 18, 8, 6, 8, 4, 4, 4, 4, 4, 3] },
    hydro: { first: 1900, weights: Array.from({ length: 121 }, (_, i) => (i > 80 ? 3 : 1)) },
    combustion: { first: 1975, weights: Array.from({ length: 46 }, (_, i) => (i < 15 ? 1 : i < 25 ? 3 : 8)) },
  }),
);

/** Commissioning day of a unit of the existing stock that was registered on `registered`; uses two draws. */
export function pastCommissioning(profile: string, base: number, draw: number, registered: number): number {
  const { first, weights } = entryOf(PAST, profile);
  let total = 0;
  for (const weight of weights) total += weight;
  let rest = roll(base, draw) * total;
  let year = 0;
  while (year < weights.length - 1 && rest >= itemAt(weights, year)) rest -= itemAt(weights, year++);
  const share = roll(base, draw + 1);
  // Support rates fell at mid-year and year's end, so many plants started just before.
  const inYear = share < 0.04 ? 180 : share < 0.09 ? 364 : Math.floor(((share - 0.09) / 0.91) * 364);
  return Math.min(date(first + year) + inYear, registered - 1);
}
