import { z } from 'zod';
import { quotaOf, quotaShape, rateLimitOf, rateLimitShape } from '../access/allowance.ts';
import { operation } from '../operation/operation.ts';

/** Calls of the running month against the quota, and the limits per window. */
export const showUsage = operation({
  id: 'usage.show',
  method: 'GET',
  path: '/v1/usage',
  summary: 'Calls of the running month and limits',
  description: 'The period is the calendar month in Europe/Berlin. This call itself does not count to the quota.',
  access: 'api',
  cost: 'standard',
  metered: false,
  source: 'service',
  answer: z.strictObject({
    data: z.strictObject({
      period: z.strictObject({ start: z.iso.datetime(), end: z.iso.datetime() }),
      requests: z.strictObject(quotaShape),
      rateLimit: rateLimitShape,
    }),
    meta: z.strictObject({}),
  }),
  async handle({ caller, service }) {
    const month = await service.rateLimiter.month(caller.organisation.id);
    const data = {
      period: { start: month.start, end: month.end },
      requests: quotaOf(caller, month),
      rateLimit: rateLimitOf(caller),
    };
    return { body: { data, meta: {} } };
  },
});
