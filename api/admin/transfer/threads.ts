import { z } from 'zod';
import { CATEGORIES } from '../../../sql/org/records/mailboxes.ts';
import {
  connectionIds,
  messageOfThreadRow,
  messagePlaceRow,
  messagesOfThreads,
  putMessages,
  putParticipants,
  putThreads,
  recountMessages,
  SIDES,
  threadsOfMessages,
  threadsWithParticipants,
  threadWithParticipantsRow,
  type WholeMessage,
  type WholeThread,
} from '../../../sql/org/records/whole-threads.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { Session } from '../../../sql/org/store.ts';
import { messageText } from '../../channel/message-text.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { mastrNumber, writtenText } from '../../wire/parameters.ts';
import { attachmentSchema, MAX_ATTACHMENTS } from '../common/attachments.ts';
import { timestampOption, uuid } from '../common/schemas.ts';
import { idsOf } from './ids.ts';
import { type Fault, type Pair, section } from './section.ts';

const NAME = 'threads';

const side = () => z.enum(SIDES, `must be one of ${SIDES.join(', ')}`);

const messageShape = z
  .strictObject({
    id: uuid(),
    sender: side(),
    user: uuid().nullable(),
    person: line(NAME_LENGTH).nullable(),
    viaApi: z.boolean(),
    text: messageText.nullable(),
    attachments: z
      .array(attachmentSchema.extend({ id: uuid() }))
      .max(MAX_ATTACHMENTS, `must have at most ${MAX_ATTACHMENTS}`),
    writtenAt: timestampOption(),
    editedAt: timestampOption().nullable(),
    deletedAt: timestampOption().nullable(),
  })
  .refine(({ user, person }) => (user === null) === (person === null), 'must have both user and person, or neither')
  .refine(
    ({ text, deletedAt }) => (text === null) === (deletedAt !== null),
    'must have a text, or the time of its deletion, deletedAt',
  );

/**
 * The threads of the organisation's connections, with the messages of both sides: `own` and `counterpart` are meant as
 * the organisation sees them. So the documents of both sides describe one thread, which the second one finds as it is.
 */
export const threads = section<WholeThread>({
  name: NAME,
  shape: z.strictObject({
    id: uuid(),
    connectionId: uuid(),
    subject: writtenText(200).nullable(),
    category: z.enum(CATEGORIES, `must be one of ${CATEGORIES.join(', ')}`).nullable(),
    assets: z.array(mastrNumber()),
    participants: z.array(z.strictObject({ user: uuid(), side: side() })).transform(byUser),
    messages: z
      .array(messageShape)
      .min(1, 'must have the first message at least')
      .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'has a message more than once'),
    createdAt: timestampOption(),
    updatedAt: timestampOption(),
  }),
  key: 'id',
  idRequired: true,
  defaults: (now) => ({ subject: null, category: null, assets: [], participants: [], createdAt: now, updatedAt: now }),
  read: readThreads,
  write: writeThreads,
  existingIds: (session, ids) => idsOf(session, sql`SELECT id FROM threads WHERE id = ANY (${ids}::uuid[])`),
  merge: (present, updated) => ({
    ...updated,
    participants: byUser([...updated.participants, ...present.participants]),
    messages: mergedMessages(present.messages, updated.messages),
  }),
  faults: async (session, organisationId, pairs) => [
    ...(await connectionFaults(session, organisationId, pairs)),
    ...(await messageFaults(session, pairs)),
  ],
});

type Participants = WholeThread['participants'];

/** Each person once, sorted by id. */
function byUser(participants: Participants): Participants {
  const sides = new Map(participants.map((participant) => [participant.user, participant]));
  return [...sides.values()].sort((a, b) => (a.user < b.user ? -1 : 1));
}

/**
 * Messages of the store with those of the document. Nothing is lost: messages that the document lacks stay, new ones
 * follow with the next numbers, so that readers who have the others find them. Only the side that wrote a message
 * changes it, and a deleted one does not come back.
 */
function mergedMessages(present: readonly WholeMessage[], given: readonly WholeMessage[]): readonly WholeMessage[] {
  const byId = new Map(given.map((message) => [message.id, message]));
  const kept = present.map((message) => {
    const update = byId.get(message.id);
    if (update === undefined || message.sender !== 'own' || message.deletedAt !== null) return message;
    const { text, attachments, editedAt, deletedAt } = update;
    return { ...message, text, attachments, editedAt, deletedAt };
  });
  const known = new Set(present.map(({ id }) => id));
  return [...kept, ...given.filter(({ id }) => !known.has(id))];
}

