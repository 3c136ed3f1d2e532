import { isDeepStrictEqual } from 'node:util';
import type { AlertRules } from '../../sql/org/alerts/alerts.ts';
import type { AlertTemplate } from '../../sql/org/rights.ts';

/** True when two alerts tell of the same units: then what one has told of holds for the other. */
export const asksTheSame = (one: AlertRules, other: AlertRules): boolean =>
  isDeepStrictEqual(rulesAlone(one), rulesAlone(other));

const rulesAlone = ({ template, signals, fields, criteria, savedFilterId }: AlertRules) => ({
  template,
  signals,
  fields,
  criteria,
  savedFilterId,
});

/** The rules of an alert that says nothing about its units. */
export const EVERY_UNIT = { signals: [], fields: [], criteria: {}, savedFilterId: null } as const;

/** The parts of rules that somebody wrote; absent ones stay as they were. */
export interface WrittenRules {
  readonly signals?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
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
  written: WrittenRules,
  present: Readonly<Omit<AlertRules, 'template' | 'signals' | 'fields'>> &
    Readonly<Record<'signals' | 'fields', readonly string[]>>,
): { readonly rules: AlertRules; readonly fault: RulesFault | null } {
  const { criteria, savedFilterId } = written;
  const watched = (member: 'signals' | 'fields'): string[] =>
    template === WATCHERS[member] ? [...new Set(written[member] ?? present[member])] : [];
  const rules: AlertRules = {
    template,
    signals: watched('signals'),
    fields: watched('fields'),
    criteria: criteria ?? (savedFilterId === undefined ? present.criteria : null),
    savedFilterId: savedFilterId?.toLowerCase() ?? (criteria === undefined ? present.savedFilterId : null),
  };
  if (criteria !== undefined && savedFilterId !== undefined) {
    const message = 'stands instead of criteria of its own, and cannot be beside them';
    return { rules, fault: { member: 'savedFilterId', message } };
  }
  return { rules, fault: watchedFault(rules, written) };
}

/** What an alert watches beside new units, and the template that watches it. */
export const WATCHERS = { signals: 'SIGNAL_CHANGE', fields: 'FIELD_CHANGE' } as const;

/** @returns what is wrong with what an alert watches */
function watchedFault(
  rules: Pick<AlertRules, 'template' | 'signals' | 'fields'>,
  written: WrittenRules,
): RulesFault | null {
  for (const member of ['signals', 'fields'] as const) {
    const watcher = WATCHERS[member];
    if (rules.template === watcher) {
      if (rules[member].length === 0) return { member, message: `must name what a ${watcher} watches` };
    } else if ((written[member] ?? []).length > 0) {
      return { member, message: `must be empty: an alert from ${rules.template} watches none` };
    }
  }
  return null;
}
