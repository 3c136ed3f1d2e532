import { APOSTROPHE, GREATER, LESS, QUOTE, unitAt } from './characters.ts';

/** Results of looking for the end of a tag that yield no position. */
export const UNFINISHED = -1;
export const CUT = -2;

/** Position after the `>` of the tag at `at`, outside of quotes; UNFINISHED when it is not there yet, CUT by another tag. */
export function endOfTag(units: Uint16Array, at: number, end: number): number {
  let quote = 0;
  for (let index = at + 1; index < end; index++) {
    const unit = unitAt(units, index);
    if (unit === LESS) return CUT;
    if (quote !== 0) quote = unit === quote ? 0 : quote;
    else if (unit === GREATER) return index + 1;
    else if (unit === QUOTE || unit === APOSTROPHE) quote = unit;
  }
  return UNFINISHED;
}
