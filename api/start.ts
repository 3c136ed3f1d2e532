import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { join } from 'node:path';
import { settingsOrExit } from './checked-settings.ts';

/**
 * `npm start`: builds a version from the sample export when there is none, then becomes the service. The build has a
 * process of its own, so that its memory goes back to the system. The service runs in this one, so that signals reach it.
 *
 * The script in package.json begins with `exec`, which replaces a POSIX shell by this process: npm sends its signals to
 * the shell, and some shells would die of them alone. Where `exec` is no command, the second half of the script runs.
 */

const FORWARDED = ['SIGINT', 'SIGTERM'] as const;

/** Ends this process with the exit code of the build when that fails. */
async function ensureVersion(): Promise<void> {
  const main = join(import.meta.dirname, '../ingest/main.ts');
  const child = spawn(process.execPath, [main, 'ensure'], { stdio: 'inherit' });
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  const [code, killedBy] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  for (const signal of FORWARDED) process.off(signal, forward);
  if (code !== 0) process.exit(code ?? 128 + (killedBy === null ? 0 : constants.signals[killedBy]));
}

// Settings of the service that are not valid would show only after the build.
settingsOrExit();
await ensureVersion();
await import('./main.ts');
