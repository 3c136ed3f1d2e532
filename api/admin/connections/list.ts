import { z } from 'zod';
import { choice, option } from '../../../runtime/command-line/parameter.ts';
import { CONNECTION_STATUSES, connectionRecord, connectionsOf } from '../../../sql/org/records/connections.ts';
import { adminCommand } from '../common/admin-command.ts';
import { findOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { moment, table } from '../common/text-table.ts';
import { describeCounterpart, shownTo } from './shown.ts';

export const listConnectionsCommand = adminCommand({
  name: 'connections list',
  summary: 'the connections of an organisation, with invitations and what has ended, newest first',
  examples: ['stadtwerk', 'stadtwerk --status PENDING'],
  parameters: {
    organisation: organisationArgument,
    status: choice(
      option('<status>', 'connections in this status only', z.enum(CONNECTION_STATUSES).optional()),
      CONNECTION_STATUSES,
    ),
  },
  run: (store, { organisation: reference, status }) =>
    store.asOperator(async (session) => {
      const organisation = await findOrganisation(session, reference);
      const connections = await session.rows(connectionRecord, connectionsOf(organisation.id));
      return shownTo(
        session,
        organisation,
        connections.filter((connection) => status === undefined || connection.status === status),
      );
    }),
  format: (connections) =>
    connections.length === 0
      ? 'No connections'
      : table(
          ['connection', 'status', 'role', 'with', 'assets', 'made', 'answered', 'changed'],
          connections.map((connection) => [
            connection.id,
            connection.status,
            connection.role,
            describeCounterpart(connection),
            connection.assets,
            moment(connection.createdAt),
            moment(connection.answeredAt),
            moment(connection.updatedAt),
          ]),
        ),
});
