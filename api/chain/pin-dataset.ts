import type { Call, KeyOperation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { timedReader } from '../warehouse/timed-reader.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import type { CallerState } from './context.ts';
import type { Step } from './step.ts';

/** Lets the request read one dataset version: taken when first asked for, kept, and released at the end. */
export const pinDataset: Step<KeyOperation, CallerState, Pick<Call, 'dataset'>> = {
  name: 'pin dataset',
  problems: ({ source }) => (source === 'register' ? ['DATASET_NOT_READY'] : []),
  open:
    ({ warehouse }) =>
    ({ id }) =>
    async (context, next) => {
      const taken: Dataset[] = [];
      const engine = { ms: 0 };
      const dataset = (): Dataset => {
        const [present] = taken;
        if (present !== undefined) return present;
        const { requestId, trace } = context.state;
        const current = warehouse.acquire({ operation: id, request: requestId, trace: trace?.traceId ?? null });
        if (current === null) {
          const retryAt = Date.now() + 10_000;
          throw new Problem('DATASET_NOT_READY', 'No dataset version has been published yet', { retryAt });
        }
        context.state.engine = engine;
        const timed = { ...current, ...timedReader(current, engine) };
        taken.push(timed);
        return timed;
      };
      try {
        await next({ dataset });
      } finally {
        for (const version of taken) version.release();
      }
    },
};
