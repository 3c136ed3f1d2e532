import type { RateLine } from './rates.ts';

/** The capacity of a plant that falls into the band of a line. */
interface Band {
  readonly rate: RateLine;
  readonly kilowatts: number;
}

/** Capacities are whole watts; numbers of kilowatts carry binary fractions. */
const watts = (kilowatts: number): number => Math.round(kilowatts * 1000);

/**
 * Spreads the capacity of a plant over the bands.
 * @param before capacity of other plants, which fills the lower bands first
 */
export function bandsOf(rates: readonly RateLine[], capacity: number, before: number): Band[] {
  const [from, to] = [watts(before), watts(before) + watts(capacity)];
  return rates.flatMap((rate) => {
    const upper = rate.toKw === null ? to : Math.min(to, watts(rate.toKw));
    const share = upper - Math.max(from, watts(rate.fromKw));
    return share > 0 ? [{ rate, kilowatts: share / 1000 }] : [];
  });
}

/** The mean of the prices of bands, in ct/kWh, with its arithmetic; null when a band has no such price. */
export function meanOf(
  bands: readonly Band[],
  price: 'tariff' | 'value',
): { readonly mean: number; readonly arithmetic: string } | null {
  const parts = bands.flatMap(({ rate, kilowatts }) => {
    const cents = rate[price];
    return cents === null ? [] : [{ cents, kilowatts }];
  });
  if (parts.length === 0 || parts.length < bands.length) return null;
  const capacity = parts.reduce((sum, { kilowatts }) => sum + watts(kilowatts), 0);
  const money = parts.reduce((sum, { kilowatts, cents }) => sum + watts(kilowatts) * Math.round(cents * 100), 0);
  const mean = Math.floor((2 * money + capacity) / (2 * capacity)) / 100;
  const terms = parts.map(({ kilowatts, cents }) => `${kilowatts} × ${cents.toFixed(2)}`).join(' + ');
  const sum = parts.length === 1 ? terms : `(${terms})`;
  return { mean, arithmetic: `${sum} / ${capacity / 1000} = ${mean.toFixed(2)} ct/kWh` };
}
