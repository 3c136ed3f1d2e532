import { z } from 'zod';
import { publicOperation } from '../operation/operation.ts';

const state = z.enum(['ok', 'degraded']);

/**
 * Reports whether the service can answer now: 200 exactly when both dependencies are ok, 503 otherwise, so that monitoring
 * need not read the body. A failed night does not change it, since the previous version is still served: `ingest -- status`,
 * the metrics and `asOf` show that.
 */
export const showHealth = publicOperation({
  id: 'health.show',
  method: 'GET',
  path: '/v1/health',
  summary: 'Health of the service and of what it depends on',
  cost: 'standard',
  source: 'service',
  answer: z.strictObject({
    data: z.strictObject({
      status: state,
      checkedAt: z.iso.datetime(),
      dependencies: z.strictObject({ database: state, search: state }),
    }),
    meta: z.strictObject({}),
  }),
  otherStatuses: { 503: 'A dependency is degraded' },
  async handle({ service }) {
    const data = await service.health();
    const body = { data, meta: {} };
    return data.status === 'degraded' ? { status: 503, headers: { 'Retry-After': '5' }, body } : { body };
  },
});
