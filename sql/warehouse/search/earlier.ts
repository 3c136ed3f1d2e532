import { itemAt } from '../../../runtime/present.ts';
import { openCheckedFile } from '../checked-file.ts';
import { MAGIC, type SearchHeader } from './layout.ts';
import { eachPlace } from './lists.ts';
import { bitsBetween, noBits } from './unit-set.ts';

/** The units of each word in a search index, to write the next one. */
export interface EarlierLists {
  /** The words, in the order of their numbers. */
  readonly words: readonly string[];
  /** Whether a unit has the word: names have others. */
  isUsed(word: number): boolean;
  /** Calls `take` with the place of each unit that has a word, ascending within each run of the list. @throws Damaged */
  eachPlace(word: number, take: (place: number) => void): void;
  close(): void;
}

/** @throws Damaged */
export function openEarlierLists(path: string): EarlierLists {
  const file = openCheckedFile(path, MAGIC);
  const { units } = file.about as SearchHeader;
  const bytes = Buffer.from(file.bytes('words.bytes').buffer);
  const wordStarts = file.numbers('words.starts', Uint32Array);
  const starts = file.numbers('lists.starts', Float64Array);
  const setBytes = noBits(units).byteLength;
  return {
    words: Array.from({ length: wordStarts.length - 1 }, (_, word) =>
      bytes.toString('utf8', wordStarts[word], wordStarts[word + 1]),
    ),
    isUsed: (word) => itemAt(starts, word) < itemAt(starts, word + 1),
    eachPlace(word, take) {
      const [from, to] = [itemAt(starts, word), itemAt(starts, word + 1)];
      const list = file.read('lists.bytes', from, to - from);
      if (list.length < setBytes) return eachPlace(list, take);
      for (const place of bitsBetween(new Uint32Array(list.slice().buffer), 0, units)) take(place);
    },
    close: file.close,
  };
}
