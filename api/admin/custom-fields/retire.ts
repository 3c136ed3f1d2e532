import { lockFields, writeFields } from '../../custom-fields/rules.ts';
import { adminCommand } from '../common/admin-command.ts';
import { lockOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { moment } from '../common/text-table.ts';
import { fieldArgument, findField } from './find-field.ts';

export const retireField = adminCommand({
  name: 'fields retire',
  summary: 'end the use of a field; its values are kept',
  description:
    'From then on the interface neither shows the field and its values nor finds by them nor writes them, and the field ' +
    'is withdrawn from all connections. `fields restore` brings it back with its values, but not to the connections.',
  examples: ['stadtwerk Pachtvertrag'],
  parameters: { organisation: organisationArgument, field: fieldArgument },
  run: (store, { organisation: reference, field: named }) =>
    store.asOperator(async (session) => {
      const organisation = await lockOrganisation(session, reference);
      await lockFields(session, organisation.id);
      const before = await findField(session, organisation, named);
      const now = new Date().toISOString();
      const changed = before.retiredAt === null;
      const field = changed ? { ...before, retiredAt: now, updatedAt: now } : before;
      if (changed) await writeFields(session, organisation.id, [field]);
      return { organisation: organisation.externalId, field, changed };
    }),
  format: ({ organisation, field, changed }) =>
    changed
      ? `The field ${field.name} of ${organisation} is retired. To bring it back: npm run admin -- fields restore ${organisation} ${field.id}`
      : `The field ${field.name} of ${organisation} was retired before, on ${moment(field.retiredAt)}.`,
  logFields: ({ organisation, field, changed }) => (changed ? { organisation, field: field.id } : null),
});

export const restoreField = adminCommand({
  name: 'fields restore',
  summary: 'take a retired field into use again, with its values',
  examples: ['stadtwerk Pachtvertrag'],
  parameters: { organisation: organisationArgument, field: fieldArgument },
  run: (store, { organisation: reference, field: named }) =>
    store.asOperator(async (session) => {
      const organisation = await lockOrganisation(session, reference);
      await lockFields(session, organisation.id);
      const before = await findField(session, organisation, named);
      const changed = before.retiredAt !== null;
      const field = changed ? { ...before, retiredAt: null, updatedAt: new Date().toISOString() } : before;
      if (changed) await writeFields(session, organisation.id, [field]);
      return { organisation: organisation.externalId, field, changed };
    }),
  format: ({ organisation, field, changed }) =>
    `The field ${field.name} of ${organisation} is ${changed ? 'in use again, and shared with nobody' : 'in use as before'}.`,
  logFields: ({ organisation, field, changed }) => (changed ? { organisation, field: field.id } : null),
});
