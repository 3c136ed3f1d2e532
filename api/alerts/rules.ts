import { isDeepStrictEqual } from 'node:util';
import type { AlertRules } from '../../sql/org/alerts/alerts.ts';

/** True when two alerts tell of the same units: then what one has told of holds for the other. */
export const asksTheSame = (one: AlertRules, other: AlertRules): boolean =>
  isDeepStrictEqual(rulesAlone(one), rulesAlone(other));

const rulesAlone = ({ template, signals, criteria, savedFilterId }: AlertRules) => ({
  template,
  signals,
  criteria,
  savedFilterId,
});
