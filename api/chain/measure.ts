import type { Service } from '../service.ts';
import type { Step } from './step.ts';

/** Counts the request and its time, under the id of its operation. */
export const measure =
  ({ metrics }: Service): Step =>
  async (exchange, next) => {
    const answered = metrics.requestArrived();
    try {
      await next();
    } finally {
      answered(exchange.state.operation?.id ?? null, exchange.status);
    }
  };
