/**
 * Sets of small whole numbers, one bit each: places of units in the order of their numbers, or places of names in the order
 * of their rank. Nine million units take 1.2 MB, and sets are joined and intersected 32 elements at a time.
 */
export type Bits = Uint32Array;

/** The number of 32-bit words that hold these elements. */
export const bitWords = (size: number): number => (size + 31) >>> 5;

export const noBits = (size: number): Bits => new Uint32Array(bitWords(size));

export function addBit(bits: Bits, element: number): void {
  const word = element >>> 5;
  bits[word] = (bits[word] ?? 0) | (1 << (element & 31));
}

export const hasBit = (bits: Bits, element: number): boolean =>
  (((bits[element >>> 5] ?? 0) >>> (element & 31)) & 1) === 1;

/** Removes from a set what another one does not have. */
export function keepCommon(bits: Bits, other: Bits): void {
  for (let index = 0; index < bits.length; index++) bits[index] = (bits[index] ?? 0) & (other[index] ?? 0);
}

/** Adds what another set has. */
export function addAll(bits: Bits, other: Bits): void {
  for (let index = 0; index < bits.length; index++) bits[index] = (bits[index] ?? 0) | (other[index] ?? 0);
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let index = 0; index < bits.length; index++) {
    let word = bits[index] ?? 0;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** Returns the first elements from a place on, in ascending order. */
export function firstBits(bits: Bits, from: number, most: number): number[] {
  const elements: number[] = [];
  for (const element of bitsBetween(bits, from, 32 * bits.length)) {
    if (elements.length === most) break;
    elements.push(element);
  }
  return elements;
}

/** The elements from one place up to another, not including it, in ascending order. */
export function* bitsBetween(bits: Bits, from: number, to: number): Generator<number> {
  for (let index = from >>> 5; index < bitWords(to); index++) {
    let word = bits[index] ?? 0;
    if (index === from >>> 5) word &= -1 << (from & 31);
    while (word !== 0) {
      const element = index * 32 + 31 - Math.clz32(word & -word);
      if (element >= to) return;
      yield element;
      word &= word - 1;
    }
  }
}

/** Returns what the first set has and the second does not. */
export const without = (bits: Bits, other: Bits): Bits => bits.map((word, index) => word & ~(other[index] ?? 0));
