import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import type { CheckedFileWriter } from '../checked-file.ts';
import { addList, MOST_DISTANCE_BYTES, NEXT_RUN, writeDistance } from './lists.ts';
import { growingNumbers, startsOf } from './starts.ts';
import { type Bits, bitWords, noBits } from './unit-set.ts';
import type { Dictionary } from './write-words.ts';

/** Pairs of text and unit, or words of texts, whose runs are made at once. */
const PAIRS_AT_ONCE = 1 << 22;

/** A run of places for each word, one after the other in the file of runs. */
interface Portion {
  /** Place in the file. */
  readonly at: number;
  readonly starts: Float64Array;
}

/**
 * Turns texts with their units into lists of units by word, a portion of the texts at a time: each word gets a run of the
 * units of its texts. Runs wait in a file, so that memory depends on the portion alone, but for one bit of each unit.
 * @param path of the file for runs
 */
export function listWriter(path: string, units: number, words: Dictionary, pairsAtOnce = PAIRS_AT_ONCE) {
  const file = openSync(path, 'w+');
  const portions: Portion[] = [];
  const unitsOfTexts = new Uint32Array(pairsAtOnce);
  const sorter = placeSorter(units);
  let pairs = 0;
  let written = 0;
  let isClosed = false;
  // The texts of this portion: the words of all, one text after the other, and where words and units of each begin.
  const wordsOfTexts = growingNumbers();
  const wordStarts = growingNumbers();
  const unitStarts = growingNumbers();

  const endPortion = (): void => {
    wordStarts.push(wordsOfTexts.length());
    unitStarts.push(pairs);
    const unitsBegin = unitStarts.all();
    const textsOfWords = byWord(wordsOfTexts.all(), wordStarts.all(), words.count());
    const runs = runWriter(file);
    for (let word = 0; word < words.count(); word++) {
      const texts = textsOfWords.texts.subarray(textsOfWords.starts[word], textsOfWords.starts[word + 1]);
      let length = 0;
      for (const text of texts) length += (unitsBegin[text + 1] ?? 0) - (unitsBegin[text] ?? 0);
      sorter.begin(length);
      for (const text of texts) sorter.add(unitsOfTexts, unitsBegin[text] ?? 0, unitsBegin[text + 1] ?? 0);
      sorter.take(runs.add);
      runs.end();
    }
    const starts = runs.finish();
    portions.push({ at: written, starts });
    written += starts.at(-1) ?? 0;
    keepLastText();
  };
  /** Begins a portion with the text begun last, which may have more units. */
  const keepLastText = (): void => {
    const [from = 0, to = 0] = wordStarts.all().slice(-2);
    wordsOfTexts.keepLast(to - from);
    for (const starts of [wordStarts, unitStarts]) {
      starts.keepLast(0);
      starts.push(0);
    }
    pairs = 0;
  };

  return {
    beginText(text: string): void {
      if (wordsOfTexts.length() >= pairsAtOnce) endPortion();
      wordStarts.push(wordsOfTexts.length());
      unitStarts.push(pairs);
      for (const word of words.of(text)) wordsOfTexts.push(word);
    },
    addUnit(place: number): void {
      if (pairs === pairsAtOnce) endPortion();
      unitsOfTexts[pairs++] = place;
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
    /** Removes the file of runs. */
    close(): void {
      if (isClosed) return;
      isClosed = true;
      closeSync(file);
      rmSync(path);
    },
  };
}

/**
 * Lists the texts of each word; a text that has a word twice is listed twice.
 * @param starts where the words of each text begin, and where those of the last one end
 */
function byWord(wordsOfTexts: Uint32Array, starts: Uint32Array, words: number) {
  const counts = new Uint32Array(words);
  for (const word of wordsOfTexts) counts[word] = (counts[word] ?? 0) + 1;
  const startsOfWords = startsOf(counts);
  const next = startsOfWords.slice();
  const texts = new Uint32Array(wordsOfTexts.length);
  for (let text = 0; text + 1 < starts.length; text++) {
    for (let index = starts[text] ?? 0; index < (starts[text + 1] ?? 0); index++) {
      const word = wordsOfTexts[index] ?? 0;
      const at = next[word] ?? 0;
      texts[at] = text;
      next[word] = at + 1;
    }
  }
  return { starts: startsOfWords, texts };
}

/** From this share of all units on, places are sorted by a bit for each unit: reading all bits then takes less than sorting. */
const SHARE_FOR_BITS = 1 / 1000;

/** Puts places into order, of which each may come more than once. */
function placeSorter(units: number) {
  const bits = noBits(units);
  const some = new Uint32Array(Math.ceil(units * SHARE_FOR_BITS));
  let byBits = false;
  let added = 0;

  const takeBits = (take: (place: number) => void): void => {
    for (let index = 0; index < bits.length; index++) {
      let word = bits[index] ?? 0;
      if (word === 0) continue;
      bits[index] = 0;
      while (word !== 0) {
        take(32 * index + 31 - Math.clz32(word & -word));
        word &= word - 1;
      }
    }
  };
  const takeSorted = (take: (place: number) => void): void => {
    let last = -1;
    for (const place of some.subarray(0, added).sort()) {
      if (place !== last) take(place);
      last = place;
    }
  };

  return {
    /** Begins with none. @param length how many will be added */
    begin(length: number): void {
      byBits = length > some.length;
      added = 0;
    },
    /** Adds the places of a range. */
    add(places: Uint32Array, from: number, to: number): void {
      for (let index = from; index < to; index++) {
        const place = places[index] ?? 0;
        if (byBits) bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31));
        else some[added++] = place;
      }
    },
    /** Calls `take` with each place that was added, in order. */
    take(take: (place: number) => void): void {
      if (byBits) takeBits(take);
      else takeSorted(take);
    },
  };
}

const BYTES_AT_ONCE = 1 << 20;

/** Writes runs to a file, one after the other. */
function runWriter(file: number) {
  const bytes = new Uint8Array(BYTES_AT_ONCE);
  const lengths = growingNumbers();
  let filled = 0;
  let length = 0;
  let last = -1;
  const flush = (): void => {
    for (let done = 0; done < filled; ) done += writeSync(file, bytes, done, filled - done);
    filled = 0;
  };
  return {
    add(place: number): void {
      if (filled + MOST_DISTANCE_BYTES > bytes.length) flush();
      const end = writeDistance(bytes, filled, place - last);
      length += end - filled;
      filled = end;
      last = place;
    },
    end(): void {
      lengths.push(length);
      length = 0;
      last = -1;
    },
    /** @returns where each run begins, and where the last one ends */
    finish(): Float64Array {
      flush();
      return startsOf(lengths.all(), (count) => new Float64Array(count));
    },
  };
}

/** Returns a function that reads the run of a word; words are asked for in their order. */
function runReader(file: number, { at, starts }: Portion): (word: number) => Uint8Array {
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
