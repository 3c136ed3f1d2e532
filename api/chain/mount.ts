import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import Koa from 'koa';
import { Problem, problemDocument } from '../problem/problem.ts';
import type { Service } from '../service.ts';
import type { State, Step } from './step.ts';

/** The request listener that lets each request go through these steps. */
export function mount(steps: readonly Step[], service: Service): RequestListener {
  const app = new Koa<State>();
  for (const step of steps) app.use(step);
  // Only what breaks outside the chain gets here, such as a caller that hangs up; Koa would print it.
  app.on('error', (error: Error) => service.log.warn({ err: error }, 'a request broke off'));
  const listener = app.callback();
  return (request: IncomingMessage, response: ServerResponse) => void listener(request, response);
}

/** Answers what is no HTTP at all, or has too large a header: it never becomes a request, so the chain never sees it. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex, service: Service): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const id = randomUUIDv7();
  const document = problemDocument(
    new Problem('INVALID_PARAMETER', BROKEN[error.code ?? ''] ?? 'The request is not valid HTTP/1.1'),
    service.settings.BASE_URL,
    id,
  );
  const body = JSON.stringify(document);
  service.log.info({ requestId: id, reason: error.code, status: 400 }, 'broken request');
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${id}`,
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

const BROKEN: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'Address and headers together are larger than 32 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time',
};
