import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { alertRow, alertsOf } from '../../sql/org/alerts/alerts.ts';
import { isUuid, organisationToChange } from '../../sql/org/organisations.ts';
import {
  deleteSavedFilter,
  type SavedFilterRow,
  savedFilterRow,
  savedFiltersOf,
  writeSavedFilter,
} from '../../sql/org/records/saved-filters.ts';
import type { Session } from '../../sql/org/store.ts';
import { operation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { EXAMPLE_FILTER, filterPath, savedFilterShape, shownFilter, writtenMembers } from './saved-filter.ts';

/** An organisation makes, changes and deletes its saved filters. */

const MAX_FILTERS = 1_000;

const answer = z.strictObject({ data: savedFilterShape, meta: z.strictObject({}) });

const writing = {
  access: 'api',
  scope: 'saved_filters:write',
  cost: 'mutation',
  replayable: true,
  source: 'service',
} as const;

export const createSavedFilter = operation({
  ...writing,
  id: 'saved-filters.create',
  method: 'POST',
  path: '/v1/saved-filters',
  summary: 'A new saved filter',
  description: `An organisation has at most ${MAX_FILTERS}, each under another name.`,
  body: z.strictObject(writtenMembers),
  answer,
  status: 201,
  problems: ['CONFLICT', 'UNPROCESSABLE'],
  example: { body: { name: 'Große Windparks', criteria: { einheitTyp: ['wind'], leistungMinKw: 10_000 } } },
  async handle({ body, caller, records }) {
    const row = await records(async (session) => {
      const present = await lockedFilters(session, caller.organisation.id);
      mustBeFree(present, body.name);
      if (present.length >= MAX_FILTERS) {
        const detail = `The organisation has ${present.length} saved filters, and at most ${MAX_FILTERS} are allowed; delete one first`;
        throw new Problem('UNPROCESSABLE', detail);
      }
      const now = new Date().toISOString();
      const made: SavedFilterRow = { ...body, id: randomUUIDv7(), kind: 'table', createdAt: now, updatedAt: now };
      await session.run(writeSavedFilter(caller.organisation.id, made));
      return made;
    });
    return { body: { data: shownFilter(row), meta: {} } };
  },
});

export const changeSavedFilter = operation({
  ...writing,
  id: 'saved-filters.change',
  method: 'PATCH',
  path: '/v1/saved-filters/{id}',
  summary: 'Rename a saved filter, or give it other criteria',
  description: 'Members that are left out stay as they are.',
  pathParameters: filterPath,
  body: z.strictObject({ name: writtenMembers.name.optional(), criteria: writtenMembers.criteria.optional() }),
  answer,
  problems: ['CONFLICT', 'NOT_FOUND'],
  example: { path: { id: EXAMPLE_FILTER }, body: { name: 'Windparks ab 10 MW' } },
  async handle({ path, body: { name, criteria }, caller, records }) {
    const row = await records(async (session) => {
      const present = await lockedFilters(session, caller.organisation.id);
      const found = filterIn(present, path.id);
      if (name !== undefined && name !== found.name) mustBeFree(present, name);
      if (name === undefined && criteria === undefined) return found;
      const changed: SavedFilterRow = {
        ...found,
        name: name ?? found.name,
        criteria: criteria ?? found.criteria,
        updatedAt: new Date().toISOString(),
      };
      await session.run(writeSavedFilter(caller.organisation.id, changed));
      return changed;
    });
    return { body: { data: shownFilter(row), meta: {} } };
  },
});

export const removeSavedFilter = operation({
  ...writing,
  id: 'saved-filters.delete',
  method: 'DELETE',
  path: '/v1/saved-filters/{id}',
  summary: 'Delete a saved filter for good',
  description: 'A filter by which an alert asks is kept: the alert would no longer know what to ask.',
  pathParameters: filterPath,
  answer: z.strictObject({
    data: z.null(),
    meta: z.strictObject({ deleted: z.uuid().describe('Id of the saved filter that was') }),
  }),
  problems: ['CONFLICT', 'NOT_FOUND'],
  example: { path: { id: EXAMPLE_FILTER } },
  async handle({ path, caller, records }) {
    const organisationId = caller.organisation.id;
    const deleted = await records(async (session) => {
      const { id } = filterIn(await lockedFilters(session, organisationId), path.id);
      const alerts = await session.rows(alertRow, alertsOf(organisationId));
      const asking = alerts.find(({ savedFilterId }) => savedFilterId === id);
      if (asking !== undefined) {
        const detail = `The alert ${JSON.stringify(asking.name)} asks by this filter; give the alert another filter first`;
        throw new Problem('CONFLICT', detail);
      }
      await session.run(deleteSavedFilter(organisationId, id));
      return id;
    });
    return { body: { data: null, meta: { deleted } } };
  },
});

/** Reads all filters of an organisation; other calls that write them wait until the transaction ends. */
async function lockedFilters(session: Session, organisationId: string): Promise<SavedFilterRow[]> {
  await session.run(organisationToChange(organisationId));
  return session.rows(savedFilterRow, savedFiltersOf(organisationId));
}

/** @throws Problem NOT_FOUND, also for a filter of the map, which the interface does not know */
function filterIn(present: readonly SavedFilterRow[], id: string): SavedFilterRow {
  const found = isUuid(id) ? present.find((row) => row.kind === 'table' && row.id === id.toLowerCase()) : undefined;
  if (found !== undefined) return found;
  throw new Problem('NOT_FOUND', 'The organisation has no saved filter with this id; GET /v1/saved-filters lists them');
}

/** @throws Problem CONFLICT when a filter has the name, be it one of the map */
function mustBeFree(present: readonly SavedFilterRow[], name: string): void {
  const namesake = present.find((row) => row.name === name);
  if (namesake === undefined) return;
  const which = namesake.kind === 'table' ? `saved filter ${namesake.id}` : 'filter of the map';
  throw new Problem('CONFLICT', `The ${which} has this name already; take another name, or change that one`);
}
