const LAST_BEFORE_SURROGATES = 0xd7ff;
const FIRST_AFTER_SURROGATES = 0xe000;
const LAST = 0x10ffff;

/** Returns the least text above all that begin with the prefix, which is not empty. Texts compare by code point. */
export function firstAfterPrefix(prefix: string): string {
  const points = [...prefix];
  const last = points.pop()?.codePointAt(0);
  if (last === undefined) throw new Error('Every text begins with the empty one, so that none follows');
  // Nothing follows the last code point. Unicode reserves it, so that no text has it twice.
  if (last === LAST) return prefix + String.fromCodePoint(LAST, LAST);
  return points.join('') + String.fromCodePoint(last === LAST_BEFORE_SURROGATES ? FIRST_AFTER_SURROGATES : last + 1);
}
