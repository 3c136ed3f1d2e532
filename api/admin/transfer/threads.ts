import { z } from 'zod';
import {
  connectionIds,
  idRow,
  messageOfThreadRow,
  messagePlaceRow,
  messagesOfThreads,
  putMessages,
  putParticipants,
  putThreads,
  recountMessages,
  threadsOfMessages,
  threadsWithParticipants,
  threadWithParticipantsRow,
  type WholeMessage,
  type WholeThread,
  wholeMessage,
} from '../../../sql/org/records/whole-threads.ts';
import { sql } from '../../../sql/org/statement.ts';
import { messageText } from '../../channel/message-text.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { mastrNumber, writtenText } from '../../wire/parameters.ts';
import { attachmentSchema, MAX_ATTACHMENTS } from '../common/attachments.ts';
import type { Asked } from '../common/organisation-command.ts';
import { uuid } from '../common/schemas.ts';
import { type Complaint, documented, type Pair, section } from './section.ts';

const messageShape = documented(wholeMessage, {
  person: line(NAME_LENGTH).nullable(),
  text: messageText.nullable(),
  attachments: z
    .array(attachmentSchema.extend({ id: uuid() }))
    .max(MAX_ATTACHMENTS, `must have at most ${MAX_ATTACHMENTS}`),
})
  .refine(({ user, person }) => (user === null) === (person === null), 'must have both user and person, or neither')
  .refine(
    ({ text, deletedAt }) => (text === null) === (deletedAt !== null),
    'must have a text, or the time of its deletion, deletedAt',
  );

const { createdAt, updatedAt, messageCount: _, ...members } = threadWithParticipantsRow.shape;

const messages = z
  .array(messageShape)
  .min(1, 'must have the first message at least')
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'has a message more than once');

/**
 * The threads of the organisation's connections, with the messages of both sides: `own` and `counterpart` are meant as
 * the organisation sees them. So the documents of both sides describe one thread, which the second one finds as it is.
 */
export const threads = section<WholeThread>({
  ...{ name: 'threads', table: sql`threads`, key: 'id', idRequired: true },
  shape: documented(z.strictObject({ ...members, messages, createdAt, updatedAt }), {
    subject: writtenText(200).nullable(),
    assets: z.array(mastrNumber()),
    participants: z.array(documented(members.participants.element)).transform(byUser),
    messages,
  }),
  defaults: (now) => ({ subject: null, category: null, assets: [], participants: [], createdAt: now, updatedAt: now }),
  read: readThreads,
  write: writeThreads,
  merge: (present, updated) => ({
    ...updated,
    participants: byUser([...updated.participants, ...present.participants]),
    messages: mergedMessages(present.messages, updated.messages),
  }),
  async rules(place, pairs) {
    const connections = await place.session.rows(idRow, connectionIds(place.organisation.id));
    const known = new Set(connections.map(({ id }) => id));
    const threads = await storedThreads(place, pairs);
    const seen = new Set<string>();
    return (thread, present) => [
      misconnected(thread, present, known),
      ...thread.messages.map(({ id }): Complaint => {
        if (seen.has(id)) return [`has the message ${id}, which is in the document before`, 'messages'];
        seen.add(id);
        const isElsewhere = (threads.get(id) ?? thread.id) !== thread.id;
        return isElsewhere && [`has the message ${id}, which is in another thread of this store`, 'messages'];
      }),
      disordered(thread, present),
    ];
  },
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

async function readThreads({ session, organisation }: Asked): Promise<WholeThread[]> {
  const found = await session.rows(threadWithParticipantsRow, threadsWithParticipants(organisation.id));
  const messages = new Map<string, WholeMessage[]>(found.map(({ id }) => [id, []]));
  for (const batch of batches(found, ({ messageCount }) => messageCount)) {
    const statement = messagesOfThreads(
      organisation.id,
      batch.map(({ id }) => id),
    );
    for (const { threadId, ...message } of await session.rows(messageOfThreadRow, statement)) {
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

async function writeThreads({ session, organisation }: Asked, items: readonly WholeThread[]): Promise<void> {
  await session.run(putThreads(items));
  const participants = items.flatMap((thread) => thread.participants.map((each) => ({ threadId: thread.id, ...each })));
  for (const batch of batches(participants)) await session.run(putParticipants(organisation.id, batch));
  const messages = items.flatMap((thread) =>
    thread.messages.map((message, index) => ({ threadId: thread.id, number: index + 1, ...message })),
  );
  for (const batch of batches(messages)) await session.run(putMessages(organisation.id, batch));
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

function misconnected(
  { connectionId }: WholeThread,
  present: WholeThread | null,
  known: ReadonlySet<string>,
): Complaint {
  if (present !== null && present.connectionId !== connectionId) {
    return [`is not that of the thread in the store, ${present.connectionId}, where it stays`, 'connectionId'];
  }
  const message = 'is none of the connections of the organisation with another one';
  return !known.has(connectionId) && [message, 'connectionId'];
}

/** The thread in which the store has each message of the document that it has. */
async function storedThreads({ session }: Asked, pairs: readonly Pair<WholeThread>[]) {
  const threads = new Map<string, string>();
  for (const batch of batches(pairs.flatMap(({ updated }) => updated.messages.map(({ id }) => id)))) {
    const rows = await session.rows(messagePlaceRow, threadsOfMessages(batch));
    for (const { id, threadId } of rows) threads.set(id, threadId);
  }
  return threads;
}

/** A message is later than the one before it: only threads that went on in two stores at once do not fit together. */
function disordered({ messages }: WholeThread, present: WholeThread | null): Complaint {
  const late = messages.find(({ writtenAt }, place) => writtenAt <= (messages[place - 1]?.writtenAt ?? ''));
  const before = present === null ? 'the message before it' : 'what the store has before it';
  return late !== undefined && [`has the message ${late.id}, which is not later than ${before}`, 'messages'];
}
