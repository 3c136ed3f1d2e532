import { randomUUIDv7 } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Service } from '../operation/service.ts';
import { Problem, problemDocument, problemHeaders } from '../problem/problem.ts';
import { commonHeaders } from './arrival.ts';

/** Answers to what never becomes a request and so never reaches the chain: written on the connection, which then ends. */

/** Answers requests that are not HTTP, have too large a header, or do not arrive in time. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex, service: Service): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isSilent(socket)) {
    socket.destroy();
    return;
  }
  const detail = BROKEN[error.code ?? ''] ?? 'The request is not valid HTTP/1.1';
  refuse(new Problem('INVALID_PARAMETER', detail), error.code, socket, service);
}

/** Browsers open connections ahead: an answer to nothing would be taken for the one to the next request. */
const isSilent = (socket: Duplex): boolean => socket instanceof Socket && socket.bytesRead === 0;

const BROKEN: Readonly<Record<string, string>> = {
  HPE_INVALID_URL:
    'The address is not valid; characters beyond ASCII are percent-encoded in it, as M%C3%BCnchen for München',
  HPE_HEADER_OVERFLOW: 'Address and headers together are larger than 32 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time',
};

/** Answers CONNECT, which asks for a tunnel to another server. */
export function answerTunnel(socket: Duplex, service: Service): void {
  const headers = { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' };
  const detail = 'The service is no proxy: it does not offer CONNECT';
  refuse(new Problem('METHOD_NOT_ALLOWED', detail, { headers }), 'CONNECT', socket, service);
}

function refuse(problem: Problem, reason: string | undefined, socket: Duplex, { settings, log }: Service): void {
  const id = randomUUIDv7();
  const document = problemDocument(problem, settings.BASE_URL, id);
  const body = JSON.stringify(document);
  log.info({ requestId: id, reason, status: document.status }, 'broken request');
  const headers = {
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': id,
    ...commonHeaders(settings),
    ...problemHeaders(problem),
    'Cache-Control': 'no-store',
    Connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  // A caller that hangs up before it has the answer does no harm.
  socket.on('error', () => socket.destroy());
  socket.end([`HTTP/1.1 ${document.status} ${STATUS_CODES[document.status]}`, ...head, '', body].join('\r\n'));
}
