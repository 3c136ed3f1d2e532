import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import Koa from 'koa';
import type { Service } from '../operation/service.ts';
import type { Middleware, State } from './context.ts';

/** The request listener that lets each request go through these steps. */
export function mount(steps: readonly Middleware[], service: Service): RequestListener {
  const app = new Koa<State>();
  for (const step of steps) app.use(step);
  // Only what breaks outside the chain gets here, such as a caller that hangs up; Koa would print it.
  app.on('error', (error: Error) => service.log.warn({ err: error }, 'a request broke off'));
  const listener = app.callback();
  return (request: IncomingMessage, response: ServerResponse) => void listener(request, response);
}
