import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { type Failure, refused } from '../../runtime/command-line/exit.ts';
import type { Logger } from '../../runtime/log.ts';
import type { Settings } from '../../runtime/settings.ts';
import { withoutSecrets } from '../../sql/org/api-key.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { COMMANDS } from './commands.ts';
import { adminFailureOf } from './common/failures.ts';
import { type Executor, execute } from './execution/execute.ts';
import { requestShape } from './execution/protocol.ts';
import { isPipe, socketPath, storeFolder } from './execution/socket-path.ts';

/**
 * An embedded store belongs to the service's process, so commands reach it over a unix socket that only the service's user
 * can open; on Windows over a named pipe that only this user and administrators can write to.
 */

/**
 * Listens for commands. The caller holds the store's lock and closes this before the store; running commands may finish
 * within SHUTDOWN_SECONDS. A store on a server needs no socket, because the command line opens it itself.
 */
export async function listenForAdmin(
  store: OrgStore,
  settings: Settings,
  log: Logger,
): Promise<{ close(): Promise<void> }> {
  const folder = storeFolder(settings.ORG_STORE_URL);
  if (folder === null) return { close: async () => {} };
  const path = socketPath(folder);
  const executor: Executor = { store, settings, log };
  const server = createServer((request, response) => void serve(request, response, executor));
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

/** Listens on a socket that no other user can open, not even for a moment. */
function listenPrivately(server: Server, path: string): Promise<void> {
  // The process that made an older socket has lost the store, so it does not listen any more.
  if (!isPipe()) rmSync(path, { force: true });
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

async function serve(request: IncomingMessage, response: ServerResponse, executor: Executor): Promise<void> {
  const body = await responseTo(request, executor);
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Connection', 'close');
  response.end(JSON.stringify(body));
}

async function responseTo(
  request: IncomingMessage,
  executor: Executor,
): Promise<{ result: unknown } | { failure: Failure }> {
  try {
    const { command: name, typed } = requestShape.parse(await json(request));
    const command = COMMANDS.find((candidate) => candidate.name === name);
    if (command === undefined) {
      throw refused(`The service that is running does not know ${name}: it is of another release. Restart it`);
    }
    return { result: await execute(command, typed, executor) };
  } catch (error) {
    const { exit, message } = adminFailureOf(error);
    if (exit === 'failed') executor.log.error({ err: error }, 'a command of the administration failed');
    return { failure: { exit, message: withoutSecrets(message) } };
  }
}
