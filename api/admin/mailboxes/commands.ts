import { changeMailbox, createMailbox, listMailboxes, removeMailbox } from '../../mailboxes/operations.ts';
import { operationCommand } from '../common/operation-command.ts';

const named = { what: 'mailbox', list: listMailboxes, command: 'mailboxes list' };

const options = { nutzer: 'users', kategorien: 'categories', allgemein: 'general', uebernehmen: 'take' };

/** The commands about mailboxes. */
export const mailboxCommands = [
  operationCommand(createMailbox, {
    name: 'mailboxes create',
    arguments: ['name'],
    options,
    examples: [
      'stadtwerk Zentrale --users anna',
      'stadtwerk Leitwarte --users anna,bert --categories TECHNIK,STOERUNG',
    ],
  }),
  operationCommand(listMailboxes, { name: 'mailboxes list', examples: ['stadtwerk'] }),
  operationCommand(changeMailbox, {
    name: 'mailboxes change',
    named,
    options,
    examples: [
      'stadtwerk Leitwarte --users anna,bert',
      'stadtwerk Leitwarte --categories TECHNIK,STOERUNG --take',
      'stadtwerk Leitwarte --name "Leitwarte Nord" --general',
    ],
  }),
  operationCommand(removeMailbox, { name: 'mailboxes delete', named, examples: ['stadtwerk Leitwarte'] }),
];
