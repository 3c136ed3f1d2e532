import { isDeepStrictEqual } from 'node:util';
import { inByteOrder } from '../../../runtime/byte-order.ts';
import { usageError } from '../../../runtime/command-line/exit.ts';
import { flag, option } from '../../../runtime/command-line/parameter.ts';
import { adminCommand } from '../common/admin-command.ts';
import { lockOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { categoriesOption, mailboxArgument, mailboxName, usersOption } from './options.ts';
import { mailboxNamed, mailboxTable, readMailboxes, routeTo, routingNote } from './routing.ts';

export const changeMailbox = adminCommand({
  name: 'mailboxes change',
  summary: 'change name, users or categories of a mailbox, or make it the general one',
  description:
    '--users and --categories replace what it had. A general mailbox stays general until another one becomes so.',
  examples: [
    'stadtwerk Leitwarte --users anna,bert',
    'stadtwerk Leitwarte --categories TECHNIK,STOERUNG --take',
    'stadtwerk Leitwarte --name "Leitwarte Nord" --general',
  ],
  parameters: {
    organisation: organisationArgument,
    mailbox: mailboxArgument,
    name: option('<name>', 'its new name', mailboxName().optional()),
    users: usersOption,
    categories: categoriesOption,
    general: flag('it also takes what no other mailbox takes, instead of the one that did so before'),
    take: flag('take categories away from other mailboxes'),
  },
  run: (store, { organisation: reference, mailbox: named, take = false, ...given }) => {
    if (Object.keys(given).length === 0) {
      throw usageError(
        'mailboxes change needs --name, --users, --categories or --general\nHelp: npm run admin -- mailboxes change --help',
      );
    }
    return store.asOperator(async (session) => {
      const organisation = await lockOrganisation(session, reference);
      const mailboxes = await readMailboxes(session, organisation);
      const present = mailboxNamed(mailboxes, named, organisation);
      const { name = present.name, users = present.users, categories = present.categories, general } = given;
      const wanted = {
        ...present,
        name,
        users: inByteOrder(users),
        categories: [...categories],
        general: present.general || general === true,
      };
      const changed = !isDeepStrictEqual(wanted, present);
      if (!changed) {
        return { organisation: organisation.externalId, mailbox: present, taken: [], generalBefore: null, changed };
      }
      const others = mailboxes.filter(({ id }) => id !== present.id);
      const mailbox = { ...wanted, updatedAt: new Date().toISOString() };
      const routed = await routeTo(session, organisation, mailbox, others, take);
      return { organisation: organisation.externalId, ...routed, changed };
    });
  },
  format: ({ organisation, mailbox, changed }) =>
    `${changed ? 'Changed a mailbox' : 'Nothing was changed about the mailbox'} of ${organisation}:\n${mailboxTable([mailbox])}`,
  note: routingNote,
  logFields: ({ organisation, mailbox, changed }) => (changed ? { organisation, mailbox: mailbox.id } : null),
});
