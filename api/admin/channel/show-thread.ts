import type { z } from 'zod';
import { refused } from '../../../runtime/command-line/exit.ts';
import { argument, option } from '../../../runtime/command-line/parameter.ts';
import {
  newestMessages,
  participantsOf,
  shownMessageRow,
  shownParticipantRow,
  threadOverview,
  threadOverviewRow,
} from '../../../sql/org/records/thread-overview.ts';
import { adminCommand } from '../common/admin-command.ts';
import { findOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { count, uuid } from '../common/schemas.ts';
import { joined, moment, nameValueLines } from '../common/text-table.ts';

const NEWEST = 50;

export const showThread = adminCommand({
  name: 'threads show',
  summary: 'one thread of an organisation, who takes part, and its newest messages',
  examples: ['stadtwerk 0198a4c2-6e1f-7c3a-9d10-5b2f4e8a7c61'],
  parameters: {
    organisation: organisationArgument,
    thread: argument('its id', uuid()),
    limit: option('<n>', `how many messages (default: ${NEWEST})`, count(10_000).optional().default(NEWEST)),
  },
  run: (store, { organisation: reference, thread: id, limit }) =>
    store.asOperator(async (session) => {
      const organisation = await findOrganisation(session, reference);
      const thread = await session.row(threadOverviewRow, threadOverview(organisation.id, id));
      if (thread === null) {
        throw refused(
          `${organisation.externalId} has no thread ${id}\n` +
            `Those it has: npm run admin -- threads list ${organisation.externalId}`,
        );
      }
      const participants = await session.rows(shownParticipantRow, participantsOf(organisation.id, id));
      const messages = await session.rows(shownMessageRow, newestMessages(organisation.id, id, limit));
      return { organisation: organisation.externalId, thread, participants, messages };
    }),
  format({ organisation, thread, participants, messages }) {
    const head = nameValueLines([
      ['thread', thread.id],
      ['with', thread.counterpart],
      ['connection', `${thread.connectionId} (${thread.connectionStatus})`],
      ['subject', thread.subject],
      ['category', thread.category],
      ['units', joined(thread.assets)],
      ['mailbox', thread.mailbox],
      ['takes part', joined(participants.map(participantName))],
      ['messages', thread.messageCount],
    ]);
    const shown = messages.map((message) => messageText(message, organisation, thread.counterpart));
    return [head, ...shown].join('\n\n');
  },
});

/** Persons of the other side are only known by their id. */
const participantName = ({ user, side, externalId }: z.infer<typeof shownParticipantRow>): string =>
  externalId ?? `${user} (${side === 'own' ? 'no longer a user' : 'counterpart'})`;

function messageText(message: z.infer<typeof shownMessageRow>, organisation: string, counterpart: string): string {
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
