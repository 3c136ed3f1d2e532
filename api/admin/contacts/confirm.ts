import { z } from 'zod';
import { rest } from '../../../runtime/command-line/parameter.ts';
import { counted } from '../../../runtime/counted.ts';
import { confirmContacts } from '../../../sql/org/records/contacts.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { uuid } from '../common/schemas.ts';
import { contactsToChange, mustHaveContacts } from './contacts-to-change.ts';

/** Ids of contacts, each at least once. */
export const contactIds = rest('the ids of contacts', z.array(uuid()).min(1));

export const confirmContact = adminCommand({
  name: 'contacts confirm',
  summary: 'confirm contacts of an organisation that were only suggested',
  examples: ['stadtwerk 019a0f6e-7c1b-7d52-9f0e-000000000001'],
  parameters: { organisation: organisationArgument, contacts: contactIds },
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
