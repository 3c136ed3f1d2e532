import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { CommandFailed, unreachable } from '../../../runtime/command-line/exit.ts';
import type { RawArguments } from '../../../runtime/command-line/parameter.ts';
import { type Request, responseShape } from './protocol.ts';

/** No process listens on the socket, so no command was sent. */
export class ServiceNotRunning extends Error {}

/**
 * Has a command executed by the service that listens on a socket.
 * @throws ServiceNotRunning when there is none; CommandFailed as the service reports it, or when the service ended meanwhile
 */
export async function executeRemotely(path: string, command: string, raw: RawArguments): Promise<unknown> {
  const response = responseShape.parse(await post(path, { command, typed: raw as Request['typed'] }));
  if ('result' in response) return response.result;
  throw new CommandFailed(response.failure.exit, response.failure.message);
}

/** Errors of a connection that was never made. */
const NOT_CONNECTED: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED']);

function post(socketPath: string, body: Request): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, method: 'POST', path: '/', agent: false }, (response) => {
      json(response).then(resolve, () => reject(connectionLost(socketPath)));
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (NOT_CONNECTED.has(error.code)) reject(new ServiceNotRunning(socketPath));
      else if (error.code === 'EACCES')
        reject(unreachable(`${socketPath} belongs to another user: run this as that one`));
      else reject(connectionLost(socketPath));
    });
    outgoing.end(JSON.stringify(body));
  });
}

const connectionLost = (path: string): CommandFailed =>
  unreachable(
    `The service on ${path} ended before it answered, so whether the command was carried out is not known. ` +
      'Look, and try again',
  );
