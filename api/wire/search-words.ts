import { searchTerms } from '../../sql/query/fold.ts';
import type { Notation } from './notation.ts';
import { fault } from './parameters.ts';

const MAX_LENGTH = 200;
const MAX_WORDS = 10;

/** A free text to search for: its words, folded, each once. */
export const searchWords = (notation: Notation) =>
  notation.text(MAX_LENGTH).transform((text, context) => {
    const words = searchTerms(text);
    if (words.length === 0) context.issues.push(fault('INVALID_PARAMETER', 'must have a word to search for'));
    if (words.length > MAX_WORDS) {
      context.issues.push(fault('TOO_MANY_VALUES', `has ${words.length} words; at most ${MAX_WORDS} are allowed`));
    }
    return words;
  });
