import { z } from 'zod';
import { refused } from '../../../runtime/command-line/exit.ts';
import { counted } from '../../../runtime/counted.ts';
import { deleteMailbox, responsibleMailbox } from '../../../sql/org/records/mailboxes.ts';
import { singleRow } from '../../../sql/org/single-row.ts';
import { type StoreStatement, sql } from '../../../sql/org/statement.ts';
import { adminCommand } from '../common/admin-command.ts';
import { lockOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { mailboxArgument } from './options.ts';
import { mailboxNamed, quoted, readMailboxes } from './routing.ts';

const countRow = z.strictObject({ threads: z.int() });

const threadsIn = (organisationId: string, mailboxId: string): StoreStatement => sql`
  SELECT count(*) AS threads FROM threads CROSS JOIN LATERAL (${responsibleMailbox(organisationId)}) mailbox
  WHERE ${organisationId}::uuid IN (threads.initiator_id, threads.invited_id) AND mailbox.id = ${mailboxId}::uuid`;

export const deleteMailboxCommand = adminCommand({
  name: 'mailboxes delete',
  summary: 'remove a mailbox; its threads lie in the general one from then on',
  description: 'No thread and no message is lost. The general mailbox can only be removed as the last one.',
  examples: ['stadtwerk Leitwarte'],
  parameters: { organisation: organisationArgument, mailbox: mailboxArgument },
  run: (store, { organisation: reference, mailbox: named }) =>
    store.asOperator(async (session) => {
      const organisation = await lockOrganisation(session, reference);
      const mailboxes = await readMailboxes(session, organisation);
      const { id, name, general } = mailboxNamed(mailboxes, named, organisation);
      const other = mailboxes.find((mailbox) => mailbox.id !== id);
      if (general && other !== undefined) {
        throw refused(
          `${name} is the general mailbox, in which everything lies that no other takes. Make another one general first:\n` +
            `npm run admin -- mailboxes change ${organisation.externalId} ${quoted(other.name)} --general`,
        );
      }
      const { threads } = await singleRow(session, countRow, threadsIn(organisation.id, id));
      await session.run(deleteMailbox(id));
      const generalMailbox = mailboxes.find((mailbox) => mailbox.general && mailbox.id !== id)?.name ?? null;
      return { organisation: organisation.externalId, mailbox: { id, name }, threads, generalMailbox };
    }),
  format: ({ organisation, mailbox, threads, generalMailbox }) =>
    `Removed the mailbox ${mailbox.name} from ${organisation}; ${counted(threads, 'thread')} that lay there ` +
    `now ${threads === 1 ? 'lies' : 'lie'} in ${generalMailbox ?? 'none'}.`,
  logFields: ({ organisation, mailbox }) => ({ organisation, mailbox: mailbox.id }),
});
