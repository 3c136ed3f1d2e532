import { parseArguments } from '../../../runtime/command-line/command.ts';
import type { RawArguments } from '../../../runtime/command-line/parameter.ts';
import type { Logger } from '../../../runtime/log.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { messageOf } from '../../wire/violations.ts';
import type { AdminCommand, AdminContext } from '../common/admin-command.ts';

export const PROGRAM_NAME = 'npm run admin --';

/** The process that executes commands, be it the command line or a running service. */
export interface Executor extends AdminContext {
  readonly store: OrgStore;
  readonly log: Logger;
}

/** @throws CommandFailed, and whatever the store throws */
export async function execute(
  command: AdminCommand,
  raw: RawArguments,
  { store, settings, log }: Executor,
): Promise<unknown> {
  const result = await command.run(store, parseAdminArguments(command, raw), { settings });
  const fields = command.logFields?.(result) ?? null;
  if (fields !== null) log.info({ command: command.name, ...fields }, 'administration');
  return result;
}

/** @throws CommandFailed listing every fault, one per line */
export const parseAdminArguments = (command: AdminCommand, raw: RawArguments) =>
  parseArguments(command, raw, {
    program: PROGRAM_NAME,
    messageOf,
    // The command line and the service check the same parameters unless they are of different releases.
    unknownArgument: ': a service of another release is running; restart it',
  });
