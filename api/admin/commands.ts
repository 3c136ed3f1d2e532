import { alertCommands } from './alerts.ts';
import { channelCommands } from './channel.ts';
import type { AdminCommand } from './common/admin-command.ts';
import { connectionCommands } from './connections.ts';
import { contactCommands } from './contacts.ts';
import { demo } from './demo.ts';
import { rekey, rekeyContacts } from './encryption.ts';
import { fieldCommands } from './fields.ts';
import { filterCommands, mailboxCommands } from './filters-and-mailboxes.ts';
import { organisationCommands } from './organisations.ts';
import { shareCommands } from './shares.ts';
import { storeCommands } from './store.ts';
import { transferCommands } from './transfer.ts';
import { keyCommands, userCommands } from './users-and-keys.ts';
import { webhookCommands } from './webhooks.ts';

/** All commands in the order of the help. */
export const COMMANDS: readonly AdminCommand[] = [
  ...organisationCommands,
  ...userCommands,
  ...keyCommands,
  ...filterCommands,
  ...shareCommands,
  ...alertCommands,
  ...connectionCommands,
  ...mailboxCommands,
  ...fieldCommands,
  ...channelCommands,
  ...contactCommands,
  rekeyContacts,
  ...webhookCommands,
  rekey,
  ...transferCommands,
  ...storeCommands,
  demo,
];

/** Descriptions of the groups of commands, for the help. */
export const GROUPS: Readonly<Record<string, string>> = {
  organisations: 'what organisations there are, what they have booked, how much they may ask',
  'organisations modules': 'modules that an organisation has booked',
  'organisations signals': 'signals that an organisation may see and filter by',
  'organisations alert-templates': 'templates that its alerts can be made from',
  'organisations limits': 'limits of an organisation that differ from the defaults',
  users: 'people of an organisation',
  keys: 'API keys of an organisation',
  filters: 'saved filters of an organisation',
  shares: 'public links to views',
  alerts: 'what an organisation is told of when a new version of the register is published',
  mailboxes: 'mailboxes of an organisation, in which the threads of its connections lie',
  connections: 'connections between two organisations',
  'connections assets': 'units in the scope of a connection',
  'connections fields': 'fields that are active on a connection',
  fields: 'fields that an organisation adds to units',
  releases: 'where fields of an organisation are released to its counterparts',
  threads: 'what an organisation and its partners wrote to each other',
  messages: 'messages that an organisation wrote to its partners',
  contacts: 'the contact directory of an organisation',
  webhooks: 'webhook endpoints of an organisation',
  encryption: 'the key of what the store keeps encrypted',
};
