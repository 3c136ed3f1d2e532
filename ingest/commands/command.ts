import { join } from 'node:path';
import type { CommandInfo } from '../../runtime/command-line/command.ts';
import { type ExitName, refused } from '../../runtime/command-line/exit.ts';
import type { InputOf, Parameters } from '../../runtime/command-line/parameter.ts';
import { type Settings, warehouseFolder } from '../../runtime/settings.ts';
import { buildingFolder } from '../../sql/warehouse/versions.ts';
import type { PublicationTarget } from '../destination/target.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { humanProgress, machineProgress, type Progress, silentProgress } from '../run/progress.ts';
import type { TaskContext } from '../run/task-context.ts';
import { withWarehouseLock } from '../run/warehouse-lock.ts';

/** A command of the ingest, and what it does. */
export interface IngestCommand<P extends Parameters = Parameters> extends CommandInfo<P> {
  /** Does the work and prints its result. */
  run(input: InputOf<P>, context: CommandContext): Promise<ExitName>;
}

/** Declares a command; its parameters type the input of `run`. */
export const command = <P extends Parameters>(value: IngestCommand<P>): IngestCommand<P> => value;

export interface CommandContext {
  readonly settings: Settings;
  /** Set by `--json`. */
  readonly json: boolean;
}

/** Prints a result on standard output, for machines or for people. */
export function print(json: boolean, result: object, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : `${text}\n`);
}

/** Reports stages to machines on standard output, between the results, and to people on standard error. */
export const progressOf = (json: boolean): Progress =>
  json ? machineProgress(process.stdout) : humanProgress(process.stderr);

export const VERSIONS_HINT = 'Those there are: npm run ingest -- versions';

/** The consequence of a signal during a build. */
export const BUILD_INTERRUPTED =
  'nothing was published, what was served is still served, and what is left goes with the next build.';

/**
 * Runs a change of the pointer or of the versions under the lock of the warehouse, so that no build runs meanwhile.
 * @throws CommandFailed when there are no versions
 */
export function changeVersions<T>(
  settings: Settings,
  task: string,
  change: (target: PublicationTarget) => Promise<T>,
): Promise<T> {
  return withPublicationTarget(settings, async (target) => {
    if ((await target.versions()).length === 0) throw refused(`There are no versions in ${target.name}`);
    return withWarehouseLock(warehouseFolder(settings), task, () => change(target));
  });
}

/** @throws CommandFailed */
export async function requireVersion(target: PublicationTarget, version: string): Promise<void> {
  if ((await target.versions()).some(({ id }) => id === version)) return;
  throw refused(`There is no version ${version}. ${VERSIONS_HINT}`);
}

/** The means to bring a version to another place. The lock of the warehouse clears its folder afterwards. */
export const workOf = (settings: Settings, json: boolean, signal: AbortSignal): TaskContext => ({
  folder: join(buildingFolder(warehouseFolder(settings)), 'work'),
  memoryMb: settings.INGEST_MEMORY_MB,
  progress: json ? silentProgress : humanProgress(process.stderr),
  signal,
});
