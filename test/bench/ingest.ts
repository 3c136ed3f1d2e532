import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildReport } from '../../ingest/build/report.ts';

/**
 * The whole build of a register, and beside it in the same run the time that `unzip -p` takes to inflate the archive
 * into nothing, once before and once after the build.
 */
export async function benchIngest(options: { units: number; export?: string; cache: string }): Promise<void> {
  mkdirSync(options.cache, { recursive: true });
  const source = options.export ?? (await generated(options.units, options.cache));
  const state = mkdtempSync(join(options.cache, 'state-'));
  try {
    const before = await inflate(source);
    const report = await build(source, state);
    const after = await inflate(source);
    print(report, before, after);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SEED = 1;
const DAY = '2026-11-01';

/** A generated export, made once and kept. */
async function generated(units: number, cache: string): Promise<string> {
  const file = join(cache, `register-${units}.zip`);
  if (existsSync(file)) return file;
  say(`Generating ${units} units into ${file}; later runs use it again`);
  const begun = Date.now();
  await run(process.execPath, [
    join(ROOT, 'data/main.ts'),
    'generate',
    ...['--units', String(units), '--seed', String(SEED), '--day', DAY, '--out', file],
  ]);
  say(`  generated in ${((Date.now() - begun) / 1000).toFixed(0)} s`);
  return file;
}

async function inflate(source: string): Promise<number> {
  const begun = performance.now();
  await run('unzip', ['-p', source]);
  return (performance.now() - begun) / 1000;
}

async function build(source: string, state: string): Promise<BuildReport> {
  const words = [join(ROOT, 'ingest/main.ts'), 'build', source, '--day', DAY];
  await run(process.execPath, words, { STATE_DIR: state, WAREHOUSE_URL: '' });
  const pointer = JSON.parse(readFileSync(join(state, 'warehouse/current.json'), 'utf8')) as { current: string };
  const path = join(state, 'warehouse/versions', pointer.current, 'report.json');
  return JSON.parse(readFileSync(path, 'utf8')) as BuildReport;
}

function run(command: string, words: string[], environment: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...environment },
    });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))));
  });
}

function print(report: BuildReport, before: number, after: number): void {
  const units = Object.values(report.units).reduce((sum, count) => sum + count, 0);
  const inflating = (before + after) / 2;
  const row = (name: string, value: string) => say(`  ${name.padEnd(34)}${value}`);
  say(`Build of ${units.toLocaleString('en')} units, ${report.megabytes.toFixed(0)} MB of XML`);
  row('whole build', `${report.seconds.toFixed(1)} s`);
  row('of these reading', `${report.readingSeconds.toFixed(1)} s`);
  row('XML', `${report.megabytesPerSecond.toFixed(0)} MB/s`);
  row('units', `${Math.round(units / report.seconds).toLocaleString('en')} /s`);
  row('peak resident memory', `${report.peakMemoryMb.toFixed(0)} MB`);
  row('dataset version on disk', `${report.warehouseMb.toFixed(0)} MB`);
  row('unzip -p > /dev/null, before, after', `${before.toFixed(1)} s, ${after.toFixed(1)} s`);
  row('build against inflating alone', `${(report.seconds / inflating).toFixed(2)} times`);
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
