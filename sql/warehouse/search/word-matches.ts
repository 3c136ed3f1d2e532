import type { Words } from './words.ts';

/** The part of a word in which a text lies. */
export interface WordMatches {
  /** Words that begin with the text. */
  readonly beginning: readonly number[];
  /** Words in which it begins behind a sign, as a word of a name does behind a blank. */
  readonly behindSign: readonly number[];
  /** All other words that contain it. */
  readonly inside: readonly number[];
}

/** @param text without blanks @param ending = it must also be the end of the word */
export function wordMatches(words: Words, text: Uint8Array, ending = false): WordMatches {
  const matches = { beginning: [] as number[], behindSign: [] as number[], inside: [] as number[] };
  for (const word of words.containing(text)) {
    const place = placeIn(words, word, text, ending);
    if (place !== null) matches[place].push(word);
  }
  return matches;
}

/** Returns the best place of a text in a word; null when it is not there, or not at the end. */
function placeIn({ bytes, starts }: Words, word: number, text: Uint8Array, ending: boolean): keyof WordMatches | null {
  const [from = 0, to = 0] = [starts[word], starts[word + 1]];
  const last = to - text.length;
  let best: keyof WordMatches | null = null;
  for (let at = ending ? last : from; at <= last; at++) {
    if (at < from || !isAt(bytes, at, text)) continue;
    if (at === from) return 'beginning';
    if (followsSign(bytes, at)) best = 'behindSign';
    best ??= 'inside';
  }
  return best;
}

function isAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  let same = 0;
  while (same < text.length && bytes[at + same] === text[same]) same++;
  return same === text.length;
}

/**
 * Returns true when the character before a byte ends a word of a name: the signs of ASCII and Latin-1, and general
 * punctuation (BETWEEN_WORDS in api/search/find.ts).
 */
function followsSign(bytes: Uint8Array, at: number): boolean {
  const last = bytes[at - 1] ?? 0;
  if (last < 0x80) {
    return (
      last >= 0x20 && (last <= 0x2f || (last >= 0x3a && last <= 0x40) || (last >= 0x5b && last <= 0x60) || last >= 0x7b)
    );
  }
  const before = bytes[at - 2] ?? 0;
  // U+0080 to U+00BF are C2 80 to C2 BF.
  if (before === 0xc2) return true;
  // U+2000 to U+206F are E2 80 80 to E2 81 AF.
  return bytes[at - 3] === 0xe2 && (before === 0x80 || (before === 0x81 && last <= 0xaf));
}
