import type { CommandInfo } from '../../../runtime/command-line/command.ts';
import type { ExitName } from '../../../runtime/command-line/exit.ts';
import type { InputOf, Parameters } from '../../../runtime/command-line/parameter.ts';
import type { Settings } from '../../../runtime/settings.ts';
import type { OrgStore } from '../../../sql/org/store.ts';

/**
 * A command of the administration: what it does with the store and how its result reads. It runs in the command line or
 * inside a running service (execution/run-at-store.ts), so its result has to be plain JSON.
 */
export interface AdminCommand<P extends Parameters = Parameters, Result = unknown> extends CommandInfo<P> {
  readonly examples: readonly string[];
  /**
   * `unmigrated`: the tables are not brought up to date before the command runs. `new`: besides, the store may be one that
   * has no tables yet. Without it, the store is known and its tables are up to date.
   */
  readonly storeState?: 'unmigrated' | 'new';
  /** @throws CommandFailed */
  run(store: OrgStore, input: InputOf<P>, context: AdminContext): Promise<Result>;
  /** The result for people, on standard output. */
  format(result: NoInfer<Result>): string;
  /** Advice for people about the result. It goes to standard error, so that the output can be piped. */
  note?(result: NoInfer<Result>): string;
  /** Says how a command ends whose result is bad news: the result is printed all the same. Default: done. */
  exitOf?(result: NoInfer<Result>): ExitName;
  /** Gives the command `--out <file>`: the content of the file, and the result that remains to be printed. */
  readonly outFile?: { content(result: NoInfer<Result>): string; summary(result: NoInfer<Result>): object };
  /** Fields of the log line; null when nothing was changed. They never hold a secret or a person's name. */
  logFields?(result: NoInfer<Result>): object | null;
}

/** The help says this of a command. */
export type CommandTexts = Pick<AdminCommand, 'name' | 'summary' | 'description' | 'examples'>;

export interface AdminContext {
  readonly settings: Settings;
}

/** Declares a command; its parameters type the input of `run`, and `run` the result of all others. */
export const adminCommand = <P extends Parameters, Result>(value: AdminCommand<P, Result>): AdminCommand<P, Result> =>
  value.outFile === undefined ? value : { ...value, out: 'write the result to this new file, which only you can read' };
