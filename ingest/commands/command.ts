import { join } from 'node:path';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { type Settings, warehouseFolder } from '../../runtime/settings.ts';
import { buildingFolder } from '../../sql/warehouse/versions.ts';
import { isCalendarDay } from '../archive/day.ts';
import { withPublicationTarget } from '../publication/open.ts';
import type { PublicationTarget } from '../publication/target.ts';
import { alone } from '../run/alone.ts';
import { humanProgress, machineProgress, type Progress, silentProgress } from '../run/progress.ts';
import { BuildRefused } from '../run/refused.ts';
import type { TaskContext } from '../run/task-context.ts';
import type { ExitCode } from './exit.ts';

/** A command of the ingest is a value: its name, the words it takes, and what it does with them. */
export interface IngestCommand {
  readonly name: string;
  readonly description: string;
  /** Declares arguments and options. */
  words(command: Command): Command;
  /**
   * Does it, and says on standard output what came of it.
   * @param typed arguments by place
   * @returns the exit code; nothing = done
   */
  // biome-ignore lint/suspicious/noExplicitAny: commander hands over what `words` declares, and types it nowhere
  run(settings: Settings, flags: any, ...typed: any[]): Promise<ExitCode | undefined> | ExitCode | undefined;
}

export const asJson = (command: Command): Command => command.option('--json', 'as JSON', false);

/** A result, for machines or for people. */
export const print = (json: boolean, result: object, text: string): void => {
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : `${text}\n`);
};

/** The stages of what takes long: for machines with the result, for people beside it. */
export const progressOf = (json: boolean): Progress =>
  json ? machineProgress(process.stdout) : humanProgress(process.stderr);

/** Runs a change of the pointer or of the versions while no build is at work. */
export function exclusively<T>(
  settings: Settings,
  task: string,
  change: (published: PublicationTarget, warehouse: string) => Promise<T>,
): Promise<T> {
  const warehouse = warehouseFolder(settings);
  return withPublicationTarget(settings, async (published) => {
    if ((await published.versions()).length === 0) throw new BuildRefused(`There are no versions in ${published.name}`);
    return alone(warehouse, task, () => change(published, warehouse));
  });
}

/** @throws BuildRefused */
export async function requireVersion(published: PublicationTarget, version: string): Promise<void> {
  if ((await published.versions()).some(({ id }) => id === version)) return;
  throw new BuildRefused(`There is no version ${version}. Those there are: npm run ingest -- versions`);
}

/** Room for what a command brings somewhere else; what is left in it goes when the command ends. */
export const workOf = (settings: Settings, json: boolean, signal: AbortSignal): TaskContext => ({
  folder: join(buildingFolder(warehouseFolder(settings)), 'work'),
  memoryMb: settings.INGEST_MEMORY_MB,
  progress: json ? silentProgress : humanProgress(process.stderr),
  signal,
});

export function calendarDay(text: string): string {
  if (isCalendarDay(text)) return text;
  throw new InvalidArgumentError(`${text} is no calendar day YYYY-MM-DD`);
}

export function wholeNumber(text: string): number {
  if (/^[1-9][0-9]*$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`${text} is no whole number above 0`);
}

export function webAddress(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError(`${text} is no http or https address`);
}
