import { z } from 'zod';
import {
  CONNECTION_STATUSES,
  type ConnectionRow,
  connectionPage,
  connectionRow,
} from '../../sql/org/records/connections.ts';
import { operation } from '../operation/operation.ts';
import { listMetaShape, pageOf, pageParameters } from '../wire/paging.ts';
import { oneWord } from '../wire/parameters.ts';
import { connectionFrom, connectionShape } from './connection.ts';

const PATH = '/v1/connections';

/** Connections of the organisation, newest first. */
export const listConnections = operation({
  id: 'connections.list',
  method: 'GET',
  path: PATH,
  summary: 'Connections to other organisations, newest first',
  description:
    'Without `status`: those that wait for an answer and those that are accepted. Ended ones (DECLINED, REVOKED) are ' +
    'listed when `status` asks for them.',
  access: 'api',
  scope: 'connections:read',
  module: 'connection',
  cost: 'standard',
  source: 'service',
  query: z.strictObject({
    ...pageParameters,
    status: oneWord(CONNECTION_STATUSES).optional().describe('Connections in this status only'),
  }),
  answer: z.strictObject({ data: z.array(connectionShape), meta: z.strictObject(listMetaShape) }),
  example: { query: 'status=ACCEPTED' },
  async handle({ query, search, service, caller, records }) {
    const { id } = caller.organisation;
    const status = query.status ?? null;
    const page = await pageOf<ConnectionRow>({
      path: PATH,
      query,
      search,
      service,
      question: [id, status],
      keyOf: (row) => [row.createdAt, row.id],
      read: (after, limit) =>
        records((session) =>
          session.rows(connectionRow, connectionPage(id, { status, after: after as [string, string] | null, limit })),
        ),
    });
    return { headers: page.headers, body: { data: page.rows.map(connectionFrom), meta: page.meta } };
  },
});
