import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { refused, usageError } from '../../runtime/command-line/exit.ts';
import { argument, flag, option, type Parameters } from '../../runtime/command-line/parameter.ts';
import { type OrganisationRow, organisationToChange } from '../../sql/org/organisations.ts';
import { fieldUseRow, useOfFields } from '../../sql/org/records/custom-field-use.ts';
import {
  type CustomFieldRow,
  customFieldRow,
  customFieldsOf,
  FIELD_TYPES,
  MAX_FIELDS,
} from '../../sql/org/records/custom-fields.ts';
import { inGermanOrder } from '../../sql/org/records/german-order.ts';
import type { Session } from '../../sql/org/store.ts';
import {
  changeFaults,
  choiceList,
  type DefinitionFault,
  definitionFaults,
  fieldType,
  lockFields,
  writeFields,
} from '../custom-fields/rules.ts';
import { line, NAME_LENGTH } from '../wire/line.ts';
import { joinList, splitList } from '../wire/parameters.ts';
import type { AdminCommand, CommandTexts } from './common/admin-command.ts';
import { type Asked, organisationCommand } from './common/organisation-command.ts';
import { listing, moment } from './common/text-table.ts';
import { thingArgument, thingNamed } from './common/thing-named.ts';

/** The fields that an organisation adds to units: also those that the interface does not show, of files and of contacts. */

/** The field of this name or UUID. @throws CommandFailed suggesting the nearest name */
export const findField = async (
  session: Session,
  { id, externalId }: OrganisationRow,
  reference: string,
): Promise<CustomFieldRow> =>
  thingNamed(reference, await session.rows(customFieldRow, customFieldsOf(id)), {
    ...{ what: 'field', command: 'fields list', organisation: externalId },
  });

/** The values of a DROPDOWN, in their order; one with a comma is quoted as in CSV. */
const choicesOption = (meaning: string) =>
  option(
    '<a,b,"c, d">',
    meaning,
    z
      .string()
      .transform((text, context): readonly string[] => {
        const items = splitList(text);
        if (!('fault' in items)) return items;
        context.issues.push({ code: 'custom', message: items.fault, input: text });
        return z.NEVER;
      })
      .pipe(choiceList())
      .optional(),
  );

const yesOrNo = (meaning: string) => {
  const word = z.stringbool({ truthy: ['yes'], falsy: ['no'], case: 'sensitive', error: 'must be yes or no' });
  return option('<yes|no>', meaning, word.optional());
};

/** Every field, none of which others change until the transaction ends. */
async function lockedFields({ session, organisation }: Asked): Promise<CustomFieldRow[]> {
  await lockFields(session, organisation.id);
  return session.rows(customFieldRow, customFieldsOf(organisation.id));
}

/** @throws CommandFailed listing the faults of a definition by their options, if there are any */
function refuseDefinition(faults: readonly DefinitionFault[]): void {
  if (faults.length > 0) throw refused(faults.map(({ member, message }) => `--${member} ${message}`).join('\n'));
}

interface Changed {
  readonly organisation: string;
  readonly field: CustomFieldRow;
  readonly changed: boolean;
}

interface FieldChange extends CommandTexts {
  readonly parameters?: Parameters;
  /** Says how the field is to be. @param given what was typed behind it */
  next(before: CustomFieldRow, given: Readonly<Record<string, unknown>>): Partial<CustomFieldRow>;
  format(result: Changed): string;
}

/** A command that writes a field anew. */
const changing = ({ next, ...command }: FieldChange): AdminCommand =>
  organisationCommand({
    ...command,
    parameters: { field: thingArgument, ...command.parameters },
    locks: organisationToChange,
    async run(asked, { field: named, ...typed }: { readonly field: string }): Promise<Changed> {
      const given = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined));
      const { session, organisation } = asked;
      const fields = await lockedFields(asked);
      const before = await findField(session, organisation, named);
      const after = { ...before, ...next(before, given) };
      if (fields.some(({ id, name }) => id !== before.id && name === after.name)) {
        throw refused(`${organisation.externalId} has a field ${after.name} already`);
      }
      refuseDefinition(definitionFaults(after));
      refuseDefinition(await changeFaults(session, organisation.id, before, after));
      const changed = !isDeepStrictEqual(before, after);
      const field = changed ? { ...after, updatedAt: new Date().toISOString() } : before;
      if (changed) await writeFields(session, organisation.id, [field]);
      return { organisation: organisation.externalId, field, changed };
    },
    logFields: ({ organisation, field, changed }) => (changed ? { organisation, field: field.id } : null),
  });

