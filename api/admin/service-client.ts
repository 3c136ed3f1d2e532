import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Typed } from './command.ts';
import { CommandFailed, unreachable } from './exit.ts';
import type { Answer } from './socket.ts';

/** Nobody listens on the socket; nothing was asked. */
export class ServiceNotRunning extends Error {}

/**
 * Has a command carried out by the service that listens on a socket.
 * @throws NobodyThere when none does; NotDone as the service says, or when it went away meanwhile
 */
export async function askService(path: string, command: string, typed: Typed): Promise<unknown> {
  const answer = await post(path, JSON.stringify({ command, typed }));
  if ('result' in answer) return answer.result;
  const { exit, message } = answer.failure;
  throw new CommandFailed(exit, message);
}

/** Errors of a connection that was never made. */
const NOT_MADE: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED']);

function post(socketPath: string, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, method: 'POST', path: '/', agent: false }, (response) => {
      json(response).then(
        (answer) => resolve(answer as Answer),
        () => reject(wentAway(socketPath)),
      );
    });
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (NOT_MADE.has(error.code)) reject(new ServiceNotRunning(socketPath));
      else if (error.code === 'EACCES')
        reject(unreachable(`${socketPath} belongs to another user: run this as that one`));
      else reject(wentAway(socketPath));
    });
    asked.end(body);
  });
}

const wentAway = (path: string): CommandFailed =>
  unreachable(
    `The service on ${path} ended before it answered, so whether the command was carried out is not known. ` +
      'Look, and try again',
  );
