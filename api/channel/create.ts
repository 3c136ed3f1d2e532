import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { CATEGORIES } from '../../sql/org/records/mailboxes.ts';
import { insertMessage } from '../../sql/org/records/messages.ts';
import {
  addParticipants,
  assetRow,
  assetsOutOfScope,
  type Channel,
  insertThread,
} from '../../sql/org/records/threads.ts';
import type { Session } from '../../sql/org/store.ts';
import { EXAMPLE_CONNECTION } from '../connections/connection.ts';
import { operation } from '../operation/operation.ts';
import { violated } from '../problem/problem.ts';
import { bodyList, mastrNumber, requirement, writtenText } from '../wire/parameters.ts';
import { pointer } from '../wire/violations.ts';
import { writeAnswer, writeResponse } from '../wire/write-response.ts';
import { addressees } from './addressees.ts';
import { openChannel, takeTurn } from './channel.ts';
import { messageText } from './message-text.ts';
import { actingUser, actingUserMember } from './sender.ts';

const MAX_SUBJECT = 200;
const MAX_ASSETS = 50;
const MAX_ADDRESSEES = 10;

const LINE_BREAK = /[\n\r\u2028\u2029]/;

const body = z.strictObject({
  connectionId: z
    .string({ error: requirement('must be the id of a connection') })
    .describe('The connection; it must be accepted'),
  body: messageText.describe('Text of the first message'),
  subject: writtenText(MAX_SUBJECT)
    .refine((text) => !LINE_BREAK.test(text), 'must be one line')
    .nullable()
    .optional()
    .describe('One line'),
  category: z
    .enum(CATEGORIES, `must be one of ${CATEGORIES.join(', ')}, or null`)
    .nullable()
    .optional()
    .describe('Decides the mailbox on both sides'),
  assets: bodyList(mastrNumber(), MAX_ASSETS)
    .optional()
    .describe('MaStR numbers: a subset of the units of the connection'),
  addressUserIds: bodyList(z.string('must be the id of a user'), MAX_ADDRESSEES)
    .optional()
    .describe('Users of either side who see the thread wherever it is routed; not the sender'),
  actingUserId: actingUserMember,
});

type NewThread = z.infer<typeof body>;

/** Creates a thread with its first message. */
export const createThread = operation({
  id: 'threads.create',
  method: 'POST',
  path: '/v1/threads',
  summary: 'Write to a partner: a thread with its first message',
  description:
    'The thread is visible to the counterpart at once and cannot be taken back. The row of the answer has the thread as ' +
    '`id` and its first message as `externalId`.',
  access: 'api',
  scope: 'channel:write',
  module: 'connection',
  cost: 'mutation',
  replayable: true,
  source: 'service',
  body,
  answer: writeResponse,
  problems: ['NOT_FOUND', 'UNPROCESSABLE'],
  example: { body: { connectionId: EXAMPLE_CONNECTION, body: 'Wann wird gewartet?', category: 'TECHNIK' } },
  async handle({ body, caller, records, dryRun }) {
    const { thread, message } = await records((session) => create(session, caller.organisation.id, body));
    return writeAnswer([{ id: thread, externalId: message, status: 'created' }], dryRun);
  },
});

async function create(session: Session, organisationId: string, sent: NewThread) {
  const connection = await openChannel(session, organisationId, sent.connectionId);
  const user = await actingUser(session, organisationId, sent.actingUserId);
  const assets = [...new Set(sent.assets)];
  await mustBeInScope(session, connection, assets, sent.assets ?? []);
  const addressed = await addressees(session, connection, sent.addressUserIds ?? [], user);
  const at = await takeTurn(session, connection);
  const [thread, message] = [randomUUIDv7(), randomUUIDv7()];
  const { subject = null, category = null } = sent;
  await session.run(insertThread({ id: thread, connection, subject, category, assets, at }));
  const about = { threadId: thread, number: 1, senderId: organisationId, user, viaApi: true };
  await session.run(insertMessage({ ...about, id: message, text: sent.body, at }));
  const participants = user === null ? addressed : [...addressed, { id: user.id, organisationId }];
  if (participants.length > 0) await session.run(addParticipants(thread, participants));
  return { thread, message };
}

/** @throws Problem INVALID_PARAMETER that names each unit outside the scope of the connection */
async function mustBeInScope(
  session: Session,
  { id }: Channel,
  assets: readonly string[],
  sent: readonly string[],
): Promise<void> {
  const outside = assets.length === 0 ? [] : await session.rows(assetRow, assetsOutOfScope(id, assets));
  if (outside.length === 0) return;
  throw violated(
    outside.map(({ asset }) => ({
      pointer: pointer(['assets', sent.indexOf(asset)]),
      code: 'INVALID_PARAMETER',
      detail: `assets has ${asset}, which is not in the scope of the connection; GET /v1/connections/${id}/assets lists what is`,
    })),
  );
}
