import { refused } from '../../../runtime/command-line/exit.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import {
  type ConnectionRecord,
  connectionRecord,
  livingConnection,
  putConnections,
} from '../../../sql/org/records/connections.ts';
import type { OrgStore, Session } from '../../../sql/org/store.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { connectionArgument, lockConnection } from './find-connection.ts';
import { describeCounterpart, type ShownConnection, showTo } from './shown.ts';
import { requireRevocable, requireUnanswered, timeOfChange } from './states.ts';

/** The commands that change the status of a connection. */

interface ChangedConnection {
  /** External id. */
  readonly organisation: string;
  readonly connection: ShownConnection;
}

const parameters = { organisation: organisationArgument, connection: connectionArgument };

const logFields = ({ organisation, connection: { id, status } }: ChangedConnection) => ({
  organisation,
  connection: id,
  status,
});

/** A change of a connection, locked, on behalf of one organisation at one moment. */
interface Change {
  readonly session: Session;
  readonly connection: ConnectionRecord;
  readonly organisation: OrganisationRow;
  /** RFC 3339. */
  readonly at: string;
}

/** @param change returns the new row, or throws CommandFailed */
const changeStatus = (
  store: OrgStore,
  reference: string,
  id: string,
  change: (change: Change) => ConnectionRecord | Promise<ConnectionRecord>,
): Promise<ChangedConnection> =>
  store.asOperator(async (session) => {
    const { organisation, connection } = await lockConnection(session, reference, id);
    const at = timeOfChange(connection);
    const changed = { ...(await change({ session, connection, organisation, at })), updatedAt: at };
    await session.run(putConnections([changed]));
    return { organisation: organisation.externalId, connection: await showTo(session, organisation, changed) };
  });

/** The row of an invitation that an organisation answers; one to an e-mail address has its other side from then on. */
const answered = (
  { connection, organisation: { id, name }, at }: Change,
  status: 'ACCEPTED' | 'DECLINED',
): ConnectionRecord => ({
  ...connection,
  status,
  invitedId: id,
  invitedName: name,
  invitedEmail: null,
  answeredAt: at,
});

export const acceptConnection = adminCommand({
  name: 'connections accept',
  summary: 'accept an invitation',
  description: 'An invitation to an e-mail address is accepted by an organisation that has a user of that address.',
  examples: ['windpark 019a0f6e-7c1b-7d52-9f0e-00000000c001'],
  parameters,
  run: (store, { organisation: reference, connection: id }) =>
    changeStatus(store, reference, id, async (change) => {
      const { session, connection, organisation } = change;
      requireUnanswered(connection, organisation);
      const { initiatorId, initiatorName } = connection;
      const present = await session.row(connectionRecord, livingConnection(initiatorId, organisation.id));
      if (present !== null && present.id !== connection.id) {
        throw refused(
          `${organisation.externalId} has a connection to ${initiatorName} already: ${present.id}\n` +
            `To refuse this invitation: npm run admin -- connections decline ${organisation.externalId} ${connection.id}`,
        );
      }
      return answered(change, 'ACCEPTED');
    }),
  format: ({ organisation, connection }) =>
    `${organisation} is connected to ${describeCounterpart(connection)}: ${connection.id}`,
  note: ({ organisation, connection: { id, assets } }) =>
    assets === 0 ? `It has no assets yet: npm run admin -- connections assets add ${organisation} ${id} …` : '',
  logFields,
});

export const declineConnection = adminCommand({
  name: 'connections decline',
  summary: 'decline an invitation, for good',
  examples: ['windpark 019a0f6e-7c1b-7d52-9f0e-00000000c001'],
  parameters,
  run: (store, { organisation: reference, connection: id }) =>
    changeStatus(store, reference, id, (change) => {
      requireUnanswered(change.connection, change.organisation);
      return answered(change, 'DECLINED');
    }),
  format: ({ organisation, connection }) =>
    `${organisation} has declined the invitation of ${describeCounterpart(connection)}: ${connection.id}`,
  logFields,
});

export const revokeConnection = adminCommand({
  name: 'connections revoke',
  summary: 'end a connection, or take an invitation back, for good',
  description:
    'Either side ends an accepted connection. From then on no field crosses it and nothing is written on it; threads stay ' +
    'readable for both sides.',
  examples: ['stadtwerk 019a0f6e-7c1b-7d52-9f0e-00000000c001'],
  parameters,
  run: (store, { organisation: reference, connection: id }) =>
    changeStatus(store, reference, id, ({ connection, organisation }) => {
      requireRevocable(connection, organisation);
      return { ...connection, status: 'REVOKED' };
    }),
  format: ({ organisation, connection }) =>
    connection.answeredAt === null
      ? `${organisation} has taken back the invitation to ${describeCounterpart(connection)}: ${connection.id}`
      : `${organisation} has ended the connection to ${describeCounterpart(connection)}: ${connection.id}`,
  logFields,
});
