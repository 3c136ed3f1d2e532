import { isDeepStrictEqual } from 'node:util';
import type { AlertRules } from '../../sql/org/alerts/alerts.ts';
import type { AlertTemplate } from '../../sql/org/rights.ts';

/** True when two alerts tell of the same units: then what one has told of holds for the other. */
export const asksTheSame = (one: AlertRules, other: AlertRules): boolean =>
  isDeepStrictEqual(rulesAlone(one), rulesAlone(other));

const rulesAlone = ({ template, signals, criteria, savedFilterId }: AlertRules) => ({
  template,
  signals,
  criteria,
  savedFilterId,
});

/** The rules of an alert that says nothing about its units. */
export const EVERY_UNIT = { signals: [], criteria: {}, savedFilterId: null } as const;

/** The parts of rules that somebody wrote; absent ones stay as they were. */
export interface WrittenRules {
  readonly signals?: readonly string[] | undefined;
  readonly criteria?: Readonly<Record<string, unknown>> | undefined;
  readonly savedFilterId?: string | undefined;
}

/** A combination that no alert has; the message completes the name of the member. */
export interface RulesFault {
  readonly member: keyof WrittenRules;
  readonly message: string;
}

/**
 * Puts what was written over the rules that an alert has. Criteria and a saved filter take each other's place.
 * @param present `EVERY_UNIT` for a new alert
 */
export function rulesWith(
  template: AlertTemplate,
  { signals, criteria, savedFilterId }: WrittenRules,
  present: Readonly<Omit<AlertRules, 'template' | 'signals'>> & { readonly signals: readonly string[] },
): { readonly rules: AlertRules; readonly fault: RulesFault | null } {
  const watches = template === 'SIGNAL_CHANGE';
  const watched = watches ? [...new Set(signals ?? present.signals)] : [];
  const fault = (): RulesFault | null => {
    if (criteria !== undefined && savedFilterId !== undefined) {
      return { member: 'savedFilterId', message: 'stands instead of criteria of its own, and cannot be beside them' };
    }
    if (watches && watched.length === 0)
      return { member: 'signals', message: 'must name what a SIGNAL_CHANGE watches' };
    return !watches && (signals ?? []).length > 0
      ? { member: 'signals', message: `must be empty: an alert from ${template} watches none` }
      : null;
  };
  return {
    rules: {
      template,
      signals: watched,
      criteria: criteria ?? (savedFilterId === undefined ? present.criteria : null),
      savedFilterId: savedFilterId?.toLowerCase() ?? (criteria === undefined ? present.savedFilterId : null),
    },
    fault: fault(),
  };
}
