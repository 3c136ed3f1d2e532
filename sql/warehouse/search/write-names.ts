import type { CheckedFileWriter } from '../checked-file.ts';
import type { NameTable } from './layout.ts';
import { growingNumbers, startsOf } from './starts.ts';
import type { Dictionary } from './write-words.ts';

/** A name that GET /v1/search finds. */
export interface NewName {
  /** Folded. */
  readonly text: string;
  readonly state: string | null;
  readonly carrier: string | null;
  /** The columns that an answer shows. */
  readonly record: string;
}

/** Labels by number, in the order in which they come; 0 = none. */
export function labelIndex() {
  const numbers = new Map<string, number>();
  return {
    of(label: string | null): number {
      if (label === null) return 0;
      const number = numbers.get(label) ?? numbers.size + 1;
      numbers.set(label, number);
      return number;
    },
    all: (): string[] => [...numbers.keys()],
  };
}

type LabelIndex = ReturnType<typeof labelIndex>;

export type NameWriter = ReturnType<typeof nameWriter>;

/**
 * Collects names in the order in which equally good matches are shown. Their records are written at once; no other section
 * may begin before the last of them.
 */
export function nameWriter(
  file: CheckedFileWriter,
  table: NameTable,
  words: Dictionary,
  { states, carriers }: { readonly states: LabelIndex; readonly carriers: LabelIndex },
) {
  const wordsOfNames = growingNumbers();
  const counts = growingNumbers();
  const labels = { states: growingNumbers(), carriers: growingNumbers() };
  const recordLengths = growingNumbers();
  file.begin(`${table}.records`);
  return {
    add({ text, state, carrier, record }: NewName): void {
      const own = words.of(text);
      for (const word of own) wordsOfNames.push(word);
      counts.push(own.length);
      labels.states.push(states.of(state));
      labels.carriers.push(carriers.of(carrier));
      const bytes = Buffer.from(record);
      recordLengths.push(bytes.length);
      file.write(bytes);
    },
    /** Writes all other sections. */
    write(): void {
      const starts = startsOf(counts.all());
      file.begin(`${table}.states`);
      file.write(Uint16Array.from(labels.states.all()));
      file.begin(`${table}.carriers`);
      file.write(Uint16Array.from(labels.carriers.all()));
      file.begin(`${table}.words.starts`);
      file.write(starts);
      file.begin(`${table}.words`);
      file.write(wordsOfNames.all());
      for (const part of ['first', 'later'] as const) {
        const lists = namesByWord(wordsOfNames.all(), starts, words.count(), part);
        file.begin(`${table}.${part}.starts`);
        file.write(lists.starts);
        file.begin(`${table}.${part}.names`);
        file.write(lists.names);
      }
      file.begin(`${table}.records.starts`);
      file.write(startsOf(recordLengths.all(), (length) => new Float64Array(length)));
    },
  };
}

/** Lists the names that have each word as their first, or at a later place. */
function namesByWord(words: Uint32Array, starts: Uint32Array, known: number, part: 'first' | 'later') {
  const eachWord = (take: (word: number, name: number) => void): void => {
    for (let name = 0; name + 1 < starts.length; name++) {
      const [from = 0, to = 0] = [starts[name], starts[name + 1]];
      const [begin, end] = part === 'first' ? [from, Math.min(from + 1, to)] : [from + 1, to];
      for (let at = begin; at < end; at++) take(words[at] ?? 0, name);
    }
  };
  const counts = new Uint32Array(known);
  eachWord((word) => {
    counts[word] = (counts[word] ?? 0) + 1;
  });
  const listStarts = startsOf(counts);
  const next = listStarts.slice();
  const names = new Uint32Array(listStarts[known] ?? 0);
  eachWord((word, name) => {
    const at = next[word] ?? 0;
    names[at] = name;
    next[word] = at + 1;
  });
  return { starts: listStarts, names };
}
