import { z } from 'zod';
import { operation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { unitsByNumber } from '../units/read.ts';
import { mastrNumber } from '../wire/parameters.ts';
import { countingRows } from './rows.ts';
import { DETAIL_FIELDS, detailUnit, detailUnitShape } from './unit.ts';

/** Shows one unit in the older variant, with the fields of its carrier. */
export const showOlderUnit = operation({
  id: 'older.unit',
  method: 'GET',
  path: '/api/v1/units/{id}',
  summary: 'One unit (older variant)',
  older: true,
  access: 'key',
  scope: 'units:read',
  cost: 'standard',
  metered: false,
  source: 'register',
  pathParameters: z.strictObject({ id: mastrNumber().describe('MaStR number of the unit, begins with SEE') }),
  answer: z.strictObject({ data: detailUnitShape, meta: z.strictObject({}) }),
  problems: ['NOT_FOUND', 'RATE_LIMIT_EXCEEDED'],
  example: { path: { id: 'SEE900000000001' } },
  async handle({ path: { id }, today, dataset, caller, records }) {
    const [row] = await countingRows({ caller, records }, async () =>
      unitsByNumber(dataset(), [id], DETAIL_FIELDS, today),
    );
    if (row === undefined) throw new Problem('NOT_FOUND', `The register has no unit ${id}`);
    return { body: { data: detailUnit(row), meta: {} } };
  },
});
