import { option } from '../../../runtime/command-line/parameter.ts';
import { newestThreads, threadOverviewRow } from '../../../sql/org/records/thread-overview.ts';
import { adminCommand } from '../common/admin-command.ts';
import { findOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { count, uuid } from '../common/schemas.ts';
import { moment, table } from '../common/text-table.ts';

const NEWEST = 20;

export const listThreads = adminCommand({
  name: 'threads list',
  summary: 'the threads of an organisation with its partners, by last message, and the mailbox where each lies',
  description: 'Those of connections that have ended are among them.',
  examples: ['stadtwerk', 'stadtwerk --limit 100'],
  parameters: {
    organisation: organisationArgument,
    connection: option('<id>', 'only those on this connection', uuid().optional()),
    limit: option('<n>', `how many (default: ${NEWEST})`, count(10_000).optional().default(NEWEST)),
  },
  run: (store, { organisation: reference, connection = null, limit }) =>
    store.asOperator(async (session) => {
      const { id } = await findOrganisation(session, reference);
      return session.rows(threadOverviewRow, newestThreads(id, connection, limit));
    }),
  format: (threads) =>
    threads.length === 0
      ? 'No threads'
      : table(
          ['thread', 'with', 'subject', 'category', 'mailbox', 'messages', 'last message'],
          threads.map(({ id, counterpart, subject, category, mailbox, messageCount, lastActivityAt }) => [
            id,
            counterpart,
            subject,
            category,
            mailbox,
            messageCount,
            moment(lastActivityAt),
          ]),
        ),
});
