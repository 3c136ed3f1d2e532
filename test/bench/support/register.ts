import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Program, spentBy } from './spent.ts';

/** Generated registers, and builds of them, for every measurement that needs a big one. */

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const SEED = 1;

/** Day of a generated export, YYYY-MM-DD. */
const EXPORT_DAY = '2026-11-01';

/** An export, and its day, YYYY-MM-DD; null where the export says it. */
export interface Export {
  readonly file: string;
  readonly day: string | null;
}

/** A generated export, made once and kept. */
async function generatedFirstDay(units: number, cache: string): Promise<Export> {
  const file = join(cache, `register-${units}.zip`);
  const words = ['--units', String(units), '--seed', String(SEED), '--day', EXPORT_DAY];
  await generate(file, words, `${units} units`);
  return { file, day: EXPORT_DAY };
}

export const generatedExport = async (units: number, cache: string): Promise<string> =>
  (await generatedFirstDay(units, cache)).file;

/** That export, and those of the next days: the same register after a day of changes each, as many as the days bring or this many. */
export async function generatedDays(units: number, nights: number, cache: string, changes?: number): Promise<Export[]> {
  const [words, named] = changes === undefined ? [[], ''] : [['--changes', String(changes)], `-changes-${changes}`];
  const days = [await generatedFirstDay(units, cache)];
  for (let night = 1; night <= nights; night++) {
    const day = new Date(Date.parse(EXPORT_DAY) + night * 86_400_000).toISOString().slice(0, 10);
    const file = join(cache, `register-${units}${named}-night-${night}.zip`);
    await generate(file, ['--previous', days.at(-1)!.file, '--day', day, ...words], `night ${night} of ${units} units`);
    days.push({ file, day });
  }
  return days;
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
  await spentBy(buildOf({ file, day: EXPORT_DAY }, { STATE_DIR: state, WAREHOUSE_URL: '' }));
}

/** The settings that say where versions are built. */
interface Warehouse {
  readonly STATE_DIR: string;
  /** Empty for the folder of the state. */
  readonly WAREHOUSE_URL: string;
}

export interface How {
  /** The folder of the code that builds; by default this. */
  readonly root?: string;
  /** Takes nothing over from the version before. */
  readonly fromNothing?: boolean;
}

export const buildOf = (
  { file, day }: Export,
  { STATE_DIR, WAREHOUSE_URL }: Warehouse,
  { root = ROOT, fromNothing = false }: How = {},
): Program => ({
  command: process.execPath,
  words: [
    ...[join(root, 'ingest/main.ts'), 'build', resolve(file), '--json'],
    ...(day === null ? [] : ['--day', day]),
    ...(fromNothing ? ['--from-nothing'] : []),
  ],
  // A night that is built from nothing as well, to compare, is not what nights take.
  environment: { STATE_DIR: resolve(STATE_DIR), WAREHOUSE_URL, INGEST_COMPARE_EVERY: '1000' },
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
