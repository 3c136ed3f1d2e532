import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import type { CheckedFileWriter } from './checked-file.ts';
import { addList, distanceBytes, NEXT_RUN, writeDistance } from './lists.ts';
import { startsOf } from './starts.ts';
import { type Bits, bitWords, noBits } from './unit-set.ts';
import type { Dictionary } from './write-words.ts';

/** Pairs of text and unit that are sorted at once: 64 MB with what is made of them. */
const PAIRS_AT_ONCE = 1 << 22;

/** A run of places for each word, one after the other in the file of runs. */
interface Runs {
  /** Place in the file. */
  readonly at: number;
  readonly starts: Uint32Array;
}

/**
 * Turns texts with their units into lists of units by word. A portion of the pairs of text and unit is sorted by unit; each
 * unit is then appended to the runs of its words, which are thus in order. The runs of a portion wait in a file, so that the
 * memory depends on the portion alone, and four bytes for each unit.
 * @param path of the file for runs
 */
export function listWriter(path: string, units: number, words: Dictionary, pairsAtOnce = PAIRS_AT_ONCE) {
  const file = openSync(path, 'w+');
  const portions: Runs[] = [];
  const pairTexts = new Uint32Array(pairsAtOnce);
  const pairUnits = new Uint32Array(pairsAtOnce);
  let pairs = 0;
  let written = 0;
  /** The words of the texts of this portion. */
  let texts: (readonly number[])[] = [];

  const endPortion = (): void => {
    const { bytes, starts } = runsOf(sortedByUnit(pairTexts, pairUnits, pairs, units), texts, words.count());
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    portions.push({ at: written, starts });
    written += bytes.length;
    pairs = 0;
    texts = texts.slice(-1);
  };

  return {
    beginText(text: string): void {
      texts.push(words.of(text));
    },
    addUnit(place: number): void {
      if (pairs === pairsAtOnce) endPortion();
      pairTexts[pairs] = texts.length - 1;
      pairUnits[pairs++] = place;
    },
    write(target: CheckedFileWriter): void {
      if (pairs > 0) endPortion();
      const readers = portions.map((portion) => runReader(file, portion));
      const starts = new Float64Array(words.count() + 1);
      const setBytes = 4 * bitWords(units);
      let end = 0;
      target.begin('lists.bytes');
      for (let word = 0; word < words.count(); word++) {
        const list = joined(readers.map((runOf) => runOf(word)).filter((run) => run.length > 0));
        // No list is longer than a set, which needs no decoding.
        const kept = list.length < setBytes ? list : setOf(list, units);
        target.write(kept);
        end += kept.byteLength;
        starts[word + 1] = end;
      }
      target.begin('lists.starts');
      target.write(starts);
    },
    close(): void {
      closeSync(file);
      rmSync(path);
    },
  };
}

/** The texts of all pairs in the order of units, and where the texts of each unit end. */
interface TextsOfUnits {
  readonly texts: Uint32Array;
  readonly ends: Uint32Array;
}

function sortedByUnit(pairTexts: Uint32Array, pairUnits: Uint32Array, pairs: number, units: number): TextsOfUnits {
  const ends = new Uint32Array(units + 1);
  for (let pair = 0; pair < pairs; pair++) {
    const following = (pairUnits[pair] ?? 0) + 1;
    ends[following] = (ends[following] ?? 0) + 1;
  }
  for (let unit = 1; unit <= units; unit++) ends[unit] = (ends[unit] ?? 0) + (ends[unit - 1] ?? 0);
  const texts = new Uint32Array(pairs);
  // Each unit's beginning moves to its end.
  for (let pair = 0; pair < pairs; pair++) {
    const unit = pairUnits[pair] ?? 0;
    const at = ends[unit] ?? 0;
    texts[at] = pairTexts[pair] ?? 0;
    ends[unit] = at + 1;
  }
  return { texts, ends };
}

/** Makes the runs of all words, first their lengths and then their bytes. */
function runsOf(sorted: TextsOfUnits, texts: readonly (readonly number[])[], words: number) {
  const lengths = new Uint32Array(words);
  eachPlace(sorted, texts, words, (word, distance) => {
    lengths[word] = (lengths[word] ?? 0) + distanceBytes(distance);
  });
  const starts = startsOf(lengths);
  const bytes = new Uint8Array(starts[words] ?? 0);
  const next = starts.slice();
  eachPlace(sorted, texts, words, (word, distance) => {
    next[word] = writeDistance(bytes, next[word] ?? 0, distance);
  });
  return { bytes, starts };
}

/** Calls `take` with the distance of each unit from the one before it among those that have a word. */
function eachPlace(
  { texts, ends }: TextsOfUnits,
  words: readonly (readonly number[])[],
  count: number,
  take: (word: number, distance: number) => void,
): void {
  const last = new Int32Array(count).fill(-1);
  for (let unit = 0, at = 0; at < texts.length; unit++) {
    const end = ends[unit] ?? 0;
    for (; at < end; at++) {
      for (const word of words[texts[at] ?? 0] ?? []) {
        const before = last[word] ?? -1;
        // Several texts of a unit may have the word.
        if (before === unit) continue;
        take(word, unit - before);
        last[word] = unit;
      }
    }
  }
}

const BYTES_AT_ONCE = 1 << 20;

/** Returns a function that reads the run of a word; words are asked for in their order. */
function runReader(file: number, { at, starts }: Runs): (word: number) => Uint8Array {
  let window = new Uint8Array(0);
  let windowAt = 0;
  const end = starts.at(-1) ?? 0;
  return (word) => {
    // A word that came after this portion has no run in it.
    const [from = end, to = end] = [starts[word], starts[word + 1]];
    if (to > windowAt + window.length) {
      window = new Uint8Array(Math.min(Math.max(BYTES_AT_ONCE, to - from), end - from));
      windowAt = from;
      for (let done = 0; done < window.length; ) {
        done += readSync(file, window, done, window.length - done, at + windowAt + done);
      }
    }
    return window.subarray(from - windowAt, to - windowAt);
  };
}

/** Puts runs into one list. */
function joined(runs: readonly Uint8Array[]): Uint8Array {
  const [only, ...others] = runs;
  if (only === undefined) return new Uint8Array(0);
  return others.length === 0 ? only : Buffer.concat([only, ...others.flatMap((run) => [NEXT_RUN, run])]);
}

function setOf(list: Uint8Array, units: number): Bits {
  const bits = noBits(units);
  addList(bits, list);
  return bits;
}
