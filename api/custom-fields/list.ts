import { z } from 'zod';
import { customFieldRow, customFieldsInUse, VALUE_TYPES } from '../../sql/org/records/custom-fields.ts';
import { inGermanOrder } from '../../sql/org/records/german-order.ts';
import { operation } from '../operation/operation.ts';

const customFieldDef = z
  .strictObject({
    id: z.uuid().describe('Under which values are written'),
    name: z.string(),
    typ: z.enum(VALUE_TYPES),
    mehrfachwerte: z.boolean().describe('Several values on one unit'),
    auswahlwerte: z.array(z.string()).describe('Allowed values of a DROPDOWN, in their order; otherwise empty'),
    vonGegenseiteBefuellt: z
      .boolean()
      .describe('The counterpart of a connection fills it; PUT /v1/units/{id}/custom-fields does not'),
    mitGegenseiteGeteilt: z.boolean().describe('Connected organisations can be shown its values'),
    angelegtAm: z.iso.datetime(),
    geaendertAm: z.iso.datetime(),
  })
  .meta({ id: 'CustomFieldDef' });

/** The fields that an organisation adds to units, without retired ones. */
export const listCustomFields = operation({
  id: 'custom-fields.list',
  method: 'GET',
  path: '/v1/custom-fields',
  summary: 'Own fields of units, by name',
  description: 'Fields are made and changed in the application. Those of files and contacts do not appear.',
  access: 'api',
  scope: 'custom_fields:read',
  module: 'workspace',
  cost: 'standard',
  source: 'service',
  answer: z.strictObject({
    data: z.array(customFieldDef),
    meta: z.strictObject({ count: z.int(), complete: z.literal(true).describe('There are no further fields') }),
  }),
  async handle({ caller, records }) {
    const rows = await records((session) => session.rows(customFieldRow, customFieldsInUse(caller.organisation.id)));
    const data = inGermanOrder(rows).map((row) => ({
      id: row.id,
      name: row.name,
      typ: row.type,
      mehrfachwerte: row.multiple,
      auswahlwerte: row.choices,
      vonGegenseiteBefuellt: row.filledByPartner,
      mitGegenseiteGeteilt: row.shared,
      angelegtAm: row.createdAt,
      geaendertAm: row.updatedAt,
    }));
    return { body: { data, meta: { count: data.length, complete: true } } };
  },
});
