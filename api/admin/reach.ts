import { setTimeout as pause } from 'node:timers/promises';
import { Locked } from '../../runtime/lock-file.ts';
import { openLog } from '../../runtime/log.ts';
import type { Settings } from '../../runtime/settings.ts';
import { openKnownStore } from '../../sql/org/known.ts';
import { openOrgStore } from '../../sql/org/store.ts';
import type { Command, Typed } from './command.ts';
import { execute } from './execute.ts';
import { misused, unreachable } from './exit.ts';
import { askService, ServiceNotRunning } from './service-client.ts';
import { socketPath, storeFolder } from './socket-path.ts';

/** How long a service may take to start or stop before the command line gives up on it, and before it says so. */
const TIMEOUT_MILLISECONDS = 10_000;
const IDLE_TIMEOUT_MILLISECONDS = 1_000;

/**
 * Carries out a command where the store can be had: a server is open to all; an embedded store belongs to the service
 * if one is running, and is opened here if none is.
 * @param say tells somebody who waits why
 * @throws NotDone, Locked, StoreUnavailable, MigrationRefused
 */
export async function runAtStore(
  command: Command,
  typed: Typed,
  settings: Settings,
  say: (text: string) => void,
): Promise<unknown> {
  const url = settings.ORG_STORE_URL;
  if (!url.startsWith('pglite:')) return runHere(command, typed, settings);
  const folder = storeFolder(url);
  if (folder === null) {
    throw misused(
      `ORG_STORE_URL=${url} is a store inside one process that is gone with it: there is nothing to administer. ` +
        'Set it to postgres://… or pglite:<folder>',
    );
  }
  return runBeside(folder, command, typed, settings, say);
}

async function runBeside(
  folder: string,
  command: Command,
  typed: Typed,
  settings: Settings,
  say: (text: string) => void,
): Promise<unknown> {
  const socket = socketPath(folder);
  const began = performance.now();
  let silent = true;
  while (true) {
    try {
      return await askService(socket, command.name, typed);
    } catch (error) {
      if (!(error instanceof ServiceNotRunning)) throw error;
    }
    try {
      return await runHere(command, typed, settings);
    } catch (error) {
      // Somebody has the store and does not listen: a service that starts or stops, or another command.
      if (!(error instanceof Locked)) throw error;
      const waited = performance.now() - began;
      if (waited > TIMEOUT_MILLISECONDS)
        throw unreachable(`${error.message}\nIf it is starting or stopping, try again`);
      if (silent && waited > IDLE_TIMEOUT_MILLISECONDS)
        say(`Waiting for the store ${folder}: another process has it\n`);
      silent &&= waited <= IDLE_TIMEOUT_MILLISECONDS;
    }
    await pause(100);
  }
}

async function runHere(command: Command, typed: Typed, settings: Settings): Promise<unknown> {
  // What was done is told on the terminal; here the log has only what is wrong.
  const log = openLog('warn');
  const open = command.tables === 'made here' ? openOrgStore : openKnownStore;
  const store = await open(settings, log);
  try {
    if (command.tables === undefined) await store.migrate('apply');
    return await execute(command, typed, { store, settings, log });
  } finally {
    await store.close();
  }
}
