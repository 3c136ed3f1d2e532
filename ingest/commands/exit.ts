import { Locked } from '../../sql/lock.ts';
import { SettingsError } from '../../sql/settings.ts';
import { ArchiveError } from '../archive/archive.ts';
import { BuildRefused } from '../build/refused.ts';

/** How a command ends: exit codes, documented in docs/operations.md, and what is said. */

export const EXIT = { done: 0, failed: 1, usage: 2, notPublished: 3, locked: 4, refused: 5, archive: 6 } as const;

/** A signal ends a command with 128 and its number, as a shell would tell it. */
const STOPPED = { SIGINT: 130, SIGTERM: 143 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT] | (typeof STOPPED)[keyof typeof STOPPED];

/** Somebody stopped the command. */
class Stopped extends Error {
  readonly exitCode: ExitCode;

  constructor(name: keyof typeof STOPPED) {
    super(
      `Stopped by ${name}: nothing was published, what was served is still served, and what is left goes with the next build.`,
    );
    this.exitCode = STOPPED[name];
  }
}

/** Turns the first signal into an orderly end; a second one ends the process at once. */
export async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    stop.abort(new Stopped(name as keyof typeof STOPPED));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    return await work(stop.signal);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

const DISK_FULL = /ENOSPC|EDQUOT|EFBIG|No space left on device|Disk quota exceeded|File too large/;

/** What went wrong and what to do; engines and systems say it in many words. */
export function tell(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!DISK_FULL.test(message)) return message;
  const place = message.split('\n')[0]!.replace(/^.*?because of error: /, '');
  return `The disk is full: ${place}. Nothing was published, what was served is still served; make room and build again.`;
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof Stopped) return error.exitCode;
  if (error instanceof SettingsError) return EXIT.usage;
  if (error instanceof Locked) return EXIT.locked;
  if (error instanceof BuildRefused) return EXIT.refused;
  if (error instanceof ArchiveError) return EXIT.archive;
  return EXIT.failed;
}
