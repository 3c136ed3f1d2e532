import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Generated registers, and builds of them, for every measurement that needs a big one. */

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const SEED = 1;

/** Day of every generated export, YYYY-MM-DD. */
const EXPORT_DAY = '2026-11-01';

/** A generated export, made once and kept. */
export async function generatedExport(units: number, cache: string): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const file = join(cache, `register-${units}.zip`);
  if (existsSync(file)) return file;
  note(`Generating ${units} units into ${file}; later runs use it again`);
  const begun = Date.now();
  await run(process.execPath, [
    join(ROOT, 'data/main.ts'),
    'generate',
    ...['--units', String(units), '--seed', String(SEED), '--day', EXPORT_DAY, '--out', file],
  ]);
  note(`  generated in ${((Date.now() - begun) / 1000).toFixed(0)} s`);
  return file;
}

/** Builds an export into the warehouse of a state folder, which it becomes the served version of. */
export async function buildExport(source: string, state: string): Promise<void> {
  const words = [join(ROOT, 'ingest/main.ts'), 'build', source, '--day', EXPORT_DAY];
  await run(process.execPath, words, { STATE_DIR: state, WAREHOUSE_URL: '' });
}

/** Runs a program to its end, of which only its complaints are shown. @throws Error when it fails */
export function run(command: string, words: string[], environment: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...environment },
    });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))));
  });
}

/** Says how far a measurement is, beside its result, which alone goes to standard output. */
export const note = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
