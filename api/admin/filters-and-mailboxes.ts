import { inGermanOrder } from '../../sql/org/records/german-order.ts';
import { type SavedFilterRow, savedFilterRow, savedFiltersOf } from '../../sql/org/records/saved-filters.ts';
import { changeMailbox, createMailbox, listMailboxes, removeMailbox } from '../mailboxes/operations.ts';
import { changeSavedFilter, createSavedFilter, removeSavedFilter } from '../saved-filters/write.ts';
import { operationCommand } from './common/operation-command.ts';
import { organisationCommand } from './common/organisation-command.ts';
import { criteriaLine, listing } from './common/text-table.ts';

const FILTER = 'stadtwerk 019a0f6e-7c1b-7d52-9f0e-000000000001';

/** The operator reads criteria, which the interface does not show. */
export const filterCommands = [
  organisationCommand({
    name: 'filters list',
    summary: 'the saved filters of an organisation, with their criteria',
    description:
      'Filters of the map are made and changed by importing a document; see import. Long criteria are shortened; --json has them whole.',
    examples: ['stadtwerk'],
    run: async ({ session, organisation }) =>
      inGermanOrder(await session.rows(savedFilterRow, savedFiltersOf(organisation.id))),
    format: listing<SavedFilterRow>('No saved filters', {
      ...{ filter: 'name', kind: 'kind', id: 'id', changed: 'updatedAt' },
      criteria: ({ criteria }) => criteriaLine(criteria) || 'every unit',
    }),
  }),
  operationCommand(createSavedFilter, {
    name: 'filters create',
    arguments: ['name'],
    examples: ['stadtwerk "Große Windparks" --criteria criteria.json'],
  }),
  operationCommand(changeSavedFilter, {
    name: 'filters change',
    examples: [`${FILTER} --name "Windparks ab 10 MW"`, `${FILTER} --criteria criteria.json`],
  }),
  operationCommand(removeSavedFilter, { name: 'filters delete', examples: [FILTER] }),
];

const named = { what: 'mailbox', list: listMailboxes, command: 'mailboxes list' };

const options = { nutzer: 'users', kategorien: 'categories', allgemein: 'general', uebernehmen: 'take' };

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
