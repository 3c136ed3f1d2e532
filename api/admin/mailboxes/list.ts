import { adminCommand } from '../common/admin-command.ts';
import { findOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { mailboxTable, readMailboxes } from './routing.ts';

export const listMailboxes = adminCommand({
  name: 'mailboxes list',
  summary: 'the mailboxes of an organisation, the general one first',
  examples: ['stadtwerk'],
  parameters: { organisation: organisationArgument },
  run: (store, { organisation: reference }) =>
    store.asOperator(async (session) => readMailboxes(session, await findOrganisation(session, reference))),
  format: (mailboxes) => (mailboxes.length === 0 ? 'No mailboxes' : mailboxTable(mailboxes)),
});
