import { itemAt } from '../../../runtime/present.ts';
import type { CheckedFileWriter } from '../checked-file.ts';
import type { EarlierLists } from './earlier.ts';
import { MOST_DISTANCE_BYTES, writeDistance } from './lists.ts';
import { addBit, noBits } from './unit-set.ts';
import type { Dictionary } from './write-words.ts';

/** What has become of the units of an earlier search index. */
export interface UnitsSince {
  readonly earlier: EarlierLists;
  /** By their place then, the place of units now; GONE for those whose texts are added anew, or that are no longer there. */
  readonly places: Uint32Array;
  /** The words that such units had: no unit may have them any more. */
  readonly lost: ReadonlySet<string>;
}

export const GONE = 0xffffffff;

/** Writes the lists of units by word from those of an earlier index and the texts of the units that are added, as write-lists.ts does from all. */
export function mergedLists({ earlier, places, lost }: UnitsSince, units: number, words: Dictionary) {
  const added = new Map<number, number[]>();
  const known = new Map<string, number>();
  let text: readonly number[] = [];
  /** The places of a word, of which there may be as many as units. */
  const list = new Uint32Array(units + 1);

  /** Puts the units that still have a word into the list. @returns their number */
  const take = (word: number): number => {
    let count = 0;
    let isAscending = true;
    earlier.eachPlace(word, (place) => {
      const now = places[place] ?? GONE;
      if (now === GONE) return;
      if (count > 0 && now <= (list[count - 1] ?? 0)) isAscending = false;
      // Runs may have units in common, so a list can be longer than all units: it is put in order in between.
      if (count === list.length) count = inOrder(list, count);
      list[count++] = now;
    });
    return isAscending ? count : inOrder(list, count);
  };
  for (const [word, one] of earlier.words.entries()) {
    if (!earlier.isUsed(word) || (lost.has(one) && take(word) === 0)) continue;
    known.set(one, word);
    words.of(one);
  }

  return {
    beginText(next: string): void {
      text = words.of(next);
    },
    addUnit(place: number): void {
      for (const word of text) {
        const own = added.get(word);
        if (own === undefined) added.set(word, [place]);
        else own.push(place);
      }
    },
    write(target: CheckedFileWriter): void {
      const starts = new Float64Array(words.count() + 1);
      const setBytes = noBits(units).byteLength;
      // No list is longer than a set, which needs no decoding.
      const bytes = new Uint8Array(setBytes + MOST_DISTANCE_BYTES);
      let end = 0;
      target.begin('lists.bytes');
      for (const [number, word] of [...words.all()].entries()) {
        const before = known.get(word);
        const count = mergeInto(list, before === undefined ? 0 : take(before), added.get(number) ?? []);
        const kept = encoded(list.subarray(0, count), bytes, setBytes) ?? setOf(list.subarray(0, count), units);
        target.write(kept);
        end += kept.byteLength;
        starts[number + 1] = end;
      }
      target.begin('lists.starts');
      target.write(starts);
    },
    close: (): void => earlier.close(),
  };
}

/** Sorts the first places of a list, each once. @returns their number */
function inOrder(list: Uint32Array, count: number): number {
  const sorted = list.subarray(0, count).sort();
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const place = sorted[index] ?? 0;
    if (kept === 0 || place !== sorted[kept - 1]) sorted[kept++] = place;
  }
  return kept;
}

/** Merges places that the list does not have into its first ones. @returns their number */
function mergeInto(list: Uint32Array, count: number, others: readonly number[]): number {
  if (others.length === 0) return count;
  const added = [...new Set(others)].sort((one, other) => one - other);
  let [from, next, to] = [count - 1, added.length - 1, count + added.length - 1];
  // From the end, so that no place is overwritten before it was moved.
  while (next >= 0) {
    const place = itemAt(added, next);
    if (from >= 0 && (list[from] ?? 0) > place) list[to--] = list[from--] ?? 0;
    else {
      list[to--] = place;
      next--;
    }
  }
  return count + added.length;
}

/** Writes ascending places as a run. @returns null where it would be no shorter than a set */
function encoded(places: Uint32Array, bytes: Uint8Array, setBytes: number): Uint8Array | null {
  let [end, last] = [0, -1];
  for (const place of places) {
    end = writeDistance(bytes, end, place - last);
    if (end >= setBytes) return null;
    last = place;
  }
  return bytes.subarray(0, end);
}

function setOf(places: Uint32Array, units: number): Uint32Array {
  const bits = noBits(units);
  for (const place of places) addBit(bits, place);
  return bits;
}
