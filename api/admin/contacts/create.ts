import { randomUUIDv7 } from 'node:crypto';
import { file } from '../../../runtime/command-line/parameter.ts';
import { type Contact, putContacts } from '../../../sql/org/records/contacts.ts';
import { shownContact } from '../../contacts/contact.ts';
import { FIELD_NAMES, fieldsOf, newContact } from '../../contacts/fields.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { contactsToChange, keysToWriteWith, refuseTooMany } from './contacts-to-change.ts';
import { readContactDocument, refuseFaultBetweenFields } from './json-document.ts';

export const createContact = adminCommand({
  name: 'contacts create',
  summary: 'make a contact of an organisation from a JSON document',
  description:
    `The document is an object with the members ${FIELD_NAMES.join(', ')}, of which art (PERSON or FUNCTION) and name are ` +
    'required. It is read from a file or from standard input, since arguments stand in the list of processes.',
  examples: ['stadtwerk contact.json', 'stadtwerk - < contact.json'],
  parameters: { organisation: organisationArgument, file: file('the document; - reads standard input') },
  run(store, { organisation: reference, file: text }, { settings }) {
    const fields = fieldsOf(readContactDocument(text, newContact), 'MANUELL');
    refuseFaultBetweenFields(fields);
    return store.asOperator(async (session) => {
      const { organisation, at, count } = await contactsToChange(session, reference);
      refuseTooMany(organisation.externalId, count + 1);
      const { keys } = await keysToWriteWith(session, settings);
      const contact: Contact = { id: randomUUIDv7(), ...fields, createdAt: at, updatedAt: at };
      await session.run(putContacts(organisation.id, [contact], keys));
      return { organisation: organisation.externalId, contact: shownContact(contact) };
    });
  },
  format: ({ organisation, contact }) => `Made the contact ${contact.id} of ${organisation}: ${contact.name}.`,
  logFields: ({ organisation, contact }) => ({ organisation, contact: contact.id }),
});
