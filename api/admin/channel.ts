import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { refused } from '../../runtime/command-line/exit.ts';
import { argument, file, option, type Parameters } from '../../runtime/command-line/parameter.ts';
import {
  changeMessage,
  type MessageChange,
  messageToChange,
  type WrittenMessageRow,
  writtenMessageRow,
} from '../../sql/org/records/message-changes.ts';
import type { Attachment } from '../../sql/org/records/messages.ts';
import {
  newestMessages,
  newestThreads,
  participantsOf,
  shownMessageRow,
  shownParticipantRow,
  threadOverview,
  threadOverviewRow,
} from '../../sql/org/records/thread-overview.ts';
import { messageText } from '../channel/message-text.ts';
import { messageOf } from '../wire/violations.ts';
import type { AdminCommand, CommandTexts } from './common/admin-command.ts';
import { attachmentSchema, MAX_ATTACHMENTS } from './common/attachments.ts';
import { refuseFaults, shapeFaults } from './common/document-faults.ts';
import { organisationCommand } from './common/organisation-command.ts';
import { readJson } from './common/read-json.ts';
import { limitOption, uuid } from './common/schemas.ts';
import { type Columns, described, joined, listing, moment } from './common/text-table.ts';

/** What an organisation and its partners wrote to each other. */

type Thread = z.infer<typeof threadOverviewRow>;
type Message = z.infer<typeof shownMessageRow>;

/** Persons of the other side are only known by their id. */
const participantName = ({ user, side, externalId }: z.infer<typeof shownParticipantRow>): string =>
  externalId ?? `${user} (${side === 'own' ? 'no longer a user' : 'counterpart'})`;

const headOf = (participants: readonly z.infer<typeof shownParticipantRow>[]): Columns<Thread> => ({
  ...{ thread: 'id', with: 'counterpart' },
  connection: ({ connectionId, connectionStatus }) => `${connectionId} (${connectionStatus})`,
  ...{ subject: 'subject', category: 'category', units: ({ assets }) => joined(assets), mailbox: 'mailbox' },
  'takes part': () => joined(participants.map(participantName)),
  messages: 'messageCount',
});

function shownMessage(message: Message, organisation: string, counterpart: string): string {
  const { id, number, sender, person, viaApi, writtenAt, editedAt, text, attachments } = message;
  const side = sender === 'own' ? organisation : counterpart;
  const by = `${person ?? side}${person === null ? '' : ` of ${side}`}${viaApi ? ' via API' : ''}`;
  const edited = editedAt === null || text === null ? '' : `, edited ${moment(editedAt)}`;
  const attached = attachments.map(({ name, mediaType, bytes }) => `  [${name}, ${mediaType}, ${bytes} bytes]`);
  return [
    `${number}. ${by}, ${moment(writtenAt)}${edited} (${id})`,
    ...(text ?? '(deleted)').split('\n').map((each) => `  ${each}`.trimEnd()),
    ...attached,
  ].join('\n');
}

const MESSAGE = 'stadtwerk 0198a4c2-6e1f-7c3a-9d10-5b2f4e8a7c61';

interface Input {
  readonly message: string;
  readonly file?: string;
}

interface MessageEdit<Given> extends CommandTexts {
  readonly parameters?: Parameters;
  /** Stands before "the message …". */
  readonly done: string;
  /** Reads the file, if the command has one, before the message is looked for. @throws CommandFailed */
  read(content: string): Given;
  /** The new state of the message. @throws CommandFailed where there can be none */
  next(present: WrittenMessageRow, given: Given): Partial<MessageChange>;
}

/** A command that changes a message: only the side that wrote it may. */
const changing = <Given>({ done, read, next, parameters, ...texts }: MessageEdit<Given>): AdminCommand =>
  organisationCommand({
    ...texts,
    parameters: { message: argument('its id, as threads show lists it', uuid()), ...parameters },
    async run({ session, organisation: { id: own, externalId } }, { message, file: content = '' }: Input) {
      const given = read(content);
      const present = await session.row(writtenMessageRow, messageToChange(own, message));
      if (present === null) {
        throw refused(
          `${externalId} has no message ${message} in its threads\n` +
            `Its threads: npm run admin -- threads list ${externalId}; their messages: npm run admin -- threads show ${externalId} <thread>`,
        );
      }
      const { id, threadId, counterpartName, text, attachments, editedAt, deletedAt } = present;
      if (!present.own) throw refused(`${counterpartName} wrote the message ${id}, and only that side changes it`);
      const before: MessageChange = { text, attachments, editedAt, deletedAt };
      const after = { ...before, ...next(present, given) };
      const changed = !isDeepStrictEqual(before, after);
      if (changed) await session.run(changeMessage(id, after));
      return { organisation: externalId, message: { id, threadId, ...after }, changed };
    },
    format: ({ organisation, message, changed }) =>
      changed ? `${done} the message ${message.id} of ${organisation}.` : `The message ${message.id} is as before.`,
    logFields: ({ organisation, message, changed }) => (changed ? { organisation, message: message.id } : null),
  });

