import { TECHNOLOGIES } from '../../sql/tenders/technologies.ts';
import { loadedTenders } from './loaded.ts';
import type { TenderRound } from './round.ts';
import { failedLoads } from './store.ts';

/** An overview of the rounds and their states, for operators. */

/**
 * `loaded`: its award list. `figures`: figures only. `announced`: its date is to come. `missing`: its date is over, and
 * nothing is there. `failed`: loading its list failed, and nothing older is there.
 */
export type RoundState = 'loaded' | 'figures' | 'announced' | 'missing' | 'failed';

export const ROUND_STATES: readonly RoundState[] = ['loaded', 'figures', 'missing', 'failed', 'announced'];

/** @param day YYYY-MM-DD, today */
export function stateOf({ liste, status, datum }: TenderRound, day: string): RoundState {
  if (liste) return 'loaded';
  if (status === 'FAILED') return 'failed';
  if (status === 'IMPORTED') return 'figures';
  return datum >= day ? 'announced' : 'missing';
}

export interface YearOfTechnology {
  readonly technologie: string;
  readonly jahr: number;
  readonly states: Readonly<Record<RoundState, number>>;
  readonly awards: number;
}

export interface TenderOverview {
  readonly years: readonly YearOfTechnology[];
  readonly failures: readonly { readonly file: string; readonly round: number | null; readonly reason: string }[];
}

/** Rounds by technology and year, and the files that were refused. */
export function tenderOverview(warehouse: string, day: string): TenderOverview {
  const { rounds, awards } = loadedTenders(warehouse, day);
  const awardsByRound = Map.groupBy(awards, ({ gebotstermin }) => gebotstermin);
  const groups = Map.groupBy(rounds, ({ technologie, datum }) => `${TECHNOLOGIES[technologie]} ${datum.slice(0, 4)}`);
  const years = [...groups.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => {
      const [{ technologie, datum }] = group as [TenderRound, ...TenderRound[]];
      const states = { loaded: 0, figures: 0, announced: 0, missing: 0, failed: 0 };
      for (const round of group) states[stateOf(round, day)] += 1;
      const count = group.reduce((sum, { id }) => sum + (awardsByRound.get(id)?.length ?? 0), 0);
      return { technologie, jahr: Number(datum.slice(0, 4)), states, awards: count };
    });
  const failures = failedLoads(warehouse).map(({ datei, grund, gebotstermin }) => ({
    file: datei,
    round: gebotstermin,
    reason: grund,
  }));
  return { years, failures };
}
