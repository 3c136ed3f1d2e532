import { randomUUIDv7 } from 'node:crypto';
import { readTraceparent } from '../wire/trace-context.ts';
import type { FrameStep } from './step.ts';

/** Gives the request its id. It is always ours: an id or a trace that the caller sends is logged, never adopted. */
export const requestId: FrameStep = {
  name: 'request id',
  problems: [],
  open: () => async (context, next) => {
    const trace = readTraceparent(context.get('traceparent'));
    context.state = { requestId: randomUUIDv7(), began: performance.now(), trace };
    context.set('X-Request-Id', context.state.requestId);
    await next();
  },
};
