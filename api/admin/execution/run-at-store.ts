import { setTimeout as pause } from 'node:timers/promises';
import { unreachable, usageError } from '../../../runtime/command-line/exit.ts';
import type { RawArguments } from '../../../runtime/command-line/parameter.ts';
import { Locked } from '../../../runtime/lock-file.ts';
import { openLog } from '../../../runtime/log.ts';
import type { Settings } from '../../../runtime/settings.ts';
import { openOrgStore } from '../../../sql/org/store.ts';
import { openMarkedStore } from '../../../sql/org/store-marker.ts';
import type { AdminCommand } from '../common/admin-command.ts';
import { execute } from './execute.ts';
import { executeRemotely, ServiceNotRunning } from './socket-client.ts';
import { socketPath, storeFolder } from './socket-path.ts';

/** A service may take this long to start or stop before the command line gives up on it. */
const TIMEOUT_MILLISECONDS = 10_000;

/** After this time the user reads why nothing happens. */
const NOTICE_MILLISECONDS = 1_000;

/**
 * Executes a command where the store is. A server is open to every process. An embedded store belongs to the service
 * when one is running, which then executes the command; otherwise the store is opened here.
 * @param notify explains a delay to the user
 * @throws CommandFailed, Locked, StoreUnavailable, MigrationRefused
 */
export async function runAtStore(
  command: AdminCommand,
  raw: RawArguments,
  settings: Settings,
  notify: (text: string) => void,
): Promise<unknown> {
  const url = settings.ORG_STORE_URL;
  if (!url.startsWith('pglite:')) return executeLocally(command, raw, settings);
  const folder = storeFolder(url);
  if (folder === null) {
    throw usageError(
      `ORG_STORE_URL=${url} is a store inside one process that is gone with it: there is nothing to administer. ` +
        'Set it to postgres://… or pglite:<folder>',
    );
  }
  return runAtEmbeddedStore(folder, command, raw, settings, notify);
}

async function runAtEmbeddedStore(
  folder: string,
  command: AdminCommand,
  raw: RawArguments,
  settings: Settings,
  notify: (text: string) => void,
): Promise<unknown> {
  const socket = socketPath(folder);
  const startedAt = performance.now();
  let notified = false;
  while (true) {
    try {
      return await executeRemotely(socket, command.name, raw);
    } catch (error) {
      if (!(error instanceof ServiceNotRunning)) throw error;
    }
    try {
      return await executeLocally(command, raw, settings);
    } catch (error) {
      // The process that holds the store does not listen: it is a service that starts or stops, or another command.
      if (!(error instanceof Locked)) throw error;
      const waited = performance.now() - startedAt;
      if (waited > TIMEOUT_MILLISECONDS) {
        throw unreachable(`${error.message}\nIf it is starting or stopping, try again`);
      }
      if (!notified && waited > NOTICE_MILLISECONDS) {
        notify(`Waiting for the store ${folder}: another process has it\n`);
        notified = true;
      }
    }
    await pause(100);
  }
}

async function executeLocally(command: AdminCommand, raw: RawArguments, settings: Settings): Promise<unknown> {
  // The terminal shows what was done, so the log only needs warnings.
  const log = await openLog('warn');
  const open = command.storeState === 'new' ? openOrgStore : openMarkedStore;
  const store = await open(settings, log);
  try {
    if (command.storeState === undefined) await store.migrate('apply');
    return await execute(command, raw, { store, settings, log });
  } finally {
    await store.close();
  }
}
