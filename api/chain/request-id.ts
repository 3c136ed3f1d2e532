import { randomUUIDv7 } from 'node:crypto';
import type { FrameStep } from './step.ts';

/** Gives the request its id. It is always ours: an id that the caller sends is logged, never adopted. */
export const requestId: FrameStep = {
  name: 'request id',
  problems: [],
  open: () => async (context, next) => {
    context.state = { requestId: randomUUIDv7(), began: performance.now() };
    context.set('X-Request-Id', context.state.requestId);
    await next();
  },
};
