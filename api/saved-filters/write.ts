import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { alertRow, alertsOf } from '../../sql/org/alerts/alerts.ts';
import { organisationToChange } from '../../sql/org/organisations.ts';
import {
  deleteSavedFilter,
  type SavedFilterRow,
  savedFilterRow,
  savedFiltersOf,
  writeSavedFilter,
} from '../../sql/org/records/saved-filters.ts';
import type { Session } from '../../sql/org/store.ts';
import { operation } from '../operation/operation.ts';
import { mustBeFree, rowOfId } from '../problem/own-rows.ts';
import { Problem } from '../problem/problem.ts';
import { deletedBody, deletedShape } from '../wire/deleted.ts';
import { mustBeKeepable } from './criteria.ts';
import { EXAMPLE_FILTER, filterPath, savedFilterShape, shownFilter, writtenMembers } from './saved-filter.ts';
import { viewShape } from './view.ts';

/** An organisation makes, changes and deletes its saved filters. */

const MAX_FILTERS = 200;

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
  body: z.strictObject({
    ...writtenMembers,
    ansicht: viewShape.optional().describe('A view that it opens; whoever lists the filters reads it'),
  }),
  answer,
  status: 201,
  problems: ['CONFLICT', 'UNPROCESSABLE'],
  example: { body: { name: 'Große Windparks', criteria: { einheitTyp: ['wind'], leistungMinKw: 10_000 } } },
  async handle({ body, caller, records }) {
    mustBeKeepable(body.criteria);
    const row = await records(async (session) => {
      const present = await lockedFilters(session, caller.organisation.id);
      mustBeFree(present, body.name, named);
      if (present.length >= MAX_FILTERS) {
        const detail = `The organisation has ${present.length} saved filters, and at most ${MAX_FILTERS} are allowed; delete one first`;
        throw new Problem('UNPROCESSABLE', detail);
      }
      const now = new Date().toISOString();
      const { name, criteria, ansicht: view = null } = body;
      const made: SavedFilterRow = {
        ...{ id: randomUUIDv7(), kind: 'table', name, criteria, view, createdAt: now, updatedAt: now },
      };
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
  body: z.strictObject({
    name: writtenMembers.name.optional(),
    criteria: writtenMembers.criteria.optional(),
    ansicht: viewShape.nullable().optional().describe('Another view that it opens; null = none'),
  }),
  answer,
  problems: ['CONFLICT', 'NOT_FOUND', 'UNPROCESSABLE'],
  example: { path: { id: EXAMPLE_FILTER }, body: { name: 'Windparks ab 10 MW' } },
  async handle({ path, body: { name, criteria, ansicht }, caller, records }) {
    mustBeKeepable(criteria);
    const row = await records(async (session) => {
      const present = await lockedFilters(session, caller.organisation.id);
      const found = filterIn(present, path.id);
      if (name !== undefined) mustBeFree(present, name, named, found.id);
      if (name === undefined && criteria === undefined && ansicht === undefined) return found;
      const changed: SavedFilterRow = {
        ...found,
        name: name ?? found.name,
        criteria: criteria ?? found.criteria,
        view: ansicht === undefined ? found.view : ansicht,
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
  answer: deletedShape('saved filter'),
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
    return { body: deletedBody(deleted) };
  },
});

/** Reads all filters of an organisation; other calls that write them wait until the transaction ends. */
async function lockedFilters(session: Session, organisationId: string): Promise<SavedFilterRow[]> {
  await session.run(organisationToChange(organisationId));
  return session.rows(savedFilterRow, savedFiltersOf(organisationId));
}

/** Finds a filter of the table: the interface does not know those of the map. @throws Problem NOT_FOUND */
const filterIn = (present: readonly SavedFilterRow[], id: string): SavedFilterRow =>
  rowOfId(
    present.filter(({ kind }) => kind === 'table'),
    id,
    'saved filter',
    'GET /v1/saved-filters',
  );

/** A filter of the map has its name, too. */
const named = ({ kind, id }: SavedFilterRow): string => (kind === 'table' ? `saved filter ${id}` : 'filter of the map');
