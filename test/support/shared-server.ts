import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that all tests of a run share, started when one of them first asks. */
interface SharedServer {
  /** Asked over HTTP, it answers what `start` has returned. */
  readonly desk: string;
  close(): Promise<void>;
}

/** @param start returns what callers get, and a function that stops the server */
export async function shareServer(
  start: () => Promise<{ readonly answer: string; stop(): Promise<void> }>,
): Promise<SharedServer> {
  let server: ReturnType<typeof start> | undefined;
  const desk = createServer((_, response) => {
    // A caller that asks again after a while must not find a connection that is about to close.
    response.setHeader('Connection', 'close');
    server ??= start();
    server.then(
      ({ answer }) => response.end(answer),
      ({ message }) => response.writeHead(500).end(message),
    );
  });
  desk.listen(0, '127.0.0.1');
  await once(desk, 'listening');
  return {
    desk: `http://127.0.0.1:${(desk.address() as AddressInfo).port}`,
    async close() {
      desk.close();
      await (await server?.catch(() => undefined))?.stop();
    },
  };
}
