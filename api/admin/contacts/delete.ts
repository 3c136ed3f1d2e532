import { counted } from '../../../runtime/counted.ts';
import { deleteContacts } from '../../../sql/org/records/contacts.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { contactIds } from './confirm.ts';
import { contactsToChange, mustHaveContacts } from './contacts-to-change.ts';

export const deleteContact = adminCommand({
  name: 'contacts delete',
  summary: 'delete contacts of an organisation for good, all of those named or none',
  examples: ['stadtwerk 019a0f6e-7c1b-7d52-9f0e-000000000001'],
  parameters: { organisation: organisationArgument, contacts: contactIds },
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
