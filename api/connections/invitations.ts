import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { isUuid, organisationRow, organisationsWithUser } from '../../sql/org/organisations.ts';
import {
  type ConnectionRecord,
  connectionRecord,
  connectionToChange,
  doneRow,
  invitationPage,
  invitationsByEmail,
  livingConnection,
  lockSides,
  sendInvitation,
  sentBy,
  sentRow,
  sideRow,
} from '../../sql/org/records/connections.ts';
import { singleRow } from '../../sql/org/single-row.ts';
import type { Session } from '../../sql/org/store.ts';
import { operation } from '../operation/operation.ts';
import { Problem, violated } from '../problem/problem.ts';
import { email } from '../wire/email.ts';
import { listMetaShape, pageOf, pageParameters } from '../wire/paging.ts';
import { invitationShape, shownInvitation } from './invitation.ts';
import { managing } from './locked-connection.ts';

/** An organisation invites another one, and sees what is not answered. */

/** Others see invitations, and none is ever taken out of the store. */
const MAX_UNANSWERED = 100;
const MAX_SENT = 5000;

const PATH = '/v1/connections/invitations';

export const listInvitations = operation({
  id: 'connections.invitations',
  method: 'GET',
  path: PATH,
  summary: 'Invitations that nobody has answered, sent and received, newest first',
  description:
    'Also those to an e-mail address: sent ones, and those to an address of a user of the organisation. GET /v1/connections ' +
    'does not list these.',
  access: 'api',
  scope: 'connections:read',
  module: 'connection',
  cost: 'standard',
  source: 'service',
  query: z.strictObject(pageParameters),
  answer: z.strictObject({ data: z.array(invitationShape), meta: z.strictObject(listMetaShape) }),
  async handle({ query, search, service, caller, records }) {
    const { id } = caller.organisation;
    const page = await pageOf<ConnectionRecord>({
      ...{ path: PATH, query, search, service, question: id },
      keyOf: (row) => [row.createdAt, row.id],
      read: (after, limit) =>
        records((session) =>
          session.rows(connectionRecord, invitationPage(id, after as [string, string] | null, limit)),
        ),
    });
    return { headers: page.headers, body: { data: page.rows.map((row) => shownInvitation(row, id)), meta: page.meta } };
  },
});

export const inviteToConnection = operation({
  ...managing,
  id: 'connections.invite',
  method: 'POST',
  path: '/v1/connections',
  summary: 'Invite another organisation to a connection',
  description:
    'Either `organisationId`, which the other organisation reads in GET /v1/me and passes on, or `email`: whichever ' +
    'organisation has a user of this address can accept, and the answer does not tell whether there is one. Two organisations ' +
    'have at most one connection that has not ended.',
  body: z.strictObject({
    organisationId: z.string('must be a text').optional().describe('The organisation that is invited'),
    email: email().optional().describe('Invite whoever has this e-mail address instead'),
  }),
  answer: z.strictObject({ data: invitationShape, meta: z.strictObject({}) }),
  status: 201,
  problems: ['CONFLICT', 'UNPROCESSABLE'],
  example: { body: { email: 'bert@windpark.example' } },
  async handle({ body: { organisationId: invitedId, email: address }, caller, records }) {
    if ((invitedId === undefined) === (address === undefined)) {
      throw new Problem('UNPROCESSABLE', 'Name either organisationId, the organisation that is invited, or email');
    }
    const { id: organisationId } = caller.organisation;
    const row = await records(async (session) => {
      const id = randomUUIDv7();
      const { name } = await singleRow(
        session,
        sideRow,
        lockSides(organisationId, invitedId !== undefined && isUuid(invitedId) ? invitedId : organisationId),
      );
      if (invitedId !== undefined && (!isUuid(invitedId) || name === null)) throw unknown();
      await mustHaveRoom(session, organisationId);
      if (invitedId !== undefined) await mustBeUnconnected(session, organisationId, invitedId.toLowerCase());
      if (address !== undefined) await mustBeNewAddress(session, organisationId, address);
      const sent = { id, initiatorId: organisationId, invitedId: invitedId ?? null, email: address ?? null };
      await singleRow(session, doneRow, sendInvitation(sent));
      return singleRow(session, connectionRecord, connectionToChange(organisationId, id));
    });
    return { body: { data: shownInvitation(row, organisationId), meta: {} } };
  },
});

const unknown = (): Problem =>
  violated([
    {
      ...{ pointer: '#/organisationId', code: 'UNPROCESSABLE' },
      detail: 'organisationId names no organisation; it is organization.id of GET /v1/me of the other one',
    },
  ]);

/** @throws Problem UNPROCESSABLE when the organisation has sent as many invitations as it may */
async function mustHaveRoom(session: Session, organisationId: string): Promise<void> {
  const { sent, unanswered } = await singleRow(session, sentRow, sentBy(organisationId));
  if (unanswered >= MAX_UNANSWERED) {
    const detail = `${unanswered} invitations of the organisation are not answered, and at most ${MAX_UNANSWERED} may be; take one back first`;
    throw new Problem('UNPROCESSABLE', detail);
  }
  if (sent >= MAX_SENT)
    throw new Problem('UNPROCESSABLE', `The organisation has sent ${sent} invitations, the most there may be`);
}

/** @throws Problem CONFLICT when two organisations are one, or have a connection that has not ended */
async function mustBeUnconnected(session: Session, organisationId: string, otherId: string): Promise<void> {
  if (organisationId === otherId) throw new Problem('CONFLICT', 'An organisation cannot be connected to itself');
  const present = await session.row(connectionRecord, livingConnection(organisationId, otherId));
  if (present === null) return;
  const { id, status, initiatorId } = present;
  const sender = initiatorId === organisationId ? 'The organisation' : 'The other organisation';
  const what = status === 'ACCEPTED' ? 'The two are connected already' : `${sender} has sent an invitation already`;
  throw new Problem('CONFLICT', `${what}: connection ${id}`);
}

/**
 * Refuses an address that is invited already, or that only organisations have who could not accept. A session of one
 * organisation sees its own users alone, so its answer tells nothing of others.
 * @throws Problem CONFLICT
 */
async function mustBeNewAddress(session: Session, organisationId: string, address: string): Promise<void> {
  const present = await session.row(connectionRecord, invitationsByEmail(organisationId, address));
  if (present !== null) {
    throw new Problem('CONFLICT', `The organisation has invited this address already: connection ${present.id}`);
  }
  const holders = (await session.rows(organisationRow, organisationsWithUser(address))).map(({ id }) => id);
  if (holders.length === 0) return;
  const others = holders.filter((id) => id !== organisationId);
  for (const other of others) {
    if ((await session.row(connectionRecord, livingConnection(organisationId, other))) === null) return;
  }
  const [first] = others;
  if (first !== undefined) return mustBeUnconnected(session, organisationId, first);
  throw new Problem('CONFLICT', 'The address is that of a user of the organisation itself');
}
