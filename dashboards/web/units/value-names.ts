import { carrierName } from '../charts/carriers.ts';
import { ALL_ROUNDS, roundName } from '../tenders/rounds.ts';
import { shown } from '../v1/loaded.ts';
import type { TenderRounds } from '../v1/tender-answers.ts';
import { useAnswer, useVisit } from '../v1/use-answer.ts';
import { type SignalTexts, signalName } from './signals.ts';
import { codeName } from './values.tsx';

/** Values of filters as people write them: some are codes, which nobody knows by heart. */

/** Names a value of a filter, which has the name of its parameter. */
export type NameOf = (parameter: string, value: string) => string;

/** The filter for bid dates, whose values are numbers of the interface. */
export const ROUND_FILTER = 'gebotstermin';

/** True where the key may read the bid dates; elsewhere their numbers are typed. */
export function useMayReadRounds(): boolean {
  const { key, organization } = useVisit().me;
  return key.scopes.includes('ausschreibungen:read') && organization.modules.includes('ausschreibungen');
}

/** The filters whose values are carriers. */
const CARRIER_FILTERS: readonly string[] = ['einheitTyp', 'amStandort', 'amNetzanschluss'];

/** @param chosen values of filters; bid dates are asked for only where there is one */
export function useValueNames(chosen: ReadonlyMap<string, string>, signals: SignalTexts): NameOf {
  const needsRounds = useMayReadRounds() && chosen.has(ROUND_FILTER);
  const rounds = shown(useAnswer<TenderRounds>(needsRounds ? ALL_ROUNDS : null))?.data ?? [];
  return (parameter, value) => {
    if (CARRIER_FILTERS.includes(parameter)) return carrierName(value);
    if (parameter === 'signals') return signalName(value, signals);
    if (parameter !== ROUND_FILTER) return codeName(value);
    const round = rounds.find(({ id }) => String(id) === value);
    return round === undefined ? value : roundName(round);
  };
}
