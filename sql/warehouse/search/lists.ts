import { addBit, type Bits } from './unit-set.ts';

/**
 * Lists of places as bytes. A list is one or more runs; a run has ascending places, each as its distance from the one before
 * (from -1 for the first), in groups of seven bits, the lowest first, with the highest bit set where another group follows.
 * No distance is 0, so the byte 0 stands between runs. Runs may have places in common.
 */

/** The byte between two runs. */
export const NEXT_RUN = Uint8Array.of(0);

/** Bytes of the longest distance: of 32 bits. */
export const MOST_DISTANCE_BYTES = 5;

/** Writes a distance. @returns the index after it */
export function writeDistance(bytes: Uint8Array, at: number, distance: number): number {
  let [next, rest] = [at, distance];
  while (rest >= 0x80) {
    bytes[next++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[next++] = rest;
  return next;
}

/** Adds the places of a list to a set. */
export const addList = (bits: Bits, list: Uint8Array): void => eachPlace(list, (place) => addBit(bits, place));

/** Calls `take` with each place of a list; with those of a run after those of the one before. */
export function eachPlace(list: Uint8Array, take: (place: number) => void): void {
  let place = -1;
  for (let at = 0; at < list.length; ) {
    let byte = list[at++] ?? 0;
    if (byte === 0) {
      place = -1;
      continue;
    }
    let distance = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = list[at++] ?? 0;
      distance |= (byte & 0x7f) << shift;
    }
    place += distance;
    take(place);
  }
}
