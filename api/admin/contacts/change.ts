import { argument, file } from '../../../runtime/command-line/parameter.ts';
import { itemAt } from '../../../runtime/present.ts';
import { putContacts } from '../../../sql/org/records/contacts.ts';
import { shownContact } from '../../contacts/contact.ts';
import { changed, contactChange, FIELD_NAMES, fingerprint } from '../../contacts/fields.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { uuid } from '../common/schemas.ts';
import { contactsToChange, findContacts, keysToWriteWith } from './contacts-to-change.ts';
import { readContactDocument, refuseFaultBetweenFields } from './json-document.ts';

export const changeContact = adminCommand({
  name: 'contacts change',
  summary: 'change a contact of an organisation as a JSON document says',
  description:
    `The document is an object with some of the members ${FIELD_NAMES.join(', ')}. Others stay as they are; null empties ` +
    'one, except art, name, herkunft and status.',
  examples: ['stadtwerk 019a0f6e-7c1b-7d52-9f0e-000000000001 change.json'],
  parameters: {
    organisation: organisationArgument,
    contact: argument('the id of the contact', uuid()),
    file: file('the document; - reads standard input'),
  },
  run(store, { organisation: reference, contact: id, file: text }, { settings }) {
    const change = readContactDocument(text, contactChange);
    return store.asOperator(async (session) => {
      const { organisation, at } = await contactsToChange(session, reference);
      const { keyring, keys } = await keysToWriteWith(session, settings);
      const present = itemAt(await findContacts(session, keyring, organisation, [id]), 0);
      const contact = { ...changed(present, change), updatedAt: at };
      refuseFaultBetweenFields(contact);
      const same = fingerprint(contact) === fingerprint(present);
      if (!same) await session.run(putContacts(organisation.id, [contact], keys));
      return {
        organisation: organisation.externalId,
        contact: shownContact(same ? present : contact),
        changed: !same,
      };
    });
  },
  format: ({ organisation, contact, changed }) =>
    changed
      ? `Changed the contact ${contact.id} of ${organisation}: ${contact.name}.`
      : `The contact ${contact.id} of ${organisation} is as the document says: nothing was changed.`,
  logFields: ({ organisation, contact, changed }) => (changed ? { organisation, contact: contact.id } : null),
});
