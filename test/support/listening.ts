import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Servers of other projects, in processes of their own. */

/** Returns a port of the loopback on which nothing listens. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Waits until a server answers. @throws Error with its last words when it ends instead */
export async function answering(name: string, url: string, child: ChildProcess): Promise<void> {
  let output = '';
  child.stderr?.on('data', (piece: Buffer) => {
    output = (output + piece).slice(-2000);
  });
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`${name} did not start: ${output}`);
}
