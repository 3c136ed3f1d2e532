import { EVENT_RETENTION_DAYS, unitsOfEvent } from '../../sql/org/alerts/events.ts';
import { isUuid } from '../../sql/org/organisations.ts';
import { savedFilterRow, tableFilter } from '../../sql/org/records/saved-filters.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import type { Caller } from '../access/caller.ts';
import type { Call } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import { Problem } from '../problem/problem.ts';
import { mustBeEntitledTo } from './entitlements.ts';
import { filterConditions, numbersCondition } from './filters.ts';
import { searchesOwnTexts, withOwnTexts } from './own-texts.ts';
import { filterCriteria } from './query.ts';

/** Turns the query of a request into conditions, with the saved filters and texts of the organisation itself. */

type CallerRecords = Pick<Call, 'caller' | 'records'> & { readonly service: Pick<Service, 'withoutOwnTexts'> };

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
  const { organisation } = call.caller;
  const asked = ({ filter }: Condition) => filter.compare === 'search';
  if (!searchesOwnTexts(organisation) || !conditions.some(asked)) return conditions;
  if (await call.service.withoutOwnTexts(organisation.id)) return conditions;
  return call.records(async (session) => {
    const resolved: Condition[] = [];
    for (const condition of conditions) resolved.push(await withOwnTexts(session, organisation.id, condition));
    return resolved;
  });
}

/** Returns true when the answer depends on records of the organisation, not on the register alone. */
export const dependsOnRecords = (query: Readonly<Record<string, unknown>>, caller: Caller): boolean =>
  query.savedFilterId !== undefined ||
  query.eventId !== undefined ||
  (query.suche !== undefined && searchesOwnTexts(caller.organisation));

async function savedCriteria(
  id: string,
  { caller, records }: Pick<Call, 'caller' | 'records'>,
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

async function eventUnits(
  id: string,
  { caller, records }: Pick<Call, 'caller' | 'records'>,
): Promise<readonly string[]> {
  const { organisation } = caller;
  const found = isUuid(id) ? await records((session) => unitsOfEvent(session, organisation.id, id)) : null;
  if (found !== null) return found;
  throw new Problem(
    'NOT_FOUND',
    `There is no event with this id among those that GET /v1/events lists; they are kept for ${EVENT_RETENTION_DAYS} days`,
  );
}
