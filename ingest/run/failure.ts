import { type Failure, type FailureRule, failureOf } from '../../runtime/command-line/exit.ts';
import { Damaged } from '../../sql/warehouse/damage.ts';
import { ArchiveError, ExportMissing } from '../archive/archive-error.ts';
import { OUT_OF_MEMORY } from '../duckdb/engine-error.ts';
import { BuildRefused } from './build-refused.ts';

const RULES: readonly FailureRule[] = [
  [BuildRefused, 'refused'],
  [ExportMissing, 'refused'],
  [ArchiveError, 'archive'],
  [Damaged, 'damaged'],
];

/** Exit and message of a command of the ingest that threw an error. */
export function ingestFailureOf(error: unknown): Failure {
  const { exit, message } = failureOf(error, RULES);
  return { exit, message: explained(message) };
}

/** The engine's own words about its limit: `(238.3 MiB/238.4 MiB used)`. */
const LIMIT_HIT = /\/([\d.]+ [KMGT]iB) used\)/;

const DISK_FULL = /ENOSPC|EDQUOT|EFBIG|No space left on device|Disk quota exceeded|File too large/;

/** Replaces messages of the engine and the operating system by ones that say what to do. */
function explained(message: string): string {
  if (OUT_OF_MEMORY.test(message)) {
    const limit = LIMIT_HIT.exec(message)?.[1];
    return (
      `The engine needs more memory than it may have${limit === undefined ? '' : `, ${limit}`}: INGEST_MEMORY_MB sets how much that is, ` +
      'and statements side by side share it. Nothing was published, what was served is still served; allow more, or look ' +
      'at the export: real ones of 64 GB need no more than the default.'
    );
  }
  if (!DISK_FULL.test(message)) return message;
  const cause = message.replace(/\n.*/s, '').replace(/^.*?because of error: /, '');
  return `The disk is full: ${cause}. Nothing was published, what was served is still served; make room and try again.`;
}
