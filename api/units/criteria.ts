import type { Condition } from '../../sql/query/conditions.ts';
import type { Caller } from '../access/caller.ts';
import { mustBeEntitledTo } from './entitlements.ts';
import { conditionsOf } from './filters.ts';

/**
 * Which units a checked question is about.
 * @throws Problem MISSING_MODULE, SIGNAL_NOT_ENTITLED: see mustBeEntitledTo
 */
export function criteriaOf(question: Readonly<Record<string, unknown>>, caller: Caller): Condition[] {
  const conditions = conditionsOf(question);
  mustBeEntitledTo(conditions, caller);
  return conditions;
}
