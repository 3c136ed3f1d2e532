import { z } from 'zod';
import { DAY_PRECISIONS } from '../../sql/org/records/custom-field-values.ts';
import { type CustomFieldRow, VALUE_TYPES } from '../../sql/org/records/custom-fields.ts';
import {
  DIRECTIONS,
  RELEASE_ORIGINS,
  type SharedFieldRow,
  type SharedValueRow,
} from '../../sql/org/records/shared-fields.ts';

/** The id, in examples of operations, of a field that the counterpart asks for. */
export const EXAMPLE_REQUEST = '019a0f6e-7c1b-7d52-9f0e-00000000f001';

const value = z.strictObject({
  text: z.string().nullable().describe('Of fields of type TEXT, LONG_TEXT, DROPDOWN, URL'),
  zahl: z.number().nullable().describe('Of fields of type NUMBER'),
  datum: z.iso.date().nullable().describe('Of fields of type DATE; with MONTH the first of the month'),
  datumsgenauigkeit: z.enum(DAY_PRECISIONS).describe('Of `datum`; DAY where there is none'),
  geaendertAm: z.iso.datetime(),
});

export const sharedFieldShape = z
  .strictObject({
    anlage: z.string().describe('MaStR number of the unit'),
    richtung: z
      .enum(DIRECTIONS)
      .describe(
        'SHARE: the owner of the field provides the information. REQUEST: the owner asks the other side for it',
      ),
    herkunft: z
      .enum(RELEASE_ORIGINS)
      .describe('explizit: released for this connection. broadcast: released on the unit. If both, explizit'),
    besitzer: z
      .enum(['eigen', 'gegenseite'])
      .describe('Whose field it is. With SHARE the owner writes the values, with REQUEST the other side'),
    def: z.strictObject({
      id: z.uuid().describe('`defId` of an answer'),
      name: z.string(),
      fieldType: z.enum(VALUE_TYPES),
      allowMultiple: z.boolean(),
      options: z.array(z.string()).nullable().describe('Allowed values of a DROPDOWN; otherwise null'),
    }),
    werte: z.array(value).describe('In their order. Empty: without a value, or with REQUEST unanswered'),
  })
  .meta({ id: 'SharedField' });

export type SharedField = z.infer<typeof sharedFieldShape>;

const definitionOf = ({ id, name, type, multiple, choices }: CustomFieldRow): SharedField['def'] => ({
  id,
  name,
  fieldType: VALUE_TYPES.find((known) => known === type) ?? 'TEXT',
  allowMultiple: multiple,
  options: type === 'DROPDOWN' ? choices : null,
});

const shownValue = ({ text, number, day, dayPrecision, updatedAt }: SharedValueRow): z.infer<typeof value> => ({
  text,
  zahl: number,
  datum: day,
  datumsgenauigkeit: dayPrecision ?? 'DAY',
  geaendertAm: updatedAt,
});

/** A row as one side sees it. */
export const sharedFieldFrom = (
  row: SharedFieldRow,
  field: CustomFieldRow,
  values: readonly SharedValueRow[],
  organisationId: string,
): SharedField => ({
  anlage: row.mastrNumber,
  richtung: row.direction,
  herkunft: row.origin,
  besitzer: row.ownerId === organisationId ? 'eigen' : 'gegenseite',
  def: definitionOf(field),
  werte: values.map(shownValue),
});
