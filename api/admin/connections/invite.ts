import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { refused, usageError } from '../../../runtime/command-line/exit.ts';
import { argument, option } from '../../../runtime/command-line/parameter.ts';
import { type OrganisationRow, organisationRow, organisationsWithUser } from '../../../sql/org/organisations.ts';
import {
  type ConnectionRecord,
  connectionRecord,
  invitationsByEmail,
  livingConnection,
  putConnections,
} from '../../../sql/org/records/connections.ts';
import type { Session } from '../../../sql/org/store.ts';
import { email } from '../../wire/email.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { lockOrganisations } from './find-connection.ts';
import { describeCounterpart, showTo } from './shown.ts';

export const inviteToConnection = adminCommand({
  name: 'connections invite',
  summary: 'invite another organisation to a connection',
  description:
    'Two organisations have at most one connection that has not ended. An invitation to an e-mail address can be accepted ' +
    'by any organisation with a user of that address; until then, the API shows it to nobody.',
  examples: ['stadtwerk windpark', 'stadtwerk --email anna@windpark.example'],
  parameters: {
    organisation: organisationArgument,
    partner: argument('the organisation that is invited: its external id or its UUID', z.string().min(1).optional()),
    email: option('<address>', 'invite whoever has this e-mail address instead', email().optional()),
  },
  run(store, { organisation: reference, partner, email: address }) {
    if ((partner === undefined) === (address === undefined)) {
      throw usageError(
        'Name either the organisation that is invited, or --email\nHelp: npm run admin -- connections invite --help',
      );
    }
    return store.asOperator(async (session) => {
      const references = partner === undefined ? [reference] : [reference, partner];
      const [organisation, invited = null] = await lockOrganisations(session, references);
      if (organisation === undefined) throw new Error('As many organisations are locked as are named');
      if (invited !== null) await mustBeUnconnected(session, organisation, invited);
      if (address !== undefined) await mustBeNewAddress(session, organisation, address);
      const now = new Date().toISOString();
      const made: ConnectionRecord = {
        id: randomUUIDv7(),
        initiatorId: organisation.id,
        initiatorName: organisation.name,
        invitedId: invited?.id ?? null,
        invitedName: invited?.name ?? null,
        invitedEmail: address ?? null,
        status: 'PENDING',
        createdAt: now,
        answeredAt: null,
        updatedAt: now,
        assetCount: 0,
      };
      await session.run(putConnections([made]));
      return { organisation: organisation.externalId, connection: await showTo(session, organisation, made) };
    });
  },
  format: ({ organisation, connection }) =>
    `${organisation} has invited ${describeCounterpart(connection)}: connection ${connection.id}`,
  note: ({ connection: { id, counterpart } }) =>
    counterpart === null
      ? `Next, with an organisation that has a user of this address: npm run admin -- connections accept <organisation> ${id}`
      : `Next: npm run admin -- connections accept ${counterpart.externalId} ${id}`,
  logFields: ({ organisation, connection }) => ({ organisation, connection: connection.id }),
});

/** @throws CommandFailed when two organisations cannot be connected, since they are one, or are connected already */
async function mustBeUnconnected(session: Session, one: OrganisationRow, other: OrganisationRow): Promise<void> {
  if (one.id === other.id) throw refused(`${one.externalId} cannot be connected to itself`);
  const present = await session.row(connectionRecord, livingConnection(one.id, other.id));
  if (present === null) return;
  const isInvited = present.status === 'PENDING' && present.initiatorId === other.id;
  const what =
    present.status === 'ACCEPTED'
      ? `${one.externalId} and ${other.externalId} are connected already`
      : `${isInvited ? other.externalId : one.externalId} has sent an invitation already`;
  const next = isInvited
    ? 'To accept it: npm run admin -- connections accept'
    : 'To look at it: npm run admin -- connections show';
  throw refused(`${what}: connection ${present.id}\n${next} ${one.externalId} ${present.id}`);
}

/** @throws CommandFailed when the address is invited already, or nobody who has it could accept */
async function mustBeNewAddress(session: Session, organisation: OrganisationRow, address: string): Promise<void> {
  const { id, externalId } = organisation;
  const present = await session.row(connectionRecord, invitationsByEmail(id, address));
  if (present !== null) {
    throw refused(
      `${externalId} has invited ${address} already: connection ${present.id}\n` +
        `To take that back: npm run admin -- connections revoke ${externalId} ${present.id}`,
    );
  }
  const holders = await session.rows(organisationRow, organisationsWithUser(address));
  const [first] = holders;
  if (first === undefined) return;
  const free: OrganisationRow[] = [];
  for (const holder of holders) {
    if (holder.id !== id && (await session.row(connectionRecord, livingConnection(id, holder.id))) === null)
      free.push(holder);
  }
  if (free.length > 0) return;
  if (first.id !== id) return mustBeUnconnected(session, organisation, first);
  throw refused(`${address} is the address of a user of ${externalId} itself`);
}
