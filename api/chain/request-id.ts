import { randomUUIDv7 } from 'node:crypto';
import type { Step } from './step.ts';

/** Gives the request its id. It is always ours: an id that the caller sends is logged, never adopted. */
export const requestId: Step = async (exchange, next) => {
  exchange.state.requestId = randomUUIDv7();
  exchange.set('X-Request-Id', exchange.state.requestId);
  await next();
};
