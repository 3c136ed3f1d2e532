import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import type { Logger } from '../../runtime/log.ts';
import type { Settings } from '../../runtime/settings.ts';
import { withoutKeys } from '../../sql/org/api-key.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { COMMANDS } from './commands.ts';
import { execute, type Site } from './execute.ts';
import { exitOf, type Failure, refused } from './exit.ts';
import { socketPath, storeFolder } from './socket-path.ts';

/**
 * The service's side of the command line: an embedded store belongs to the service's process, so commands come to it,
 * over a unix socket that only its owner can open. One request is one command; the answer is its result or its failure.
 */

/** A command as it crosses the socket. */
const requestShape = z.strictObject({
  command: z.string(),
  typed: z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())])),
});

export type Answer =
  | { readonly result: unknown }
  | { readonly failure: { readonly exit: Failure; readonly message: string } };

/**
 * Listens for commands. The caller has the store's lock; it closes this before the store, and commands at work come to
 * their end, within SHUTDOWN_SECONDS. A store on a server needs none of it: there the command line opens it itself.
 */
export async function listenForAdmin(
  store: OrgStore,
  settings: Settings,
  log: Logger,
): Promise<{ close(): Promise<void> }> {
  const folder = storeFolder(settings.ORG_STORE_URL);
  if (folder === null) return { close: async () => {} };
  const path = socketPath(folder);
  const site: Site = { store, settings, log };
  const server = createServer((request, response) => void serve(request, response, site));
  await listenPrivately(server, path);
  log.debug({ path }, 'listening for the command line');
  return {
    async close() {
      const deadline = setTimeout(() => server.closeAllConnections(), settings.SHUTDOWN_SECONDS * 1000);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(deadline);
    },
  };
}

/** Listens on a socket that nobody but its owner could open even for a moment. */
function listenPrivately(server: Server, path: string): Promise<void> {
  // Whoever had it before has no longer the store, so it is dead.
  rmSync(path, { force: true });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // The socket is made within this call, before anything else of this process runs.
    const before = process.umask(0o177);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
    process.umask(before);
  });
}

async function serve(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  const answer = await answerTo(request, site);
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Connection', 'close');
  response.end(JSON.stringify(answer));
}

async function answerTo(request: IncomingMessage, site: Site): Promise<Answer> {
  try {
    const { command: name, typed } = requestShape.parse(await json(request));
    const command = COMMANDS.find((candidate) => candidate.name === name);
    if (command === undefined) {
      throw refused(`The service that is running does not know ${name}: it is of another release. Restart it`);
    }
    return { result: await execute(command, typed, site) };
  } catch (error) {
    const { exit, message } = exitOf(error);
    if (exit === 'failed') site.log.error({ err: error }, 'a command of the administration failed');
    return { failure: { exit, message: withoutKeys(message) } };
  }
}
