import { fold } from './fold.ts';

/** The aim of somebody who types a place. */
export type Typed =
  | { readonly kind: 'nothing' }
  /** The beginning of a postal code or of an official key. */
  | { readonly kind: 'digits'; readonly digits: string }
  /** Part of a name, folded; `state` is what stands behind a comma, „Neustadt, Hessen“. */
  | { readonly kind: 'name'; readonly name: string; readonly state: string };

/** Words for a level, which no name of a place in the register begins with. */
const LEVEL_WORD = /^(landkreis|kreis|lk|gemeinde|plz|bundesland) +(?=.)/;

/** The interface takes no longer text; no name of a place is as long. */
const MOST_LETTERS = 100;
const FEWEST_LETTERS = 2;

/** Reads what was typed; a name of one letter would match half of the country. */
export function readTyped(text: string): Typed {
  const folded = fold(text).slice(0, MOST_LETTERS).replace(LEVEL_WORD, '');
  if (/^\d+$/.test(folded)) return { kind: 'digits', digits: folded };
  const comma = folded.lastIndexOf(',');
  const [name, state] = comma < 0 ? [folded, ''] : [folded.slice(0, comma).trim(), folded.slice(comma + 1).trim()];
  return name.length < FEWEST_LETTERS ? { kind: 'nothing' } : { kind: 'name', name, state };
}
