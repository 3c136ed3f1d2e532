import { z } from 'zod';
import { DIRECTIONS } from '../../sql/org/records/shared-fields.ts';
import { connectionPath, EXAMPLE_CONNECTION } from '../connections/connection.ts';
import { findConnection } from '../connections/find-connection.ts';
import { operation } from '../operation/operation.ts';
import { mastrNumber, oneWord } from '../wire/parameters.ts';
import { readSharedFields } from './read.ts';
import { sharedFieldShape } from './shared-field.ts';

/** Lists the fields that the two sides of a connection show each other, and ask of each other. */
export const listSharedFields = operation({
  id: 'shared-fields.list',
  method: 'GET',
  path: '/v1/connections/{id}/shared-fields',
  summary: 'Fields that cross a connection, by unit and name',
  description:
    'A row for each unit and field where all four hold: the connection is accepted, the field is released, it is active on ' +
    'this connection, and the unit is in scope. If one ceases, the row disappears. Both sides see the same rows: `besitzer` ' +
    'says whose field it is.',
  access: 'api',
  scope: 'connections:read',
  module: 'connection',
  cost: 'standard',
  source: 'service',
  pathParameters: connectionPath,
  query: z.strictObject({
    anlage: mastrNumber().optional().describe('Only this unit'),
    richtung: oneWord(DIRECTIONS).optional().describe('Only rows of this direction'),
  }),
  answer: z.strictObject({
    data: z.array(sharedFieldShape),
    meta: z.strictObject({
      count: z.int(),
      hasMore: z.boolean().describe('true: there are more rows than one answer has room for; ask unit by unit'),
      cursor: z.null(),
    }),
  }),
  problems: ['NOT_FOUND'],
  example: { path: { id: EXAMPLE_CONNECTION }, query: 'richtung=REQUEST' },
  handle: ({ path, query, caller, records }) =>
    records(async (session) => {
      const organisationId = caller.organisation.id;
      const { id } = await findConnection(session, organisationId, path.id);
      const { rows, hasMore } = await readSharedFields(session, {
        organisationId,
        connectionId: id,
        mastrNumber: query.anlage ?? null,
        direction: query.richtung ?? null,
      });
      return { body: { data: [...rows], meta: { count: rows.length, hasMore, cursor: null } } };
    }),
});
