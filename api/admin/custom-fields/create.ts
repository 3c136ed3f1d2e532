import { randomUUIDv7 } from 'node:crypto';
import { refused } from '../../../runtime/command-line/exit.ts';
import { argument, flag, option } from '../../../runtime/command-line/parameter.ts';
import {
  type CustomFieldRow,
  customFieldRow,
  customFieldsOf,
  FIELD_TYPES,
  MAX_FIELDS,
} from '../../../sql/org/records/custom-fields.ts';
import { definitionFaults, fieldType, lockFields, writeFields } from '../../custom-fields/rules.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { adminCommand } from '../common/admin-command.ts';
import { lockOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { choicesOption } from './options.ts';
import { refuseDefinition } from './refuse-definition.ts';

export const createField = adminCommand({
  name: 'fields create',
  summary: 'add a field to the units of an organisation',
  description:
    'Type and who fills it never change afterwards. Fields of type FILE and CONTACT are kept for the record: the ' +
    'interface does not show them, and they have no values here.',
  examples: [
    'stadtwerk "Nummer des Pachtvertrags" --type TEXT --shared',
    `stadtwerk Betriebsführung --type DROPDOWN --choices 'eigen,fremd,"keine, ungeklärt"' --multiple`,
    'stadtwerk "Nächste Revision" --type DATE --filled-by-partner',
  ],
  parameters: {
    organisation: organisationArgument,
    name: argument('its name, which no other field of the organisation has', line(NAME_LENGTH)),
    type: option('<type>', FIELD_TYPES.join(', '), fieldType()),
    choices: option('<a,b,"c, d">', 'the values of a DROPDOWN, in their order', choicesOption().optional()),
    multiple: flag('a unit may have several values'),
    shared: flag('connected organisations can be shown its values'),
    filledByPartner: flag('the counterpart of a connection fills it, not the organisation itself'),
  },
  run: (store, { organisation: reference, name, type, choices = [], ...flags }) =>
    store.asOperator(async (session) => {
      const organisation = await lockOrganisation(session, reference);
      await lockFields(session, organisation.id);
      const fields = await session.rows(customFieldRow, customFieldsOf(organisation.id));
      const namesake = fields.find((field) => field.name === name);
      if (namesake !== undefined) {
        const { externalId } = organisation;
        throw refused(
          namesake.retiredAt === null
            ? `${externalId} has a field ${name} already\nThose it has: npm run admin -- fields list ${externalId}`
            : `${externalId} has a field ${name} already, which is retired\n` +
                `To take it into use again: npm run admin -- fields restore ${externalId} ${namesake.id}`,
        );
      }
      if (fields.length >= MAX_FIELDS) {
        throw refused(`${organisation.externalId} has ${MAX_FIELDS} fields, retired ones included, which is the most`);
      }
      const now = new Date().toISOString();
      const field: CustomFieldRow = {
        id: randomUUIDv7(),
        name,
        type,
        multiple: flags.multiple ?? false,
        choices: [...choices],
        filledByPartner: flags.filledByPartner ?? false,
        shared: flags.shared ?? false,
        retiredAt: null,
        createdAt: now,
        updatedAt: now,
      };
      refuseDefinition(definitionFaults(field));
      await writeFields(session, organisation.id, [field]);
      return { organisation: organisation.externalId, field };
    }),
  format: ({ organisation, field }) => `Made the field ${field.name} (${field.type}) of ${organisation}: ${field.id}.`,
  logFields: ({ organisation, field }) => ({ organisation, field: field.id, type: field.type }),
});
