import type { Service } from '../operation/service.ts';
import type { Middleware } from './context.ts';

/** Counts the request and its time, under the id of its operation. */
export const measure =
  ({ metrics }: Service): Middleware =>
  async (context, next) => {
    const answered = metrics.requestArrived();
    try {
      await next();
    } finally {
      answered(context.state.operation?.id ?? null, context.status);
    }
  };
