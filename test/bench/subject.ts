import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './register.ts';

/** A service in a process of its own that is measured from outside (api-service.ts). */
export interface Subject {
  readonly child: ChildProcess;
  readonly url: string;
  /** A key with every right and limits that no measurement meets. */
  readonly key: string;
}

/**
 * @param how `full`: the service as it is; `bare`: without what the chain does about keys, rights and limits
 * @throws Error when it ends before it listens; what it said stands on standard error
 */
export async function startSubject(how: 'bare' | 'full', environment: Record<string, string>): Promise<Subject> {
  const child = spawn(process.execPath, [join(ROOT, 'test/bench/api-service.ts'), how], {
    // It ends with this process: it sees the channel close.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    // As in production the access log is written, here to nowhere that costs.
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', BASE_URL: '', LOG_LEVEL: 'warn', ...environment },
  });
  const lines = createInterface({ input: child.stdout! });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The service ended before it listened: ${code ?? signal}`);
  });
  const [line] = await Promise.race([once(lines, 'line'), ended]);
  ended.catch(() => {});
  return { child, ...(JSON.parse(String(line)) as { url: string; key: string }) };
}

export async function stopSubject({ child }: Subject): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** The most memory that the service had resident so far, MB, as the kernel counts it. */
export function peakMemoryMb({ child }: Subject): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
