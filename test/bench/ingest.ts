import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildReport } from '../../ingest/build/report.ts';
import { currentPublication, reportFile } from '../../sql/warehouse/versions.ts';
import { buildExport, generatedExport, run } from './register.ts';

/**
 * The whole build of a register, and beside it in the same run the time that `unzip -p` takes to inflate the archive
 * into nothing, once before and once after the build.
 */
export async function benchIngest(options: { units: number; export?: string; cache: string }): Promise<void> {
  mkdirSync(options.cache, { recursive: true });
  const source = options.export ?? (await generatedExport(options.units, options.cache));
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

async function inflate(source: string): Promise<number> {
  const begun = performance.now();
  await run('unzip', ['-p', source]);
  return (performance.now() - begun) / 1000;
}

async function build(source: string, state: string): Promise<BuildReport> {
  await buildExport(source, state);
  const warehouse = join(state, 'warehouse');
  return JSON.parse(readFileSync(reportFile(warehouse, currentPublication(warehouse)!.version), 'utf8')) as BuildReport;
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
