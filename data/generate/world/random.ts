import { itemAt } from '../../../runtime/present.ts';

/** Counter-based random numbers: every value is a pure function of (seed, stream, index, draw); nothing is stored. */

/** Mixes a 32-bit number so that neighbouring inputs give unrelated outputs. */
function mix(value: number): number {
  let x = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

/** Base of all draws of one object: the object is named by its stream (kind of object) and its index. */
export function baseOf(seed: number, stream: number, index: number): number {
  return mix(mix(mix(seed | 0) + Math.imul(stream, 0x9e3779b1)) + Math.imul(index | 0, 0x85ebca6b));
}

/** 32-bit integer of a draw. */
export function bits(base: number, draw: number): number {
  return mix(base + Math.imul(draw, 0x9e3779b9));
}

/** Uniform number in [0, 1). */
export function roll(base: number, draw: number): number {
  return bits(base, draw) / 4294967296;
}

/** Normally distributed number; uses the draws `draw` and `draw + 1`. */
function normal(base: number, draw: number): number {
  const u = (bits(base, draw) + 1) / 4294967297;
  return Math.sqrt(-2 * Math.log(u)) * Math.cos(6.283185307179586 * roll(base, draw + 1));
}

/** Log-normal number with the given median; `spread` is the deviation of the natural logarithm. Uses two draws. */
export function logNormal(base: number, draw: number, median: number, spread: number): number {
  return median * Math.exp(spread * normal(base, draw));
}

/** Exponentially distributed number with the given mean. */
export function exponential(base: number, draw: number, mean: number): number {
  return -mean * Math.log((bits(base, draw) + 1) / 4294967297);
}

/** One element of a list, all equally likely. */
export function pick<T>(base: number, draw: number, list: readonly T[]): T {
  return itemAt(list, Math.floor(roll(base, draw) * list.length));
}

/** Index into a list of weights. */
export function weighted(base: number, draw: number, weights: readonly number[]): number {
  let total = 0;
  for (const weight of weights) total += weight;
  let rest = roll(base, draw) * total;
  for (let i = 0; i < weights.length; i++) {
    rest -= itemAt(weights, i);
    if (rest < 0) return i;
  }
  return weights.length - 1;
}
