import { randomUUIDv7 } from 'node:crypto';
import { inByteOrder } from '../../../runtime/byte-order.ts';
import { argument, flag } from '../../../runtime/command-line/parameter.ts';
import { adminCommand } from '../common/admin-command.ts';
import { lockOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { categoriesOption, mailboxName, usersOption } from './options.ts';
import { mailboxTable, readMailboxes, routeTo, routingNote } from './routing.ts';

export const createMailbox = adminCommand({
  name: 'mailboxes create',
  summary: 'make a mailbox of an organisation, in which threads of some categories lie',
  description: [
    'A thread lies in the mailbox that takes its category, else in the general one; so an organisation with mailboxes has',
    'exactly one that is general: the first, until --general makes another one so. Routing holds for all threads at once.',
    'A user of a mailbox sees its threads in the application, and with actingUserId over the interface.',
  ].join('\n'),
  examples: ['stadtwerk Zentrale --users anna', 'stadtwerk Leitwarte --users anna,bert --categories TECHNIK,STOERUNG'],
  parameters: {
    organisation: organisationArgument,
    name: argument('its name', mailboxName()),
    users: usersOption,
    categories: categoriesOption,
    general: flag('it also takes what no other mailbox takes, instead of the one that did so before'),
    take: flag('take categories away from other mailboxes'),
  },
  run: (store, { organisation: reference, name, users = [], categories = [], general = false, take = false }) =>
    store.asOperator(async (session) => {
      const organisation = await lockOrganisation(session, reference);
      const others = await readMailboxes(session, organisation);
      const now = new Date().toISOString();
      const mailbox = {
        id: randomUUIDv7(),
        name,
        general: general || others.length === 0,
        categories: [...categories],
        users: inByteOrder(users),
        createdAt: now,
        updatedAt: now,
      };
      const routed = await routeTo(session, organisation, mailbox, others, take);
      return { organisation: organisation.externalId, ...routed };
    }),
  format: ({ organisation, mailbox }) => `Made a mailbox of ${organisation}:\n${mailboxTable([mailbox])}`,
  note: routingNote,
  logFields: ({ organisation, mailbox }) => ({ organisation, mailbox: mailbox.id }),
});
