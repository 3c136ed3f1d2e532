import { z } from 'zod';
import { operation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { mastrNumber } from '../wire/parameters.ts';
import { unitsByNumber } from './read.ts';
import { grantedFields } from './selection.ts';
import { unitFrom, wholeUnit } from './unit.ts';

/** One unit with all its blocks, flat; `betreiber` repeats betreiberName. */
export const showUnit = operation({
  id: 'units.show',
  method: 'GET',
  path: '/v1/units/{id}',
  summary: 'One asset',
  access: 'api',
  scope: 'units:read',
  module: 'analysis',
  cost: 'standard',
  source: 'register',
  pathParameters: z.strictObject({ id: mastrNumber().describe('MaStR number of the unit, begins with SEE') }),
  answer: z.strictObject({
    data: wholeUnit,
    meta: z.strictObject({}),
  }),
  problems: ['NOT_FOUND'],
  example: { path: { id: 'SEE900000000001' } },
  async handle({ path: { id }, service, caller, today, dataset }) {
    const fields = grantedFields(caller);
    const [row] = await unitsByNumber(dataset(), [id], fields, today);
    if (row === undefined) throw new Problem('NOT_FOUND', `The register has no unit ${id}`);
    const unit = unitFrom(row, fields, caller, service.settings);
    return { body: { data: { ...unit, betreiber: row.betreiberName ?? null }, meta: {} } };
  },
});
