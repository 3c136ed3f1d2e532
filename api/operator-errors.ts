import { CommandFailed } from '../runtime/command-line/exit.ts';
import { Locked } from '../runtime/lock-file.ts';
import type { Settings } from '../runtime/settings.ts';
import { StoreRefused, StoreUnavailable } from '../sql/org/driver.ts';
import { MigrationRefused } from '../sql/org/migrate.ts';
import { WorkersRefused } from './processes/share.ts';
import { SecretFileRefused } from './secrets/secret-file.ts';
import { StateDirRefused } from './state-dir.ts';

/** Errors that the operator has to resolve, told without a stack since the program is not at fault. */
const OPERATOR_ERRORS = [
  Locked,
  StoreUnavailable,
  StoreRefused,
  MigrationRefused,
  StateDirRefused,
  SecretFileRefused,
  WorkersRefused,
  CommandFailed,
];

/** Reports why the service cannot start, without a stack, and exits. */
function exitWith(message: string, exitCode: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}

/** Exits with 1 over an error of the operator. @throws any other */
export function exitOver(error: unknown): never {
  if (error instanceof Error && OPERATOR_ERRORS.some((known) => error instanceof known)) exitWith(error.message, 1);
  throw error;
}

/** Exits with 1 when the service cannot listen. @throws any other error */
export function exitOverListening(error: NodeJS.ErrnoException, settings: Settings): never {
  if (error.syscall !== 'listen' && error.syscall !== 'bind') throw error;
  const { port = settings.PORT } = error as { port?: number };
  const setting = port === settings.PORT ? 'PORT' : 'METRICS_PORT';
  const reason = error.code === 'EADDRINUSE' ? `is already in use; set ${setting} to another one` : `(${error.code})`;
  return exitWith(`Cannot listen on ${settings.HOST} port ${port}: ${reason}`, 1);
}
