import type { CheckedFileWriter } from '../checked-file.ts';
import { startsOf } from './starts.ts';

/** Every distinct word of the texts, numbered in the order in which they come. */
export interface Dictionary {
  count(): number;
  /** Returns the words in the order of their numbers. */
  all(): Iterable<string>;
  /** Returns the words of a folded text, in order, by their numbers. */
  of(text: string): readonly number[];
  write(file: CheckedFileWriter): void;
}

export function dictionary(): Dictionary {
  const numbers = new Map<string, number>();
  const numberOf = (word: string): number => {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    numbers.set(word, numbers.size);
    return numbers.size - 1;
  };
  return {
    count: () => numbers.size,
    all: () => numbers.keys(),
    of: (text) => (text === '' ? [] : text.split(' ').map(numberOf)),
    write(file) {
      const words = [...numbers.keys()].map((word) => Buffer.from(word));
      file.begin('words.bytes');
      for (const word of words) file.write(word);
      file.begin('words.starts');
      file.write(startsOf(words.map(({ length }) => length)));
      writeGrams(file, words);
    },
  };
}

/** Writes which words have a run of three bytes. */
function writeGrams(file: CheckedFileWriter, words: readonly Uint8Array[]): void {
  const having = new Map<number, number[]>();
  for (const [word, bytes] of words.entries()) {
    for (let at = 0; at < bytes.length; at++) {
      const key = gramAt(bytes, at);
      const list = having.get(key);
      if (list === undefined) having.set(key, [word]);
      // A word that has a run twice is listed once.
      else if (list.at(-1) !== word) list.push(word);
    }
  }
  const grams = [...having].sort(([one], [other]) => one - other);
  file.begin('grams.keys');
  file.write(Uint32Array.from(grams, ([key]) => key));
  file.begin('grams.starts');
  file.write(startsOf(grams.map(([, list]) => list.length)));
  file.begin('grams.words');
  for (const [, list] of grams) file.write(Uint32Array.from(list));
}

/** Returns three bytes as a number that has their order; bytes behind the end count as 0. */
export const gramAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
