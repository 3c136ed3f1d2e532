import { fold } from '../../sql/query/fold.ts';
import type { FoundUnit } from './hit.ts';

/** Finds names among a few units, as a portfolio has them: by the same rules and in the same order as the search tables do. */

interface Asked {
  /** Folded. */
  readonly term: string;
  readonly number: string | null;
  /** Null = all. */
  readonly states: readonly string[] | null;
  readonly carriers: readonly string[] | null;
  readonly limit: number;
}

/** The units that match, the best first, and one more than the limit. */
export function matchesAmong(units: readonly FoundUnit[], { term, number, states, carriers, limit }: Asked) {
  // Only signs of ASCII have a meaning in a pattern.
  const literally = term.replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
  const wordStart = new RegExp(`(?:^|${BETWEEN_WORDS})${literally}`);
  const rankOf = ({ mastrNummer, name }: FoundUnit): number | null => {
    if (mastrNummer === number) return 0;
    const folded = fold(name ?? '');
    if (!folded.includes(term)) return null;
    return folded.startsWith(term) ? 1 : wordStart.test(folded) ? 2 : 3;
  };
  return units
    .filter(
      ({ bundesland, einheitTyp }) =>
        (states === null || (bundesland !== null && states.includes(bundesland))) &&
        (carriers === null || carriers.includes(einheitTyp)),
    )
    .flatMap((unit) => {
      const matchRank = rankOf(unit);
      return matchRank === null ? [] : [{ matchRank, number: unit.mastrNummer, kw: unit.bruttoleistungKw ?? -1 }];
    })
    .sort((a, b) => a.matchRank - b.matchRank || b.kw - a.kw || (a.number < b.number ? -1 : 1))
    .slice(0, limit + 1);
}

/** As find.ts has it for the engines. */
const BETWEEN_WORDS = '[ -/:-@\\[-`{-\\u00bf\\u2000-\\u206f]';
