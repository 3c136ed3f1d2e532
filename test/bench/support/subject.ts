import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { processTree, residentOf, secondsOfTree } from './processes.ts';
import { ROOT } from './register.ts';

/** A service in a process of its own that is measured from outside (api-service.ts). */
export interface Subject {
  readonly child: ChildProcess;
  readonly url: string;
  /** A key with every right and limits that no measurement meets. */
  readonly key: string;
}

/** The program that is started, from the folder of its code. */
export const SERVICE = 'test/bench/api-service.ts';

/**
 * @param how `full`: the service as it is; `bare`: without what the chain does about keys, rights and limits
 * @param root the folder of its code; by default this
 * @throws Error when it ends before it listens; what it said stands on standard error
 */
export async function startSubject(
  how: 'bare' | 'full',
  environment: Record<string, string>,
  root = ROOT,
): Promise<Subject> {
  const { child, ready } = await startChild<Omit<Subject, 'child'>>(
    join(root, SERVICE),
    [how],
    // The access log is written as in production, here to /dev/null.
    { PORT: '0', HOST: '127.0.0.1', BASE_URL: '', LOG_LEVEL: 'warn', ...environment },
  );
  return { child, ...ready };
}

export const stopSubject = ({ child }: Subject): Promise<void> => stopChild(child);

/**
 * Starts a process that lives until it is stopped, and waits for the one line of JSON that says that it is ready.
 * @throws Error when it ends before
 */
export async function startChild<Ready>(
  script: string,
  words: readonly string[],
  environment: Record<string, string>,
): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = spawn(process.execPath, [script, ...words], {
    // It ends with this process: it sees the channel close.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...environment },
  });
  const lines = createInterface({ input: child.stdout! });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${script} ended before it was ready: ${code ?? signal}`);
  });
  const [line] = await Promise.race([once(lines, 'line'), ended]);
  ended.catch(() => {});
  return { child, ready: JSON.parse(String(line)) as Ready };
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** The most memory that a service had resident so far, MB, each of its processes at its own peak. */
export const peakMemoryMb = ({ pid }: ChildProcess): number =>
  [...processTree(pid!).keys()].reduce((sum, id) => sum + residentOf(id).peakMb, 0);

/** Processor time of the service and all its processes so far, milliseconds; the kernel counts in hundredths of a second. */
export const processorTime = ({ child }: Pick<Subject, 'child'>): number =>
  secondsOfTree(processTree(child.pid!)) * 1000;
