import { z } from 'zod';
import { operation } from '../operation/operation.ts';
import { rowsOfMonth } from './rows.ts';
import { mustHaveTier } from './variant.ts';

/** Shows tier, limit per minute, and rows of the month in the older variant. */
export const showOlderUsage = operation({
  id: 'older.usage',
  method: 'GET',
  path: '/api/v1/usage',
  summary: 'Tier, limits and rows of the month (older variant)',
  older: true,
  access: 'key',
  cost: 'standard',
  metered: false,
  source: 'service',
  answer: z.strictObject({
    data: z.strictObject({
      tier: z.enum(['PRO', 'ENTERPRISE']),
      rateLimit: z.strictObject({ requests: z.int(), window: z.literal('1m') }),
      usage: z.strictObject({
        rowsExported: z.int().describe('Units read in this calendar month'),
        rowsLimit: z.int(),
      }),
    }),
    meta: z.strictObject({}),
  }),
  async handle({ caller, records }) {
    const { name, calls, rows } = mustHaveTier(caller);
    const { used } = await rowsOfMonth({ caller, records });
    const data = {
      tier: name,
      rateLimit: { requests: calls, window: '1m' as const },
      usage: { rowsExported: used, rowsLimit: rows },
    };
    return { body: { data, meta: {} } };
  },
});
