import { z } from 'zod';
import { type CustomFieldRow, VALUE_TYPES } from '../../sql/org/records/custom-fields.ts';
import { line, NAME_LENGTH } from '../wire/line.ts';
import { choiceList } from './rules.ts';

/** Definitions of custom fields as they go over the wire. */

/** The id in examples of operations that name a field. */
export const EXAMPLE_FIELD = '019a0f6e-7c1b-7d52-9f0e-00000000d001';

/** The path parameter of operations about one field. A text that is no UUID is an unknown id, and answered so. */
export const fieldPath = z.strictObject({ id: z.string().describe('Id of the field, from GET /v1/custom-fields') });

const type = z.enum(VALUE_TYPES, `must be one of ${VALUE_TYPES.join(', ')}`);
const yesOrNo = z.boolean('must be true or false');

/** The members of a definition that its organisation writes, and that may change. */
export const changeableMembers = {
  name: line(NAME_LENGTH).describe('Name, which no other field of the organisation has, retired ones included'),
  mehrfachwerte: yesOrNo.describe('Several values on one unit'),
  auswahlwerte: choiceList().describe('Allowed values of a DROPDOWN, in their order; otherwise empty'),
  mitGegenseiteGeteilt: yesOrNo.describe('Connected organisations can be shown its values'),
};

/** The members that never change. */
export const fixedMembers = {
  typ: type.describe('Type of its values; it never changes'),
  vonGegenseiteBefuellt: yesOrNo.describe('The counterpart of a connection fills it; it never changes'),
};

export const definitionShape = z
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

/** @param row of a type that has values here */
export const shownDefinition = (row: CustomFieldRow): z.infer<typeof definitionShape> => ({
  id: row.id,
  name: row.name,
  typ: row.type as z.infer<typeof type>,
  mehrfachwerte: row.multiple,
  auswahlwerte: row.choices,
  vonGegenseiteBefuellt: row.filledByPartner,
  mitGegenseiteGeteilt: row.shared,
  angelegtAm: row.createdAt,
  geaendertAm: row.updatedAt,
});
