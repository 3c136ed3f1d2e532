import { z } from 'zod';
import { customFieldRow, customFieldsInUse } from '../../sql/org/records/custom-fields.ts';
import { inGermanOrder } from '../../sql/org/records/german-order.ts';
import { operation } from '../operation/operation.ts';
import { definitionShape, shownDefinition } from './definition.ts';

/** The fields that an organisation adds to units, without retired ones. */
export const listCustomFields = operation({
  id: 'custom-fields.list',
  method: 'GET',
  path: '/v1/custom-fields',
  summary: 'Own fields of units, by name',
  description: 'Retired fields do not appear, nor do those of files and contacts.',
  access: 'api',
  scope: 'custom_fields:read',
  module: 'workspace',
  cost: 'standard',
  source: 'service',
  answer: z.strictObject({
    data: z.array(definitionShape),
    meta: z.strictObject({ count: z.int(), complete: z.literal(true).describe('There are no further fields') }),
  }),
  async handle({ caller, records }) {
    const rows = await records((session) => session.rows(customFieldRow, customFieldsInUse(caller.organisation.id)));
    const data = inGermanOrder(rows).map(shownDefinition);
    return { body: { data, meta: { count: data.length, complete: true } } };
  },
});
