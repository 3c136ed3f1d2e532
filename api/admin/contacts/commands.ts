import { z } from 'zod';
import { rest } from '../../../runtime/command-line/parameter.ts';
import { counted } from '../../../runtime/counted.ts';
import { confirmContacts, deleteContacts } from '../../../sql/org/records/contacts.ts';
import { FIELD_NAMES } from '../../contacts/fields.ts';
import { changeContact, createContact } from '../../contacts/write.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { operationCommand } from '../common/operation-command.ts';
import { uuid } from '../common/schemas.ts';
import { contactsToChange, mustHaveContacts } from './contacts-to-change.ts';
import { importContacts } from './import.ts';
import { listContactsOf } from './list.ts';

const EXAMPLE = 'stadtwerk 019a0f6e-7c1b-7d52-9f0e-000000000001';

/** The document is read from a file, since arguments stand in the list of processes. */
const written = { document: 'the document', encrypts: true } as const;

/** Ids of contacts, each at least once. */
const contacts = rest('the ids of contacts', z.array(uuid()).min(1));

const confirmContact = adminCommand({
  name: 'contacts confirm',
  summary: 'confirm contacts of an organisation that were only suggested',
  examples: [EXAMPLE],
  parameters: { organisation: organisationArgument, contacts },
  run: (store, { organisation: reference, contacts: ids }) =>
    store.asOperator(async (session) => {
      const { organisation, at } = await contactsToChange(session, reference);
      await mustHaveContacts(session, organisation, ids);
      const confirmed = await session.run(confirmContacts(organisation.id, ids, at));
      return { organisation: organisation.externalId, contacts: ids, confirmed };
    }),
  format: ({ organisation, confirmed }) =>
    confirmed === 0
      ? `These contacts of ${organisation} were confirmed before: nothing was changed.`
      : `Confirmed ${counted(confirmed, 'contact')} of ${organisation}.`,
  logFields: ({ organisation, contacts, confirmed }) => (confirmed === 0 ? null : { organisation, contacts }),
});

const deleteContact = adminCommand({
  name: 'contacts delete',
  summary: 'delete contacts of an organisation for good, all of those named or none',
  examples: [EXAMPLE],
  parameters: { organisation: organisationArgument, contacts },
  run: (store, { organisation: reference, contacts: ids }) =>
    store.asOperator(async (session) => {
      const { organisation } = await contactsToChange(session, reference);
      await mustHaveContacts(session, organisation, ids);
      const deleted = await session.run(deleteContacts(organisation.id, ids));
      return { organisation: organisation.externalId, contacts: ids, deleted };
    }),
  format: ({ organisation, deleted }) => `Deleted ${counted(deleted, 'contact')} of ${organisation}.`,
  logFields: ({ organisation, contacts }) => ({ organisation, contacts }),
});

/** The commands about contacts, in the order of the help. */
export const contactCommands = [
  listContactsOf,
  operationCommand(createContact, {
    ...written,
    name: 'contacts create',
    summary: 'make a contact of an organisation from a JSON document',
    description: `The document is an object with the members ${FIELD_NAMES.join(', ')}, of which art (PERSON or FUNCTION) and name are required.`,
    examples: ['stadtwerk contact.json', 'stadtwerk - < contact.json'],
  }),
  operationCommand(changeContact, {
    ...written,
    name: 'contacts change',
    summary: 'change a contact of an organisation as a JSON document says',
    description: `The document is an object with some of the members ${FIELD_NAMES.join(', ')}. Others stay as they are; null empties one, except art, name, herkunft and status.`,
    examples: [`${EXAMPLE} change.json`],
  }),
  confirmContact,
  deleteContact,
  importContacts,
];
