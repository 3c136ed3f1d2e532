import { isDeepStrictEqual } from 'node:util';
import { refused, usageError } from '../../../runtime/command-line/exit.ts';
import { option } from '../../../runtime/command-line/parameter.ts';
import { customFieldRow, customFieldsOf } from '../../../sql/org/records/custom-fields.ts';
import { changeFaults, definitionFaults, lockFields, writeFields } from '../../custom-fields/rules.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { adminCommand } from '../common/admin-command.ts';
import { lockOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { fieldArgument, findField } from './find-field.ts';
import { choicesOption, yesOrNo } from './options.ts';
import { refuseDefinition } from './refuse-definition.ts';

export const changeField = adminCommand({
  name: 'fields change',
  summary: 'change a field; what is left out stays as it is',
  description:
    'A value of a DROPDOWN that units have cannot be removed, and several values cannot become one, as long as units ' +
    'have them. What is shared with a partner stays shared until it is withdrawn there.',
  examples: [
    'stadtwerk "Nummer des Pachtvertrags" --name Pachtvertrag',
    `stadtwerk Betriebsführung --choices 'eigen,fremd,verpachtet' --multiple no`,
  ],
  parameters: {
    organisation: organisationArgument,
    field: fieldArgument,
    name: option('<name>', 'its new name', line(NAME_LENGTH).optional()),
    choices: option('<a,b,"c, d">', 'all values of a DROPDOWN, in their order', choicesOption().optional()),
    multiple: option('<yes|no>', 'whether a unit may have several values', yesOrNo().optional()),
    shared: option('<yes|no>', 'whether connected organisations can be shown its values', yesOrNo().optional()),
  },
  run: (store, { organisation: reference, field: named, ...changes }) =>
    store.asOperator(async (session) => {
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      if (Object.keys(given).length === 0)
        throw usageError('Say what to change: --name, --choices, --multiple, --shared');
      const organisation = await lockOrganisation(session, reference);
      await lockFields(session, organisation.id);
      const before = await findField(session, organisation, named);
      const after = { ...before, ...given };
      const others = await session.rows(customFieldRow, customFieldsOf(organisation.id));
      if (others.some(({ id, name }) => id !== before.id && name === after.name)) {
        throw refused(`${organisation.externalId} has a field ${after.name} already`);
      }
      refuseDefinition(definitionFaults(after));
      refuseDefinition(await changeFaults(session, organisation.id, before, after));
      const changed = !isDeepStrictEqual(before, after);
      const field = changed ? { ...after, updatedAt: new Date().toISOString() } : before;
      if (changed) await writeFields(session, organisation.id, [field]);
      return { organisation: organisation.externalId, field, changed };
    }),
  format: ({ organisation, field, changed }) =>
    `The field ${field.name} of ${organisation} is ${changed ? 'changed' : 'as it was'}.`,
  logFields: ({ organisation, field, changed }) => (changed ? { organisation, field: field.id } : null),
});
