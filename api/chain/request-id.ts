import { randomUUIDv7 } from 'node:crypto';
import type { Middleware } from './context.ts';

/** Gives the request its id. It is always ours: an id that the caller sends is logged, never adopted. */
export const requestId: Middleware = async (context, next) => {
  context.state.requestId = randomUUIDv7();
  context.set('X-Request-Id', context.state.requestId);
  await next();
};
