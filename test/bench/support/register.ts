import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Program, spentBy } from './spent.ts';

/** Generated registers, and builds of them, for every measurement that needs a big one. */

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const SEED = 1;

/** Days of the generated exports, YYYY-MM-DD. */
const EXPORT_DAY = '2026-11-01';
const NEXT_DAY = '2026-11-02';

/** An export, and its day, YYYY-MM-DD; null where the export says it. */
export interface Export {
  readonly file: string;
  readonly day: string | null;
}

/** A generated export, made once and kept. */
export async function generatedFirstDay(units: number, cache: string): Promise<Export> {
  const file = join(cache, `register-${units}.zip`);
  const words = ['--units', String(units), '--seed', String(SEED), '--day', EXPORT_DAY];
  await generate(file, words, `${units} units`);
  return { file, day: EXPORT_DAY };
}

export const generatedExport = async (units: number, cache: string): Promise<string> =>
  (await generatedFirstDay(units, cache)).file;

/** That export, and the one of the next day: the same register after a day of changes. */
export async function generatedDays(units: number, cache: string): Promise<[first: Export, next: Export]> {
  const first = await generatedFirstDay(units, cache);
  const next = join(cache, `register-${units}-next.zip`);
  await generate(next, ['--previous', first.file, '--day', NEXT_DAY], `the next day of ${units} units`);
  return [first, { file: next, day: NEXT_DAY }];
}

async function generate(file: string, words: readonly string[], what: string): Promise<void> {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  note(`Generating ${what} into ${file}; later runs use it again`);
  const command = [join(ROOT, 'data/main.ts'), 'generate', ...words, '--out', file];
  const { seconds } = await spentBy({ command: process.execPath, words: command });
  note(`  generated in ${seconds.toFixed(0)} s`);
}

/** Builds an export into the warehouse of a state folder, which it becomes the served version of. */
export async function buildExport(file: string, state: string): Promise<void> {
  await spentBy(buildOf({ file, day: EXPORT_DAY }, state));
}

/** @param root the folder of the code that builds; by default this */
export const buildOf = ({ file, day }: Export, state: string, root = ROOT): Program => ({
  command: process.execPath,
  words: [join(root, 'ingest/main.ts'), 'build', resolve(file), '--json', ...(day === null ? [] : ['--day', day])],
  environment: { STATE_DIR: resolve(state), WAREHOUSE_URL: '' },
});

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
