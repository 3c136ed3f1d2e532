import { z } from 'zod';
import { fieldValueRow, valuesOfUnits } from '../../sql/org/records/custom-field-values.ts';
import { customFieldRow, customFieldsInUse } from '../../sql/org/records/custom-fields.ts';
import { inGermanOrder } from '../../sql/org/records/german-order.ts';
import { operation } from '../operation/operation.ts';
import { MAX_BYTES, rowsWithin } from '../wire/paging.ts';
import { listParameter } from '../wire/parameters.ts';
import { customFieldValue, ownFirst, shownValue } from './values.ts';

/** Values that one answer may have. */
const MAX_VALUES = 10_000;

const valueOfUnit = customFieldValue
  .extend({ mastrNummer: z.string().describe('MaStR number of the unit') })
  .meta({ id: 'CustomFieldValueOfUnit' });

/** Lists the values of several units: what a table has as columns. */
export const listValuesOfUnits = operation({
  id: 'custom-fields.values-of-units',
  method: 'GET',
  path: '/v1/custom-fields/values',
  summary: 'Own values of several units',
  description:
    'By the numbers of the units, and of each unit as GET /v1/units/{id}/custom-fields lists them. A unit without values does ' +
    'not appear.',
  access: 'api',
  scope: 'custom_fields:read',
  module: 'workspace',
  cost: 'standard',
  source: 'service',
  query: z.strictObject({
    mastrNummern: listParameter().describe('MaStR numbers'),
  }),
  answer: z.strictObject({
    data: z.array(valueOfUnit),
    meta: z.strictObject({
      count: z.int(),
      complete: z.boolean().describe('false: there are more values than an answer has room for; ask for fewer units'),
    }),
  }),
  example: { query: 'mastrNummern=SEE900000000001,SEE900000000002' },
  async handle({ query: { mastrNummern }, caller, records }) {
    const { id: organisationId } = caller.organisation;
    const { fields, values } = await records(async (session) => {
      const inUse = await session.rows(customFieldRow, customFieldsInUse(organisationId));
      const ids = inUse.map(({ id }) => id);
      const wanted = valuesOfUnits(organisationId, mastrNummern, ids, MAX_VALUES + 1);
      return { fields: inGermanOrder(inUse), values: await session.rows(fieldValueRow, wanted) };
    });
    const shown = [...Map.groupBy(values, ({ mastrNumber }) => mastrNumber)].flatMap(([mastrNummer, ofUnit]) => {
      const byField = Map.groupBy(ofUnit, ({ fieldId }) => fieldId);
      return fields.flatMap(({ id }) =>
        ownFirst(byField.get(id) ?? [], organisationId).map((row) => ({
          mastrNummer,
          ...shownValue(row, organisationId),
        })),
      );
    });
    const data = shown.slice(0, Math.min(MAX_VALUES, rowsWithin(MAX_BYTES, shown)));
    const complete = data.length === shown.length && values.length <= MAX_VALUES;
    return { body: { data, meta: { count: data.length, complete } } };
  },
});
