import type { CheckedFile } from '../checked-file.ts';
import { gramAt } from './write-words.ts';

/** The distinct words of the texts, as bytes. In memory they take as much as in the file, and four bytes each. */
export interface Words {
  readonly count: number;
  /** Returns the words that contain a text without blanks, by their numbers, each once. */
  containing(text: Uint8Array): Uint32Array;
  /** The beginnings of the words among the bytes, and the end of the last one. */
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
}

/** Bytes of a number of a word. */
const NUMBER_BYTES = 4;

/** Bytes of a gram; a shorter text is the beginning of several. */
const GRAM_BYTES = 3;

export function openWords(file: CheckedFile): Words {
  const bytes = file.bytes('words.bytes');
  const starts = file.numbers('words.starts', Uint32Array);
  const keys = file.numbers('grams.keys', Uint32Array);
  const gramStarts = file.numbers('grams.starts', Uint32Array);

  /** Returns the words of all grams from one up to another, not including it; a word may come more than once. */
  const wordsWith = (from: number, to: number): Uint32Array => {
    const [first = 0, last = 0] = [gramStarts[lowerBound(keys, from)], gramStarts[lowerBound(keys, to)]];
    return new Uint32Array(
      file.read('grams.words', first * NUMBER_BYTES, (last - first) * NUMBER_BYTES).slice().buffer,
    );
  };

  const has = (word: number, text: Uint8Array): boolean => {
    const last = (starts[word + 1] ?? 0) - text.length;
    for (let at = starts[word] ?? 0; at <= last; at++) {
      let same = 0;
      while (same < text.length && bytes[at + same] === text[same]) same++;
      if (same === text.length) return true;
    }
    return false;
  };

  return {
    count: starts.length - 1,
    starts,
    bytes,
    containing(text) {
      if (text.length <= GRAM_BYTES) {
        const first = gramAt(text, 0);
        const found = wordsWith(first, first + 256 ** (GRAM_BYTES - text.length));
        return text.length === GRAM_BYTES ? found : distinct(found, starts.length - 1);
      }
      let rarest = { key: 0, words: Number.POSITIVE_INFINITY };
      for (let at = 0; at + GRAM_BYTES <= text.length; at++) {
        const key = gramAt(text, at);
        const place = lowerBound(keys, key);
        if (keys[place] !== key) return new Uint32Array(0);
        const words = (gramStarts[place + 1] ?? 0) - (gramStarts[place] ?? 0);
        if (words < rarest.words) rarest = { key, words };
      }
      return wordsWith(rarest.key, rarest.key + 1).filter((word) => has(word, text));
    },
  };
}

/** @param count of all words */
function distinct(words: Uint32Array, count: number): Uint32Array {
  const marks = new Uint8Array(count);
  return words.filter((word) => {
    const isNew = marks[word] === 0;
    marks[word] = 1;
    return isNew;
  });
}

/** Returns the index of the first of ascending numbers that is not below a limit. */
function lowerBound(numbers: Uint32Array, limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
