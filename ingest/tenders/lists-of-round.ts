import { TenderFindings } from './findings.ts';
import type { ReadList } from './list.ts';
import type { ListedAward, TenderFinding, TenderRound } from './round.ts';
import type { StoredList, StoredRound } from './store.ts';

/**
 * The lists of a round add up: an award that was given a year later has a list of its own, and existing plants may have one
 * beside that of new ones. A corrected list takes the place of its own earlier form only.
 */

/** The awards of all lists of a round, by award number. Where two lists differ about one, that which was loaded last counts. */
export function awardsOf({ listen }: Pick<StoredRound, 'listen'>): ListedAward[] {
  const awards = new Map(listen.flatMap(({ zuschlaege }) => zuschlaege).map((award) => [award.id, award]));
  return [...awards.values()].toSorted((a, b) => a.id - b.id);
}

/** The findings about a round as a whole. They are computed and not stored, as each list changes them. */
export function findingsOf(
  round: Pick<StoredRound, 'listen' | 'statistik'>,
  known: Pick<TenderRound, 'zuschlaege' | 'datum'> | undefined,
): TenderFinding[] {
  const findings = new TenderFindings();
  const first = new Map<number, ListedAward>();
  for (const award of round.listen.flatMap(({ zuschlaege }) => zuschlaege)) {
    const before = first.get(award.id);
    if (before === undefined) first.set(award.id, award);
    else if (JSON.stringify(before) !== JSON.stringify(award)) {
      const example = award.zuschlagsnummer ?? '';
      findings.add('zuschlag_ersetzt', 'Zuschlagsnummer', 'in mehreren Listen; die zuletzt geladene gilt', example);
    }
  }
  const published = known?.zuschlaege ?? null;
  if (round.listen.length > 0 && published !== null && published !== first.size) {
    const where = round.listen.length === 1 ? 'in der Liste' : `in ${round.listen.length} Listen`;
    const remark = `${first.size} ${where}, veröffentlicht ${published}`;
    findings.add('ausschreibung_wert_abweichend', 'zuschlaege', remark, known?.datum ?? '');
  }
  return [...round.listen.flatMap(({ befunde }) => befunde), ...(round.statistik?.befunde ?? []), ...findings.list()];
}

/** An earlier form of a list, or a list that `--replace` takes away. */
export interface ReplacedList {
  readonly gebotstermin: number;
  /** Its source, with the name of its file. */
  readonly quelle: string;
  readonly zuschlaege: number;
  /** The awards that no list has any more, by number; null stands for one without a number. */
  readonly entfallen: readonly (string | null)[];
}

/**
 * Says whether a list is an earlier form of another: it has the name of its file and an award in common with it, or none but
 * awards that the other has, too. A form with a wrong bid date stands in another round, where most of its awards must be
 * the same, as single numbers there may be typing errors.
 */
export function isEarlierForm(before: StoredList, next: StoredList, sameRound: boolean): boolean {
  if (before.pruefsumme === next.pruefsumme) return true;
  const numbers = numbersOf(next);
  const earlier = numbersOf(before);
  const common = [...earlier].filter((number) => numbers.has(number)).length;
  if (before.quelle === next.quelle) return sameRound ? common > 0 : common * 2 > earlier.size;
  return sameRound && common > 0 && common === earlier.size;
}

const numbersOf = ({ zuschlaege }: StoredList): ReadonlySet<string> =>
  new Set(zuschlaege.flatMap(({ zuschlagsnummer }) => zuschlagsnummer ?? []));

/** Adds the awards of a further table of the same file, such as a sheet for existing plants. */
export function joinedLists(first: ReadList['liste'] | null, next: ReadList['liste'] | null): StoredList | null {
  if (first === null || next === null) return first ?? next;
  return {
    ...first,
    bekanntgabe: earliest([first.bekanntgabe, next.bekanntgabe]),
    kalender: [...first.kalender, ...next.kalender],
    zuschlaege: awardsOf({ listen: [first, next] }),
    befunde: [...first.befunde, ...next.befunde],
  };
}

/** The first of the days that are known; the periods of a round run from the first announcement. */
export const earliest = (days: readonly (string | null)[]): string | null =>
  days.filter((day) => day !== null).toSorted()[0] ?? null;
