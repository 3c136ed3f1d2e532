import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import Koa from 'koa';
import type { Operation } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import { FRAME, openChains } from './chain.ts';
import type { RequestState } from './context.ts';
import { answerUnrouted, openRouter } from './router.ts';

/** The steps that `mount` puts around operations. */
export interface Steps {
  readonly frame: typeof FRAME;
  readonly chains: typeof openChains;
}

const ALL_STEPS: Steps = { frame: FRAME, chains: openChains };

/** The request listener that answers for these operations. @throws Error for operations that hide each other */
export function mount(
  operations: readonly Operation[],
  service: Service,
  { frame, chains }: Steps = ALL_STEPS,
): RequestListener {
  const app = new Koa<RequestState>();
  for (const step of frame) app.use(step.open(service));
  const router = openRouter(operations, chains(service));
  app.use(answerUnrouted(operations));
  app.use(router.allowedMethods());
  app.use(router.routes());
  // Only faults outside the chain get here, such as a caller that hangs up; Koa would print them.
  app.on('error', (error: Error) => service.log.warn({ err: error }, 'a request broke off'));
  const listener = app.callback();
  return (request: IncomingMessage, response: ServerResponse) => void listener(request, response);
}
