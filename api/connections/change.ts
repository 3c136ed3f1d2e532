import { z } from 'zod';
import {
  answerInvitation,
  type ConnectionRecord,
  connectionRecord,
  connectionToChange,
  doneRow,
  endConnection,
  livingConnection,
} from '../../sql/org/records/connections.ts';
import { singleRow } from '../../sql/org/single-row.ts';
import type { Session } from '../../sql/org/store.ts';
import { operation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { connectionPath, EXAMPLE_INVITATION } from './connection.ts';
import { invitationShape, shownInvitation } from './invitation.ts';
import { lockedConnection, managing } from './locked-connection.ts';

const MOVES = ['ACCEPTED', 'DECLINED', 'REVOKED'] as const;

export const changeConnection = operation({
  ...managing,
  id: 'connections.change',
  method: 'PATCH',
  path: '/v1/connections/{id}',
  summary: 'Accept or decline an invitation, take it back, or end a connection',
  description:
    'The side that was invited accepts or declines, the one that invited takes back; either side ends an accepted connection. ' +
    'From then on no field crosses it and nothing is written on it; threads stay readable for both sides. What has ended never ' +
    'comes back.',
  pathParameters: connectionPath,
  body: z.strictObject({
    status: z
      .enum(MOVES, `must be one of ${MOVES.join(', ')}`)
      .describe('ACCEPTED, DECLINED: the answer to an invitation. REVOKED: taken back, or ended'),
  }),
  answer: z.strictObject({ data: invitationShape, meta: z.strictObject({}) }),
  problems: ['CONFLICT', 'NOT_FOUND'],
  example: { path: { id: EXAMPLE_INVITATION }, body: { status: 'DECLINED' } },
  async handle({ path, body: { status }, caller, records }) {
    const { id: organisationId } = caller.organisation;
    const row = await records(async (session) => {
      const connection = await lockedConnection(session, organisationId, path.id);
      if (status !== 'REVOKED') {
        await mustBeAnswerable(session, connection, organisationId, status);
        return singleRow(session, connectionRecord, answerInvitation(organisationId, connection.id, status));
      }
      const { done } = await singleRow(session, doneRow, endConnection(organisationId, connection.id));
      if (!done) {
        const detail =
          'The organisation was invited and has not answered; it can decline, and the side that invited can take the invitation back';
        throw new Problem('CONFLICT', detail);
      }
      return singleRow(session, connectionRecord, connectionToChange(organisationId, connection.id));
    });
    return { body: { data: shownInvitation(row, organisationId), meta: {} } };
  },
});

/** @throws Problem CONFLICT unless the organisation was invited, has not answered, and can be connected */
async function mustBeAnswerable(
  session: Session,
  { id, status, initiatorId, initiatorName, answeredAt }: ConnectionRecord,
  organisationId: string,
  answer: 'ACCEPTED' | 'DECLINED',
): Promise<void> {
  if (status === 'ACCEPTED') {
    throw new Problem('CONFLICT', `The connection was accepted before, on ${answeredAt}; it can be revoked`);
  }
  if (initiatorId === organisationId) {
    const detail =
      'The organisation has sent this invitation itself: only the side that was invited can answer it; it can be revoked';
    throw new Problem('CONFLICT', detail);
  }
  if (answer === 'DECLINED') return;
  const present = await session.row(connectionRecord, livingConnection(initiatorId, organisationId));
  if (present === null || present.id === id) return;
  throw new Problem(
    'CONFLICT',
    `There is a connection to ${initiatorName} already: ${present.id}; this invitation can be declined`,
  );
}
