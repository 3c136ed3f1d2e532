import { z } from 'zod';
import { option } from '../../../runtime/command-line/parameter.ts';
import { CONTACT_KINDS, CONTACT_STATUSES, readAllContacts } from '../../../sql/org/records/contacts.ts';
import { shownContact } from '../../contacts/contact.ts';
import { openKeyring } from '../../secrets/encryption-keys.ts';
import { adminCommand } from '../common/admin-command.ts';
import { findOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { moment, table } from '../common/text-table.ts';

const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be one of ${words.join(', ')}`).optional();

export const listContactsOf = adminCommand({
  name: 'contacts list',
  summary: 'the contacts of an organisation, by name',
  examples: ['stadtwerk', 'stadtwerk --status SUGGESTED', 'stadtwerk --kind FUNCTION --json'],
  parameters: {
    organisation: organisationArgument,
    kind: option('<kind>', 'only PERSON or only FUNCTION', oneOf(CONTACT_KINDS)),
    status: option('<status>', 'only CONFIRMED or only SUGGESTED', oneOf(CONTACT_STATUSES)),
  },
  run: (store, { organisation: reference, kind = null, status }, { settings }) =>
    store.asOperator(async (session) => {
      const { id } = await findOrganisation(session, reference);
      const contacts = await readAllContacts(session, openKeyring(settings), id, kind);
      return contacts.filter((contact) => status === undefined || contact.status === status).map(shownContact);
    }),
  format: (contacts) =>
    contacts.length === 0
      ? 'No contacts'
      : table(
          ['name', 'art', 'firma', 'position', 'email', 'telefon', 'herkunft', 'status', 'changed', 'id'],
          contacts.map((contact) => [
            contact.name,
            contact.art,
            contact.firma,
            contact.position,
            contact.email,
            contact.telefon,
            contact.herkunft,
            contact.status,
            moment(contact.geaendertAm),
            contact.id,
          ]),
        ),
});
