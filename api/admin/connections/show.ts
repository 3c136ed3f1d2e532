import { activeFieldCount, fieldCountRow } from '../../../sql/org/records/connections.ts';
import { singleRow } from '../../../sql/org/single-row.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { connectionArgument, findConnection } from './find-connection.ts';
import { describeConnection, showTo } from './shown.ts';

export const showConnectionCommand = adminCommand({
  name: 'connections show',
  summary: 'one connection of an organisation',
  examples: ['stadtwerk 019a0f6e-7c1b-7d52-9f0e-00000000c001'],
  parameters: { organisation: organisationArgument, connection: connectionArgument },
  run: (store, { organisation: reference, connection: id }) =>
    store.asOperator(async (session) => {
      const { organisation, connection } = await findConnection(session, reference, id);
      const { count } = await singleRow(session, fieldCountRow, activeFieldCount(connection.id));
      return { ...(await showTo(session, organisation, connection)), activeFields: count };
    }),
  format: ({ activeFields, ...connection }) => describeConnection(connection, activeFields),
});
