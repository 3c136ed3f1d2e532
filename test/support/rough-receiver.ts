import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { ServerCertificate } from './certificates.ts';

/** A receiver that speaks no HTTP of its own: a test does what it likes with each connection. */
export interface RoughReceiver {
  readonly url: string;
  /** Waits until the connections that were made are closed, at least so many (default: one). */
  idle(made?: number): Promise<void>;
  stop(): Promise<void>;
}

/** @param certificate of its TLS; null for a server that speaks none */
export async function startRoughReceiver(
  certificate: ServerCertificate | null,
  onConnection: (socket: Socket) => void,
): Promise<RoughReceiver> {
  const sockets = new Set<Socket>();
  let made = 0;
  let look = (): void => {};
  const server: Server = certificate === null ? createServer() : createTlsServer(certificate);
  server.on('connection', (socket: Socket) => {
    made++;
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      look();
    });
  });
  server.on(certificate === null ? 'connection' : 'secureConnection', (socket: Socket) => {
    // Such tests are about senders that break off.
    socket.on('error', () => {});
    // As long as bytes are left to read, Node does not tell that the sender has closed.
    socket.resume();
    onConnection(socket);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    idle: (least = 1) =>
      new Promise((resolve) => {
        look = () => {
          if (made >= least && sockets.size === 0) resolve();
        };
        look();
      }),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
