import { Locked } from '../../runtime/lock.ts';
import { SettingsError } from '../../runtime/settings.ts';
import { Damaged } from '../../sql/warehouse/damage.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { BuildRefused } from '../run/refused.ts';

/** How a command ends: exit codes, documented in docs/operations.md, and what is said. */

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notPublished: 3,
  locked: 4,
  refused: 5,
  archive: 6,
  damaged: 7,
} as const;

/** A signal ends a command with 128 and its number, as a shell would tell it. */
const STOPPED = { SIGINT: 130, SIGTERM: 143 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT] | (typeof STOPPED)[keyof typeof STOPPED];

/** Somebody stopped the command. */
class Stopped extends Error {
  readonly exitCode: ExitCode;

  constructor(name: keyof typeof STOPPED, consequence: string) {
    super(`Stopped by ${name}: ${consequence}`);
    this.exitCode = STOPPED[name];
  }
}

const NOTHING_LEFT =
  'nothing was published, what was served is still served, and what is left goes with the next build.';

/** Terminals and supervisors signal a whole group, whose first process may hand the signal on: that is one request. */
const ONE_REQUEST_MS = 1000;

/**
 * Turns the first signal into an orderly end; another one, a second later or more, ends the process at once.
 * @param consequence what it means that the command was stopped
 */
export async function stoppable<T>(
  work: (signal: AbortSignal) => Promise<T>,
  consequence: string = NOTHING_LEFT,
): Promise<T> {
  const stop = new AbortController();
  const leave = () => process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  const onSignal = (name: NodeJS.Signals) => {
    if (stop.signal.aborted) return;
    setTimeout(leave, ONE_REQUEST_MS).unref();
    stop.abort(new Stopped(name as keyof typeof STOPPED, consequence));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    return await work(stop.signal);
  } finally {
    leave();
  }
}

const DISK_FULL = /ENOSPC|EDQUOT|EFBIG|No space left on device|Disk quota exceeded|File too large/;

const OUT_OF_MEMORY = /^Out of Memory Error/;

/** What went wrong and what to do; engines and systems say it in many words. */
export function tell(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (OUT_OF_MEMORY.test(message)) {
    return (
      'The engine needs more memory than INGEST_MEMORY_MB lets it have. Nothing was published, what was served is still ' +
      'served; allow more, or look at the export: real ones of 64 GB need no more than the default.'
    );
  }
  if (!DISK_FULL.test(message)) return message;
  const place = message.split('\n')[0]!.replace(/^.*?because of error: /, '');
  return `The disk is full: ${place}. Nothing was published, what was served is still served; make room and try again.`;
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof Stopped) return error.exitCode;
  if (error instanceof SettingsError) return EXIT.usage;
  if (error instanceof Locked) return EXIT.locked;
  if (error instanceof BuildRefused) return EXIT.refused;
  if (error instanceof ArchiveError) return EXIT.archive;
  if (error instanceof Damaged) return EXIT.damaged;
  return EXIT.failed;
}
