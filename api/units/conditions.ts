import { EVENT_RETENTION_DAYS, unitsOfEvent } from '../../sql/org/alerts/events.ts';
import { isUuid } from '../../sql/org/organisations.ts';
import { savedFilterRow, tableFilter } from '../../sql/org/records/saved-filters.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import type { Caller } from '../access/caller.ts';
import type { Call } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { mustBeEntitledTo } from './entitlements.ts';
import { filterConditions, numbersCondition } from './filters.ts';
import { unitsWithOwnText } from './own-texts.ts';
import { filterCriteria } from './query.ts';

/** Turns the query of a request into conditions, with the saved filters and texts of the organisation itself. */

type CallerRecords = Pick<Call, 'caller' | 'records'>;

/**
 * Returns the conditions of a validated query: those of its saved filter, or its own, and the units of its event.
 * @throws Problem NOT_FOUND for a saved filter that the organisation does not have, or that is one of the map, and for an
 * event that it does not have, or no longer
 * @throws Problem MISSING_MODULE, SIGNAL_NOT_ENTITLED: see mustBeEntitledTo
 */
export async function resolveConditions(
  query: Readonly<Record<string, unknown>>,
  call: CallerRecords,
): Promise<Condition[]> {
  const { savedFilterId, eventId } = query;
  const filters = savedFilterId === undefined ? query : await savedCriteria(String(savedFilterId), call);
  const conditions = filterConditions(filters);
  if (eventId !== undefined) conditions.push(numbersCondition(await eventUnits(String(eventId), call)));
  mustBeEntitledTo(conditions, call.caller);
  return searchesOwnTexts(call.caller)
    ? Promise.all(conditions.map((condition) => withOwnTexts(condition, call)))
    : conditions;
}

/** Returns true when the answer depends on records of the organisation, not on the register alone. */
export const dependsOnRecords = (query: Readonly<Record<string, unknown>>, caller: Caller): boolean =>
  query.savedFilterId !== undefined ||
  query.eventId !== undefined ||
  (query.suche !== undefined && searchesOwnTexts(caller));

/** Custom fields are part of the module workspace. */
const searchesOwnTexts = ({ organisation }: Caller): boolean => organisation.modules.has('workspace');

async function savedCriteria(
  id: string,
  { caller, records }: CallerRecords,
): Promise<Readonly<Record<string, unknown>>> {
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

async function eventUnits(id: string, { caller, records }: CallerRecords): Promise<readonly string[]> {
  const { organisation } = caller;
  const found = isUuid(id) ? await records((session) => unitsOfEvent(session, organisation.id, id)) : null;
  if (found !== null) return found;
  throw new Problem(
    'NOT_FOUND',
    `There is no event with this id among those that GET /v1/events lists; they are kept for ${EVENT_RETENTION_DAYS} days`,
  );
}

async function withOwnTexts(condition: Condition, { caller, records }: CallerRecords): Promise<Condition> {
  if (condition.filter.compare !== 'search') return condition;
  const own = await records(async (session) => {
    const units = new Map<string, readonly string[]>();
    for (const word of condition.value as readonly string[]) {
      units.set(word, await unitsWithOwnText(session, caller.organisation.id, word));
    }
    return units;
  });
  return { ...condition, own };
}