export const fieldCommands = [
  organisationCommand({
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
      name: argument('its name, which no other field of the organisation has', line(NAME_LENGTH)),
      type: option('<type>', FIELD_TYPES.join(', '), fieldType()),
      choices: choicesOption('the values of a DROPDOWN, in their order'),
      multiple: flag('a unit may have several values'),
      shared: flag('connected organisations can be shown its values'),
      filledByPartner: flag('the counterpart of a connection fills it, not the organisation itself'),
    },
    locks: organisationToChange,
    async run(asked, { choices = [], multiple = false, shared = false, filledByPartner = false, ...given }) {
      const { session, organisation } = asked;
      const { externalId } = organisation;
      const fields = await lockedFields(asked);
      const namesake = fields.find(({ name }) => name === given.name);
      if (namesake !== undefined) {
        throw refused(
          namesake.retiredAt === null
            ? `${externalId} has a field ${given.name} already\nThose it has: npm run admin -- fields list ${externalId}`
            : `${externalId} has a field ${given.name} already, which is retired\n` +
                `To take it into use again: npm run admin -- fields restore ${externalId} ${namesake.id}`,
        );
      }
      if (fields.length >= MAX_FIELDS) {
        throw refused(`${externalId} has ${MAX_FIELDS} fields, retired ones included, which is the most`);
      }
      const now = new Date().toISOString();
      const field: CustomFieldRow = {
        ...{ id: randomUUIDv7(), ...given, multiple, choices: [...choices], filledByPartner, shared },
        ...{ retiredAt: null, createdAt: now, updatedAt: now },
      };
      refuseDefinition(definitionFaults(field));
      await writeFields(session, organisation.id, [field]);
      return { organisation: externalId, field };
    },
    format: ({ organisation, field }) =>
      `Made the field ${field.name} (${field.type}) of ${organisation}: ${field.id}.`,
    logFields: ({ organisation, field }) => ({ organisation, field: field.id, type: field.type }),
  }),
  organisationCommand({
    name: 'fields list',
    summary: 'the fields that an organisation adds to units, retired ones included',
    examples: ['stadtwerk'],
    takesLong: true,
    async run({ session, organisation: { id } }) {
      const fields = inGermanOrder(await session.rows(customFieldRow, customFieldsOf(id)));
      const ids = fields.map((field) => field.id);
      const uses = await session.rows(fieldUseRow, useOfFields(id, ids));
      const units = new Map(uses.map((use) => [use.fieldId, use.units]));
      return fields.map((field) => ({ ...field, units: units.get(field.id) ?? 0 }));
    },
    format: listing<CustomFieldRow & { readonly units: number }>('No fields', {
      ...{ field: 'name', type: 'type', values: ({ multiple }) => (multiple ? 'several' : 'one') },
      'filled by': ({ filledByPartner }) => (filledByPartner ? 'partner' : 'itself'),
      shared: ({ shared }) => (shared ? 'yes' : 'no'),
      ...{ units: 'units', retired: 'retiredAt', id: 'id', choices: ({ choices }) => joinList(choices) || null },
    }),
  }),
  changing({
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
      name: option('<name>', 'its new name', line(NAME_LENGTH).optional()),
      choices: choicesOption('all values of a DROPDOWN, in their order'),
      multiple: yesOrNo('whether a unit may have several values'),
      shared: yesOrNo('whether connected organisations can be shown its values'),
    },
    next(_, given) {
      if (Object.keys(given).length > 0) return given;
      throw usageError('Say what to change: --name, --choices, --multiple, --shared');
    },
    format: ({ organisation, field, changed }) =>
      `The field ${field.name} of ${organisation} is ${changed ? 'changed' : 'as it was'}.`,
  }),
  changing({
    name: 'fields retire',
    summary: 'end the use of a field; its values are kept',
    description:
      'From then on the interface neither shows the field and its values nor finds by them nor writes them, and the field ' +
      'is withdrawn from all connections. `fields restore` brings it back with its values, but not to the connections.',
    examples: ['stadtwerk Pachtvertrag'],
    next: ({ retiredAt }) => ({ retiredAt: retiredAt ?? new Date().toISOString() }),
    format: ({ organisation, field, changed }) =>
      changed
        ? `The field ${field.name} of ${organisation} is retired. To bring it back: npm run admin -- fields restore ${organisation} ${field.id}`
        : `The field ${field.name} of ${organisation} was retired before, on ${moment(field.retiredAt)}.`,
  }),
  changing({
    name: 'fields restore',
    summary: 'take a retired field into use again, with its values',
    examples: ['stadtwerk Pachtvertrag'],
    next: () => ({ retiredAt: null }),
    format: ({ organisation, field, changed }) =>
      `The field ${field.name} of ${organisation} is ${changed ? 'in use again, and shared with nobody' : 'in use as before'}.`,
  }),
];