/** @throws CommandFailed where nothing can be written: the message was deleted, or the connection is not accepted */
function mustBeWritable({ id, deletedAt, connectionStatus }: WrittenMessageRow): void {
  if (deletedAt !== null) throw refused(`The message ${id} was deleted on ${moment(deletedAt)}, and stays so`);
  if (connectionStatus !== 'ACCEPTED') {
    throw refused(
      `The connection of the thread has ended (${connectionStatus}), so nothing is written any more. ` +
        'The message can still be deleted',
    );
  }
}

/** A line break at the end of a file does not count. @throws CommandFailed */
function readText(content: string): string {
  const { data, error } = messageText.safeParse(content.replace(/\r?\n$/, ''));
  if (error === undefined) return data;
  throw refused(`The text ${error.issues.map(messageOf).join('; ')}. Nothing was changed`);
}

const attachmentList = z
  .array(attachmentSchema, 'must be a list: [{name, mediaType, bytes}]')
  .max(MAX_ATTACHMENTS, `must have at most ${MAX_ATTACHMENTS} attachments`);

/** @throws CommandFailed listing every fault */
function readAttachments(content: string): z.infer<typeof attachmentList> {
  const raw = readJson(content);
  const { data, error } = attachmentList.safeParse(raw);
  return error === undefined ? data : refuseFaults(shapeFaults(error, raw, attachmentList));
}

/** Gives each attachment an id; one that was attached before keeps its own. */
function withIds(given: z.infer<typeof attachmentList>, present: readonly Attachment[]): Attachment[] {
  const free = [...present];
  return given.map((attachment) => {
    const place = free.findIndex(({ id: _, ...each }) => isDeepStrictEqual(each, attachment));
    const [former] = place < 0 ? [] : free.splice(place, 1);
    return { id: former?.id ?? randomUUIDv7(), ...attachment };
  });
}

export const channelCommands = [
  organisationCommand({
    name: 'threads list',
    summary: 'the threads of an organisation with its partners, by last message, and the mailbox where each lies',
    description: 'Those of connections that have ended are among them.',
    examples: ['stadtwerk', 'stadtwerk --limit 100'],
    parameters: {
      connection: option('<id>', 'only those on this connection', uuid().optional()),
      limit: limitOption('how many', 20),
    },
    run: ({ session, organisation: { id } }, { connection = null, limit }) =>
      session.rows(threadOverviewRow, newestThreads(id, connection, limit)),
    format: listing<Thread>('No threads', {
      ...{ thread: 'id', with: 'counterpart', subject: 'subject', category: 'category', mailbox: 'mailbox' },
      ...{ messages: 'messageCount', 'last message': 'lastActivityAt' },
    }),
  }),
  organisationCommand({
    name: 'threads show',
    summary: 'one thread of an organisation, who takes part, and its newest messages',
    examples: [MESSAGE],
    parameters: { thread: argument('its id', uuid()), limit: limitOption('how many messages', 50) },
    async run({ session, organisation: { id: own, externalId: organisation } }, { thread: id, limit }) {
      const thread = await session.row(threadOverviewRow, threadOverview(own, id));
      if (thread === null) {
        throw refused(
          `${organisation} has no thread ${id}\nThose it has: npm run admin -- threads list ${organisation}`,
        );
      }
      const participants = await session.rows(shownParticipantRow, participantsOf(own, id));
      const messages = await session.rows(shownMessageRow, newestMessages(own, id, limit));
      return { organisation, thread, participants, messages };
    },
    format: ({ organisation, thread, participants, messages }) =>
      [
        described(headOf(participants))(thread),
        ...messages.map((message) => shownMessage(message, organisation, thread.counterpart)),
      ].join('\n\n'),
  }),
  changing({
    name: 'messages edit',
    summary: 'replace the text of a message that the organisation wrote',
    description: [
      'Both sides see the new text, and that the message was edited; the order of threads stays. The text comes from a file, as',
      'arguments can be read by other users of the machine; a line break at its end does not count.',
    ].join('\n'),
    examples: [`${MESSAGE} text.txt`, `${MESSAGE} -`],
    parameters: { file: file('the new text; - reads standard input') },
    done: 'Edited',
    read: readText,
    next(present, text) {
      mustBeWritable(present);
      return { text, editedAt: text === present.text ? present.editedAt : new Date().toISOString() };
    },
  }),
  changing({
    name: 'messages delete',
    summary: 'remove text and attachments of a message that the organisation wrote',
    description:
      'Both sides still see that there was a message, from whom and when. This cannot be undone; it is possible on connections that have ended, too.',
    examples: [MESSAGE],
    done: 'Deleted',
    read: () => null,
    next: ({ deletedAt }) => ({ text: null, attachments: [], deletedAt: deletedAt ?? new Date().toISOString() }),
  }),
  changing({
    name: 'messages attach',
    summary: 'say what is attached to a message that the organisation wrote',
    description: [
      'The document is a list of everything that is attached afterwards; [] is nothing. Only name, media type and size are',
      'kept and shown, not the content:',
      '',
      '  [{ "name": "Plan.pdf", "mediaType": "application/pdf", "bytes": 48213 }]',
    ].join('\n'),
    examples: [`${MESSAGE} attachments.json`],
    parameters: { file: file('the document; - reads standard input') },
    done: 'Changed the attachments of',
    read: readAttachments,
    next(present, given) {
      mustBeWritable(present);
      return { attachments: withIds(given, present.attachments) };
    },
  }),
];
