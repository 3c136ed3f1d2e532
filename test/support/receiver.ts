import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type Authority, newAuthority } from './certificates.ts';
import { temporaryFolder } from './fixture.ts';

/**
 * A receiver of webhooks on loopback: it records what arrives, and answers as a test says.
 *
 * A service can call the receiver under these conditions:
 * - Its address is not public, so the service needs the setting `WEBHOOK_ALLOWED_HOSTS: receiver.host`, or `127.0.0.1` for
 *   receivers of any port that start later.
 * - Its certificate must be trusted. A service in this process trusts it as soon as a receiver (or `testAuthority()`) was made
 *   here. One in a process of its own needs the environment `NODE_EXTRA_CA_CERTS: receiver.authorityFile`; all receivers of
 *   this process have the same authority, and the file goes with its receiver.
 *
 * Each path is an endpoint of its own: `receiver.url + '/a'`.
 */
export interface Receiver {
  /** The address, without a slash at the end. */
  readonly url: string;
  /** Host and port, as WEBHOOK_ALLOWED_HOSTS takes them. */
  readonly host: string;
  /** The certificate of its authority, in PEM. */
  readonly authorityFile: string;
  /** Everything that arrived, in order. */
  readonly deliveries: readonly Delivery[];
  /** Returns the deliveries that arrived at a path. */
  to(path: string): Delivery[];
  /** Says how a path answers from now on; 204 otherwise. */
  behave(path: string, behaviour: Behaviour): void;
  /** Says how a path answers its next requests, one each, before it goes on as usual. */
  next(path: string, ...behaviours: readonly Behaviour[]): void;
  /** Waits until so many deliveries, or those that fulfil a condition, have arrived. */
  arrived(enough: number | ((deliveries: readonly Delivery[]) => boolean)): Promise<void>;
  /** Returns the number of open connections. */
  connections(): number;
  /** Waits until no connection is open any more. */
  idle(): Promise<void>;
  /** Closes every connection. */
  stop(): Promise<void>;
}

export interface Delivery {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The time when the request was complete, Unix milliseconds. */
  readonly at: number;
}

/** Answers a request that was read and recorded. */
export type Behaviour = (response: ServerResponse, delivery: Delivery, request: IncomingMessage) => void;

let authority: Authority | undefined;

/** The authority of all receivers of this process, which trusts it from the first call on. */
export function testAuthority(): Authority {
  if (authority === undefined) {
    authority = newAuthority();
    setDefaultCACertificates([...getCACertificates('default'), authority.certificate]);
  }
  return authority;
}

/** The hosts that every receiver is certified for. */
const HOSTS = ['127.0.0.1', '::1', 'localhost'];

/**
 * Starts a receiver.
 * @param port that of a receiver which was stopped before; default: a free one
 * @param hosts further names that its certificate holds for
 */
export async function startReceiver({
  port = 0,
  hosts = [],
}: {
  readonly port?: number;
  readonly hosts?: readonly string[];
} = {}): Promise<Receiver> {
  const folder = temporaryFolder();
  const authorityFile = join(folder.path, 'authority.pem');
  writeFileSync(authorityFile, testAuthority().certificate);
  const deliveries: Delivery[] = [];
  const usual = new Map<string, Behaviour>();
  const queued = new Map<string, Behaviour[]>();
  const waiting = new Set<() => void>();
  const sockets = new Set<Socket>();
  const changed = () => {
    for (const look of waiting) look();
  };
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (!condition()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  const server = createServer(testAuthority().issue([...HOSTS, ...hosts]), async (request, response) => {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of request) pieces.push(piece);
    } catch {
      return; // The sender broke off.
    }
    const { url: path = '', method = '', headers } = request;
    const delivery = { path, method, headers, body: Buffer.concat(pieces).toString(), at: Date.now() };
    deliveries.push(delivery);
    const behaviour = queued.get(path)?.shift() ?? usual.get(path) ?? answering(204);
    behaviour(response, delivery, request);
    changed();
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      changed();
    });
  });
  // Some tests are about senders that break off.
  server.on('tlsClientError', () => {});
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `https://${host}`,
    host,
    authorityFile,
    deliveries,
    to: (path) => deliveries.filter((delivery) => delivery.path === path),
    behave: (path, behaviour) => usual.set(path, behaviour),
    next: (path, ...behaviours) => queued.set(path, [...(queued.get(path) ?? []), ...behaviours]),
    arrived: (enough) => until(() => (typeof enough === 'number' ? deliveries.length >= enough : enough(deliveries))),
    connections: () => sockets.size,
    idle: () => until(() => sockets.size === 0),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      folder.remove();
    },
  };
}

export const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end(body);

/** Never answers. */
export const hanging: Behaviour = () => {};

/** Begins an answer and never ends it. */
export const hangingInBody: Behaviour = (response) => {
  response.writeHead(200).write('wait');
};

/** Sends a byte of the answer every few milliseconds, without end. */
export const trickling: Behaviour = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), 20);
  response.once('close', () => clearInterval(timer));
};

/** Closes the connection instead of an answer. */
export const closing: Behaviour = (response) => {
  response.destroy();
};

export const redirectingTo = (location: string, status = 307): Behaviour => answering(status, { location });

/** Announces so many bytes more than it sends before it closes. */
export const lyingBy =
  (bytes: number): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-length': 2 + bytes, connection: 'close' });
    response.write('ok', () => response.destroy());
  };

/** Sends its body as fast as it is read, without end. */
export const endless: Behaviour = (response) => {
  response.writeHead(200);
  const piece = Buffer.alloc(64 * 1024, 'x');
  const more = (): void => {
    while (!response.destroyed) if (!response.write(piece)) return;
  };
  response.on('drain', more);
  more();
};

/** Writes bytes of its own to the connection, instead of HTTP that Node would write. */
export const writing =
  (...texts: readonly string[]): Behaviour =>
  (response) => {
    for (const text of texts) response.socket?.write(text, 'latin1');
  };
