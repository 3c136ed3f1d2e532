import { z } from 'zod';
import {
  DAY_PRECISIONS,
  type FieldValueRow,
  fieldValueRow,
  valuesOfUnit,
} from '../../sql/org/records/custom-field-values.ts';
import { customFieldRow, customFieldsInUse } from '../../sql/org/records/custom-fields.ts';
import { inGermanOrder } from '../../sql/org/records/german-order.ts';
import { operation } from '../operation/operation.ts';
import { MAX_BYTES, rowsWithin } from '../wire/paging.ts';
import { mastrNumber } from '../wire/parameters.ts';

/** Values that one answer may have. */
const MAX_VALUES = 5_000;

export const customFieldValue = z
  .strictObject({
    defId: z.uuid().describe('The field, from GET /v1/custom-fields'),
    text: z.string().nullable().describe('Of fields of type TEXT, LONG_TEXT, DROPDOWN, URL'),
    zahl: z.number().nullable().describe('Of fields of type NUMBER'),
    datum: z.iso.date().nullable().describe('Of fields of type DATE; with MONTH the first of the month'),
    datumsgenauigkeit: z.enum(DAY_PRECISIONS).describe('Of `datum`; DAY where there is none'),
    schreiber: z.enum(['eigen', 'gegenseite']).describe('gegenseite: a connection partner answered'),
    reihenfolge: z.int().describe('Place among the values of one writer in the field, from 0'),
    geaendertAm: z.iso.datetime().describe('Last change of the values of this writer in the field'),
  })
  .meta({ id: 'CustomFieldValue' });

/** Lists the values of a unit, whether the register has it now or not. */
export const listCustomFieldValues = operation({
  id: 'custom-fields.values',
  method: 'GET',
  path: '/v1/units/{id}/custom-fields',
  summary: 'Own values of a unit',
  description:
    'In the order of the names of their fields; in one field own values first, then the answers of partners. Values of a ' +
    'unit that has left the register stay, and a unit without any has an empty list, whether the register knows it or not.',
  access: 'api',
  scope: 'custom_fields:read',
  module: 'workspace',
  cost: 'standard',
  source: 'service',
  pathParameters: z.strictObject({ id: mastrNumber().describe('MaStR number of the unit, begins with SEE') }),
  answer: z.strictObject({
    data: z.array(customFieldValue),
    meta: z.strictObject({
      count: z.int(),
      complete: z.boolean().describe('false: the unit has more values than an answer has room for'),
    }),
  }),
  example: { path: { id: 'SEE900000000001' } },
  async handle({ path: { id }, caller, records }) {
    const { id: organisationId } = caller.organisation;
    const { fields, values } = await records(async (session) => {
      const inUse = await session.rows(customFieldRow, customFieldsInUse(organisationId));
      const ids = inUse.map((field) => field.id);
      const wanted = valuesOfUnit(organisationId, id, ids, MAX_VALUES + 1);
      return { fields: inUse, values: await session.rows(fieldValueRow, wanted) };
    });
    const byField = Map.groupBy(values, ({ fieldId }) => fieldId);
    const shown = inGermanOrder(fields).flatMap((field) =>
      ownFirst(byField.get(field.id) ?? [], organisationId).map((row) => shownValue(row, organisationId)),
    );
    const data = shown.slice(0, Math.min(MAX_VALUES, rowsWithin(MAX_BYTES, shown)));
    const complete = data.length === shown.length && values.length <= MAX_VALUES;
    return { body: { data, meta: { count: data.length, complete } } };
  },
});

/** The rows of one writer follow each other in their order already. */
export const ownFirst = (rows: readonly FieldValueRow[], organisationId: string): FieldValueRow[] =>
  rows.toSorted((a, b) => Number(a.writerId !== organisationId) - Number(b.writerId !== organisationId));

export const shownValue = (row: FieldValueRow, organisationId: string): z.infer<typeof customFieldValue> => ({
  defId: row.fieldId,
  text: row.text,
  zahl: row.number,
  datum: row.day,
  datumsgenauigkeit: row.dayPrecision ?? 'DAY',
  schreiber: row.writerId === organisationId ? 'eigen' : 'gegenseite',
  reihenfolge: row.position,
  geaendertAm: row.updatedAt,
});
