import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { insertMessage } from '../../sql/org/records/messages.ts';
import { addParticipants, countMessage, messageNumber } from '../../sql/org/records/threads.ts';
import type { Session } from '../../sql/org/store.ts';
import { operation } from '../operation/operation.ts';
import { writeAnswer, writeResponse } from '../wire/write-response.ts';
import { openChannel, takeTurn } from './channel.ts';
import { EXAMPLE_THREAD, findThread, threadId } from './find-thread.ts';
import { messageText } from './message-text.ts';
import { actingUser, actingUserMember } from './sender.ts';

const body = z.strictObject({
  body: messageText.describe('Text of the message'),
  actingUserId: actingUserMember,
});

/** Writes a message in a thread. */
export const writeMessage = operation({
  id: 'messages.create',
  method: 'POST',
  path: '/v1/threads/{id}/messages',
  summary: 'Write a message in a thread',
  description: 'The message is visible to the counterpart at once. The row of the answer has it as `id`.',
  access: 'api',
  scope: 'channel:write',
  module: 'connection',
  cost: 'mutation',
  replayable: true,
  source: 'service',
  pathParameters: threadId,
  body,
  answer: writeResponse,
  problems: ['NOT_FOUND', 'UNPROCESSABLE'],
  example: { path: { id: EXAMPLE_THREAD }, body: { body: 'Die Wartung ist am 12. Mai.' } },
  async handle({ path, body, caller, records, dryRun }) {
    const id = await records((session) => write(session, caller.organisation.id, path.id, body));
    return writeAnswer([{ id, externalId: null, status: 'created' }], dryRun);
  },
});

/** @returns the id of the message */
async function write(
  session: Session,
  organisationId: string,
  thread: string,
  sent: z.infer<typeof body>,
): Promise<string> {
  const { id: threadId, connectionId } = await findThread(session, organisationId, thread);
  const connection = await openChannel(session, organisationId, connectionId);
  const user = await actingUser(session, organisationId, sent.actingUserId);
  const at = await takeTurn(session, connection);
  const counted = await session.row(messageNumber, countMessage(threadId, at));
  if (counted === null) throw new Error('The thread was there a moment ago');
  const id = randomUUIDv7();
  const { number } = counted;
  const about = { threadId, number, senderId: organisationId, user, viaApi: true };
  await session.run(insertMessage({ ...about, id, text: sent.body, at }));
  if (user !== null) await session.run(addParticipants(threadId, [{ id: user.id, organisationId }]));
  return id;
}
