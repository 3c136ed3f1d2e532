import { Locked } from '../../runtime/lock-file.ts';
import { SettingsError } from '../../runtime/settings.ts';
import { BackupDamaged } from '../../sql/org/backup/file.ts';
import { RestoreRefused } from '../../sql/org/backup/restore.ts';
import { NoPlace } from '../../sql/org/backup/write.ts';
import { StoreRefused } from '../../sql/org/driver.ts';
import { MigrationRefused } from '../../sql/org/migrate.ts';
import { StoreUnavailable } from '../../sql/org/store.ts';

/** Exit codes, documented in docs/administration.md. */
export const EXIT = { done: 0, failed: 1, usage: 2, unreachable: 4, refused: 5 } as const;

/** How a command ends that does not do what was asked. */
export type Failure = Exclude<keyof typeof EXIT, 'done'>;

/** A command that did not do what was asked; its message says what to do. */
export class CommandFailed extends Error {
  readonly exit: Failure;

  constructor(exit: Failure, message: string) {
    super(message);
    this.exit = exit;
  }
}

/** What was asked is understood, but it does not go with what the store holds. */
export const refused = (message: string): CommandFailed => new CommandFailed('refused', message);

/** Wrong words on the command line. */
export const misused = (message: string): CommandFailed => new CommandFailed('usage', message);

/** Nobody answers now; later somebody may. */
export const unreachable = (message: string): CommandFailed => new CommandFailed('unreachable', message);

/** Postgres: a unique value is there already. Commands look first, so somebody else was quicker. */
const TAKEN = '23505';

/** Errors of the store that say what goes with what it holds. */
const REFUSALS = [MigrationRefused, StoreRefused, BackupDamaged, RestoreRefused, NoPlace];

/** How a command ended that threw this. */
export function exitOf(error: unknown): { readonly exit: Failure; readonly message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CommandFailed) return { exit: error.exit, message };
  if (error instanceof SettingsError) return { exit: 'usage', message };
  if (error instanceof Locked || error instanceof StoreUnavailable) return { exit: 'unreachable', message };
  if (REFUSALS.some((refusal) => error instanceof refusal)) return { exit: 'refused', message };
  if ((error as { code?: unknown } | null)?.code === TAKEN) {
    return { exit: 'unreachable', message: `Somebody else wrote the same at this moment (${message}). Try again` };
  }
  return { exit: 'failed', message };
}
