const LAST_BEFORE_SURROGATES = 0xd7ff;
const FIRST_AFTER_SURROGATES = 0xe000;
const LAST = 0x10ffff;

/** A text behind all that begin with this one, and before all others behind them; texts compare by code point. */
export function firstAfterPrefix(prefix: string): string {
  const points = [...prefix];
  const last = points.pop()!.codePointAt(0)!;
  // Behind the last code point there is none: no text has two of it, which Unicode keeps free.
  if (last === LAST) return prefix + String.fromCodePoint(LAST, LAST);
  return points.join('') + String.fromCodePoint(last === LAST_BEFORE_SURROGATES ? FIRST_AFTER_SURROGATES : last + 1);
}
