import { z } from 'zod';
import type { Month } from '../../sql/org/calls.ts';
import type { Caller } from './caller.ts';

/** Quota and rate limits of a caller, and how much of them is used, as /v1/me and /v1/usage report them. */

export const quotaShape = {
  used: z.int().describe('Calls counted in the running period'),
  limit: z.int().describe('Calls per period'),
  remaining: z.int(),
  state: z.enum(['ok', 'warning', 'exceeded']).describe('warning from 80 % on; exceeded: further calls answer 429'),
};

/** Share of the quota from which on callers are warned. */
const WARNING_SHARE = 0.8;

export function quotaOf({ organisation: { quota } }: Caller, { used }: Month): z.infer<z.ZodObject<typeof quotaShape>> {
  const state = used >= quota ? 'exceeded' : used >= quota * WARNING_SHARE ? 'warning' : 'ok';
  return { used, limit: quota, remaining: Math.max(0, quota - used), state };
}

export const rateLimitShape = z.strictObject({
  window: z.literal('1 m').describe('Length of the window in which calls are counted'),
  perCostClass: z.strictObject({ standard: z.int(), mutation: z.int(), expensive: z.int() }),
});

export function rateLimitOf({ organisation: { limits } }: Caller): z.infer<typeof rateLimitShape> {
  const { standard, mutation, expensive } = limits;
  return { window: '1 m', perCostClass: { standard, mutation, expensive } };
}
