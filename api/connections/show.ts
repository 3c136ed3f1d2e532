import { z } from 'zod';
import { activeFieldCount, fieldCountRow } from '../../sql/org/records/connections.ts';
import { operation } from '../operation/operation.ts';
import { connectionDetailShape, connectionFrom, connectionPath, EXAMPLE_CONNECTION } from './connection.ts';
import { findConnection } from './find-connection.ts';

/** One connection of the organisation. */
export const showConnection = operation({
  id: 'connections.show',
  method: 'GET',
  path: '/v1/connections/{id}',
  summary: 'One connection',
  description: 'Ended connections can be read, too. A connection of others is answered like one that does not exist.',
  access: 'api',
  scope: 'connections:read',
  module: 'connection',
  cost: 'standard',
  source: 'service',
  pathParameters: connectionPath,
  answer: z.strictObject({ data: connectionDetailShape, meta: z.strictObject({}) }),
  problems: ['NOT_FOUND'],
  example: { path: { id: EXAMPLE_CONNECTION } },
  async handle({ path, caller, records }) {
    const data = await records(async (session) => {
      const connection = await findConnection(session, caller.organisation.id, path.id);
      const fields = await session.row(fieldCountRow, activeFieldCount(connection.id));
      return { ...connectionFrom(connection), aktivierteFelder: fields?.count ?? 0 };
    });
    return { body: { data, meta: {} } };
  },
});
