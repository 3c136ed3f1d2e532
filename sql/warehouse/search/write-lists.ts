import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import type { CheckedFileWriter } from './checked-file.ts';
import { addList, MOST_DISTANCE_BYTES, NEXT_RUN, writeDistance } from './lists.ts';
import { growingNumbers, startsOf } from './starts.ts';
import { type Bits, bitWords, noBits } from './unit-set.ts';
import type { Dictionary } from './write-words.ts';

/** Pairs of text and unit whose runs are made at once. */
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
  /** The texts of this portion: their words, and where their units end. */
  let texts: { readonly words: readonly number[]; end: number }[] = [];

  const endPortion = (): void => {
    const textsOfWords = byWord(texts, words.count());
    const runs = runWriter(file);
    for (let word = 0; word < words.count(); word++) {
      const [from = 0, to = 0] = [textsOfWords.starts[word], textsOfWords.starts[word + 1]];
      for (let index = from; index < to; index++) {
        const text = textsOfWords.texts[index] ?? 0;
        sorter.add(unitsOfTexts.subarray(texts[text - 1]?.end ?? 0, texts[text]?.end));
      }
      sorter.take(runs.add);
      runs.end();
    }
    const starts = runs.finish();
    portions.push({ at: written, starts });
    written += starts.at(-1) ?? 0;
    pairs = 0;
    texts = texts.slice(-1).map((text) => ({ ...text, end: 0 }));
  };

  return {
    beginText(text: string): void {
      texts.push({ words: words.of(text), end: pairs });
    },
    addUnit(place: number): void {
      if (pairs === pairsAtOnce) endPortion();
      unitsOfTexts[pairs++] = place;
      const text = texts.at(-1);
      if (text !== undefined) text.end = pairs;
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

/** Lists the texts of each word; a text that has a word twice is listed twice. */
function byWord(texts: readonly { readonly words: readonly number[] }[], words: number) {
  const counts = new Uint32Array(words);
  for (const text of texts) for (const word of text.words) counts[word] = (counts[word] ?? 0) + 1;
  const starts = startsOf(counts);
  const next = starts.slice();
  const ofWords = new Uint32Array(starts[words] ?? 0);
  for (const [index, text] of texts.entries()) {
    for (const word of text.words) {
      const at = next[word] ?? 0;
      ofWords[at] = index;
      next[word] = at + 1;
    }
  }
  return { starts, texts: ofWords };
}

/** From this share of all units on, places are sorted by a bit for each unit: reading all bits then takes less than sorting. */
const SHARE_FOR_BITS = 1 / 1000;

/** Puts places into order, of which each may come more than once. */
function placeSorter(units: number) {
  const bits = noBits(units);
  let some = new Uint32Array(Math.ceil(units * SHARE_FOR_BITS));
  let added: Uint32Array[] = [];

  const takeBits = (take: (place: number) => void): void => {
    for (const places of added) {
      for (let index = 0; index < places.length; index++) {
        const place = places[index] ?? 0;
        bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31));
      }
    }
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
  const takeSorted = (take: (place: number) => void, length: number): void => {
    if (some.length < length) some = new Uint32Array(2 * length);
    let end = 0;
    for (const places of added) {
      some.set(places, end);
      end += places.length;
    }
    let last = -1;
    for (const place of some.subarray(0, length).sort()) {
      if (place !== last) take(place);
      last = place;
    }
  };

  return {
    add(places: Uint32Array): void {
      added.push(places);
    },
    /** Calls `take` with each place that was added, in order, and forgets them. */
    take(take: (place: number) => void): void {
      const length = added.reduce((sum, places) => sum + places.length, 0);
      if (length > units * SHARE_FOR_BITS) takeBits(take);
      else if (length > 0) takeSorted(take, length);
      added = [];
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
