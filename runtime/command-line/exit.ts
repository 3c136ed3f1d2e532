import { Locked } from '../lock-file.ts';
import { SettingsError } from '../settings.ts';

/**
 * Exit codes of all command lines. docs/operations.md and docs/administration.md document them: they are a contract with
 * whatever starts the commands.
 */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** A version was built, but a check failed, so it was not published. */
  checkFailed: 3,
  locked: 4,
  /** The store is locked or does not answer. Services send this name over the socket, so it stays in addition to `locked`. */
  unreachable: 4,
  refused: 5,
  archive: 6,
  damaged: 7,
  /** Shells report a process that a signal ended in the same way. */
  sigint: 130,
  sigterm: 143,
} as const;

export type ExitName = keyof typeof EXIT;

export type FailureName = Exclude<ExitName, 'done'>;

/** The exit of a failed command, and the message for its user. */
export interface Failure {
  readonly exit: FailureName;
  readonly message: string;
}

/** A command did not do its work; the message says what to do about it. */
export class CommandFailed extends Error {
  readonly exit: FailureName;

  constructor(exit: FailureName, message: string) {
    super(message);
    this.exit = exit;
  }
}

/** The command is understood, but what is stored does not allow it. */
export const refused = (message: string): CommandFailed => new CommandFailed('refused', message);

/** The command line or the settings are not valid. */
export const usageError = (message: string): CommandFailed => new CommandFailed('usage', message);

/** A store or a service does not answer now, but may do so later. */
export const unreachable = (message: string): CommandFailed => new CommandFailed('unreachable', message);

// biome-ignore lint/suspicious/noExplicitAny: constructors of errors take what they like
type ErrorClass = abstract new (...args: any[]) => Error;

/** Says how a command fails that throws an error of this class. */
export type FailureRule = readonly [kind: ErrorClass, exit: FailureName];

const COMMON_RULES: readonly FailureRule[] = [
  [SettingsError, 'usage'],
  [Locked, 'locked'],
];

/** @param rules of the program; they come before the common ones */
export function failureOf(error: unknown, rules: readonly FailureRule[] = []): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CommandFailed) return { exit: error.exit, message };
  const rule = [...rules, ...COMMON_RULES].find(([kind]) => error instanceof kind);
  return { exit: rule?.[1] ?? 'failed', message };
}
