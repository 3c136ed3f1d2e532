import type { FrameStep } from './step.ts';

/** Counts the request and its time, under the id of its operation. */
export const measure: FrameStep = {
  name: 'metrics',
  problems: [],
  open:
    ({ metrics }) =>
    async (context, next) => {
      const answered = metrics.requestArrived();
      try {
        await next();
      } finally {
        answered(context.state.operation?.id ?? null, context.status);
      }
    },
};
