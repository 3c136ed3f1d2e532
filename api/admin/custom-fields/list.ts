import { fieldUseRow, useOfFields } from '../../../sql/org/records/custom-field-use.ts';
import { customFieldRow, customFieldsOf } from '../../../sql/org/records/custom-fields.ts';
import { inGermanOrder } from '../../../sql/org/records/german-order.ts';
import { joinList } from '../../wire/parameters.ts';
import { adminCommand } from '../common/admin-command.ts';
import { findOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { withoutStatementTimeout } from '../common/statement-timeout.ts';
import { moment, table } from '../common/text-table.ts';

export const listFields = adminCommand({
  name: 'fields list',
  summary: 'the fields that an organisation adds to units, retired ones included',
  examples: ['stadtwerk'],
  parameters: { organisation: organisationArgument },
  run: (store, { organisation: reference }) =>
    store.asOperator(async (session) => {
      await withoutStatementTimeout(session);
      const { id } = await findOrganisation(session, reference);
      const fields = inGermanOrder(await session.rows(customFieldRow, customFieldsOf(id)));
      const ids = fields.map((field) => field.id);
      const uses = await session.rows(fieldUseRow, useOfFields(id, ids));
      const units = new Map(uses.map((use) => [use.fieldId, use.units]));
      return fields.map((field) => ({ ...field, units: units.get(field.id) ?? 0 }));
    }),
  format: (fields) =>
    fields.length === 0
      ? 'No fields'
      : table(
          ['field', 'type', 'values', 'filled by', 'shared', 'units', 'retired', 'id', 'choices'],
          fields.map((field) => [
            field.name,
            field.type,
            field.multiple ? 'several' : 'one',
            field.filledByPartner ? 'partner' : 'itself',
            field.shared ? 'yes' : 'no',
            field.units,
            moment(field.retiredAt),
            field.id,
            field.choices.length === 0 ? null : joinList(field.choices),
          ]),
        ),
});
