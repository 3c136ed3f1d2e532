import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { vi } from 'vitest';
import { runIngest } from '../../ingest/cli.ts';
import { OF_EVERY_PROCESS, QUICK_START } from './environment.ts';
import { startNode } from './node-process.ts';

/** Runs the command line of the ingest as users do, in a process of its own. */

export interface ProcessResult {
  /** Exit code; null when a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

const ROOT = new URL('../../', import.meta.url).pathname;

export type Environment = Readonly<Record<string, string>>;

/** Leaves out the test runner's own environment, which sets BASE_URL among others. */
const environment = (warehouse: string, more: Environment): NodeJS.ProcessEnv => ({
  ...OF_EVERY_PROCESS,
  WAREHOUSE_URL: `duckdb:${warehouse}`,
  STATE_DIR: warehouse,
  INGEST_MEMORY_MB: '500',
  INGEST_WORKERS: '1',
  ...more,
});

/** Runs `npm run ingest -- …` without npm. */
export function ingest(warehouse: string, words: readonly string[], more: Environment = {}): Promise<ProcessResult> {
  return waitForExit(startIngest(warehouse, words, more));
}

/** Runs a command in this process, one at a time, where only its output and exit code matter. */
export async function ingestHere(
  warehouse: string,
  words: readonly string[],
  more: Environment = {},
): Promise<ProcessResult> {
  const before = process.env;
  const output = { out: '', err: '' };
  const hear = (stream: NodeJS.WriteStream, into: keyof typeof output) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      output[into] += text;
      return true;
    });
  const spies = [hear(process.stdout, 'out'), hear(process.stderr, 'err')];
  process.env = environment(warehouse, more);
  try {
    const code = await runIngest(words);
    return { code, signal: null, ...output };
  } finally {
    process.env = before;
    for (const spy of spies) spy.mockRestore();
  }
}

export function startIngest(warehouse: string, words: readonly string[], more: Environment = {}): ChildProcess {
  return startNode(join(ROOT, 'ingest/main.ts'), words, environment(warehouse, more));
}

/** Runs a command in a shell that sets a limit first, e.g. `ulimit -f 300`. */
export function ingestWithLimit(warehouse: string, limit: string, words: readonly string[]): Promise<ProcessResult> {
  const program = [process.execPath, ...QUICK_START, join(ROOT, 'ingest/main.ts')];
  const command = [...program, ...words].map((word) => `'${word}'`).join(' ');
  return waitForExit(spawn('bash', ['-c', `${limit} && exec ${command}`], { env: environment(warehouse, {}) }));
}

/** Resolves when the process has ended and all its output has arrived. */
export function waitForExit(child: ChildProcess): Promise<ProcessResult> {
  let out = '';
  let err = '';
  child.stdout!.on('data', (piece: Buffer) => {
    out += piece;
  });
  child.stderr!.on('data', (piece: Buffer) => {
    err += piece;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, out, err }));
  });
}

/** Resolves when the process has written the text to one of its streams; rejects when it ends before. */
export function waitForOutput(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let all = '';
    const scan = (piece: Buffer) => {
      all += piece;
      if (all.includes(text)) resolve();
    };
    child.stdout!.on('data', scan);
    child.stderr!.on('data', scan);
    child.on('close', () => reject(new Error(`The process ended without saying ${text}: ${all}`)));
  });
}
