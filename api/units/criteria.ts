import { unitNumberRow, unitsWithText } from '../../sql/org/custom-fields.ts';
import { isUuid } from '../../sql/org/organisations.ts';
import { savedFilterRow, tableFilter } from '../../sql/org/saved-filters.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import type { Caller } from '../access/caller.ts';
import type { Call } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { mustBeEntitledTo } from './entitlements.ts';
import { conditionsOf } from './filters.ts';
import { filterCriteria } from './question.ts';

/** Which units a question is about: from what was asked to conditions, with what the organisation itself has to say. */

type Asking = Pick<Call, 'caller' | 'records'>;

/**
 * The conditions of a checked question: those of its saved filter, or its own.
 * @throws Problem NOT_FOUND for a saved filter that the organisation does not have, or that is one of the map
 * @throws Problem MISSING_MODULE, SIGNAL_NOT_ENTITLED: see mustBeEntitledTo
 */
export async function criteriaOf(question: Readonly<Record<string, unknown>>, call: Asking): Promise<Condition[]> {
  const { savedFilterId } = question;
  const criteria = savedFilterId === undefined ? question : await savedCriteria(String(savedFilterId), call);
  const conditions = conditionsOf(criteria);
  mustBeEntitledTo(conditions, call.caller);
  return searchesOwnTexts(call.caller)
    ? Promise.all(conditions.map((condition) => withOwnTexts(condition, call)))
    : conditions;
}

/** Whether the answer to a question depends on what the organisation keeps here, not on the register alone. */
export const dependsOnRecords = (question: Readonly<Record<string, unknown>>, caller: Caller): boolean =>
  question.savedFilterId !== undefined || (question.suche !== undefined && searchesOwnTexts(caller));

/** Custom fields are part of the workspace. */
const searchesOwnTexts = ({ organisation }: Caller): boolean => organisation.modules.has('workspace');

async function savedCriteria(id: string, { caller, records }: Asking): Promise<Readonly<Record<string, unknown>>> {
  const { organisation } = caller;
  const found = isUuid(id)
    ? await records((session) => session.row(savedFilterRow, tableFilter(organisation.id, id)))
    : null;
  if (found === null) {
    throw new Problem(
      'NOT_FOUND',
      'There is no saved filter with this id among those that GET /v1/saved-filters lists',
    );
  }
  const { data } = filterCriteria.safeParse(found.criteria);
  if (data !== undefined) return data;
  throw new Problem('FILTER_CONFLICT', `The saved filter ${found.name} holds criteria that this release does not know`);
}

async function withOwnTexts(condition: Condition, { caller, records }: Asking): Promise<Condition> {
  if (condition.filter.compare !== 'search') return condition;
  const own = await records(async (session) => {
    const units = new Map<string, readonly string[]>();
    for (const word of condition.value as readonly string[]) {
      const rows = await session.rows(unitNumberRow, unitsWithText(caller.organisation.id, word));
      units.set(
        word,
        rows.map(({ mastrNumber }) => mastrNumber),
      );
    }
    return units;
  });
  return { ...condition, own };
}