/** Messages that one statement reads or writes: there can be hundreds of thousands. */
const BATCH_SIZE = 5_000;

async function readThreads(session: Session, organisationId: string): Promise<WholeThread[]> {
  const found = await session.rows(threadWithParticipantsRow, threadsWithParticipants(organisationId));
  const messages = new Map<string, WholeMessage[]>(found.map(({ id }) => [id, []]));
  for (const batch of batches(found, ({ messageCount }) => messageCount)) {
    const ids = batch.map(({ id }) => id);
    for (const { threadId, ...message } of await session.rows(
      messageOfThreadRow,
      messagesOfThreads(organisationId, ids),
    )) {
      messages.get(threadId)?.push(message);
    }
  }
  return found.map(({ messageCount: _, createdAt, updatedAt, ...thread }) => ({
    ...thread,
    messages: messages.get(thread.id) ?? [],
    createdAt,
    updatedAt,
  }));
}

async function writeThreads(session: Session, organisationId: string, items: readonly WholeThread[]): Promise<void> {
  await session.run(putThreads(items));
  const participants = items.flatMap((thread) => thread.participants.map((each) => ({ threadId: thread.id, ...each })));
  for (const batch of batches(participants)) await session.run(putParticipants(organisationId, batch));
  const messages = items.flatMap((thread) =>
    thread.messages.map((message, index) => ({ threadId: thread.id, number: index + 1, ...message })),
  );
  for (const batch of batches(messages)) await session.run(putMessages(organisationId, batch));
  await session.run(recountMessages(items.map(({ id }) => id)));
}

/** Consecutive items whose weights are about a batch together, each at least one. */
function* batches<Item>(items: readonly Item[], weightOf: (item: Item) => number = () => 1): Iterable<Item[]> {
  let batch: Item[] = [];
  let weight = 0;
  for (const item of items) {
    batch.push(item);
    weight += weightOf(item);
    if (weight < BATCH_SIZE) continue;
    yield batch;
    batch = [];
    weight = 0;
  }
  if (batch.length > 0) yield batch;
}

async function connectionFaults(
  session: Session,
  organisationId: string,
  pairs: readonly Pair<WholeThread>[],
): Promise<Fault[]> {
  const known = new Set(await idsOf(session, connectionIds(organisationId)));
  return pairs.flatMap(({ index, present, updated: { connectionId } }): Fault[] => {
    const path = [NAME, index, 'connectionId'];
    if (present !== null && present.connectionId !== connectionId) {
      return [{ path, message: `is not that of the thread in the store, ${present.connectionId}, where it stays` }];
    }
    if (known.has(connectionId)) return [];
    return [{ path, message: 'is none of the connections of the organisation with another one' }];
  });
}

/** A message is in one thread, of the document and of the store, and later than the one before it. */
async function messageFaults(session: Session, pairs: readonly Pair<WholeThread>[]): Promise<Fault[]> {
  const placed = pairs.flatMap(({ index, updated }) =>
    updated.messages.map(({ id }) => ({ id, index, thread: updated.id })),
  );
  const stored = new Map<string, string>();
  for (const batch of batches(placed)) {
    const rows = await session.rows(messagePlaceRow, threadsOfMessages(batch.map(({ id }) => id)));
    for (const { id, threadId } of rows) stored.set(id, threadId);
  }
  const seen = new Set<string>();
  const misplaced = placed.flatMap(({ id, index, thread }): Fault[] => {
    const path = [NAME, index, 'messages'];
    if (seen.has(id)) return [{ path, message: `has the message ${id}, which is in the document before` }];
    seen.add(id);
    return (stored.get(id) ?? thread) === thread
      ? []
      : [{ path, message: `has the message ${id}, which is in another thread of this store` }];
  });
  return [...misplaced, ...pairs.flatMap(disorder)];
}

/** Only threads that went on in two stores at once do not fit together. */
function disorder({ index, present, updated }: Pair<WholeThread>): Fault[] {
  const late = updated.messages.find(
    ({ writtenAt }, place) => writtenAt <= (updated.messages[place - 1]?.writtenAt ?? ''),
  );
  if (late === undefined) return [];
  const before = present === null ? 'the message before it' : 'what the store has before it';
  return [
    { path: [NAME, index, 'messages'], message: `has the message ${late.id}, which is not later than ${before}` },
  ];
}
