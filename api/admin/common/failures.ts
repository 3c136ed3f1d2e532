import { type ExitName, type Failure, type FailureRule, failureOf } from '../../../runtime/command-line/exit.ts';
import { Locked } from '../../../runtime/lock-file.ts';
import { BackupDamaged } from '../../../sql/org/backup-file.ts';
import { RestoreRefused } from '../../../sql/org/backup-restore.ts';
import { BackupTargetRefused } from '../../../sql/org/backup-write.ts';
import { StoreRefused } from '../../../sql/org/driver.ts';
import { CiphertextDamaged, KeyMissing } from '../../../sql/org/encryption.ts';
import { MigrationRefused } from '../../../sql/org/migrate.ts';
import { StoreUnavailable } from '../../../sql/org/store.ts';
import { NotComparable } from '../../alerts/changes.ts';
import { SecretFileRefused } from '../../secrets/secret-file.ts';

/** The exits of the administration, documented in docs/administration.md. */
export const ADMIN_EXITS = ['done', 'failed', 'usage', 'unreachable', 'refused'] as const satisfies ExitName[];

const RULES: readonly FailureRule[] = [
  [Locked, 'unreachable'],
  [StoreUnavailable, 'unreachable'],
  [MigrationRefused, 'refused'],
  [StoreRefused, 'refused'],
  [BackupDamaged, 'refused'],
  [RestoreRefused, 'refused'],
  [BackupTargetRefused, 'refused'],
  [KeyMissing, 'refused'],
  [CiphertextDamaged, 'refused'],
  [SecretFileRefused, 'refused'],
  [NotComparable, 'refused'],
];

/** Postgres: a unique value exists already. Commands check before they write, so another writer was faster. */
const UNIQUE_VIOLATION = '23505';

export function adminFailureOf(error: unknown): Failure {
  const failure = failureOf(error, RULES);
  if (failure.exit === 'failed' && (error as { code?: unknown } | null)?.code === UNIQUE_VIOLATION) {
    return {
      exit: 'unreachable',
      message: `Somebody else wrote the same at this moment (${failure.message}). Try again`,
    };
  }
  return failure;
}
