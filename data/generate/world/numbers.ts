/** MaStR numbers: three letters, a 9, eleven digits. A permutation of the eleven digits makes them unique and unordered. */

import { itemAt } from '../../../runtime/present.ts';
import { baseOf } from './random.ts';
import { THREE } from './text.ts';

const SIDE = 316_228; // SIDE * SIDE is just above 10^11
const RANGE = 100_000_000_000;
const ROUNDS = 4;

/** Numbers of one prefix (SEE, EEG, ABR …). */
export class NumberSeries {
  readonly #prefix: string;
  readonly #keys: number[];

  constructor(seed: number, prefix: string) {
    this.#prefix = `${prefix}9`;
    const stream = prefix.charCodeAt(0) * 65536 + prefix.charCodeAt(1) * 256 + prefix.charCodeAt(2);
    this.#keys = Array.from({ length: ROUNDS }, (_, round) => baseOf(seed, stream, round));
  }

  /** Number of the object with this key (0 … 10^11 - 1). A Feistel network over SIDE x SIDE, repeated while outside the range. */
  of(key: number): string {
    let value = key;
    do {
      let left = Math.floor(value / SIDE);
      let right = value - left * SIDE;
      for (const roundKey of this.#keys) {
        let x = Math.imul(right + roundKey, 0x9e3779b1);
        x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
        x = (x ^ (x >>> 14)) >>> 0;
        const next = (left + (x % SIDE)) % SIDE;
        left = right;
        right = next;
      }
      value = left * SIDE + right;
    } while (value >= RANGE);
    const high = Math.floor(value / 1_000_000);
    const low = value - high * 1_000_000;
    const thousands = Math.floor(low / 1000);
    const top = Math.floor(high / 1000);
    return (
      this.#prefix +
      itemAt(THREE, top).slice(1) +
      THREE[high - top * 1000] +
      THREE[thousands] +
      THREE[low - thousands * 1000]
    );
  }
}
