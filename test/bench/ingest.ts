import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { type BuildReport, readReport } from '../../ingest/run/build-report.ts';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import { currentPublication } from '../../sql/warehouse/versions.ts';
import type { Loaded } from './clickhouse/load.ts';
import { openServer, type Server } from './clickhouse/server.ts';
import { NotMeasurable, type Place } from './support/place.ts';
import { buildExport, generatedExport, ROOT, run } from './support/register.ts';

interface Options {
  readonly units: number;
  readonly export?: string;
  readonly warehouse?: Exclude<Place, { kind: 'folder' }>;
  readonly cache: string;
}

/**
 * The whole build of a register, and beside it in the same run the time that `unzip -p` takes to inflate the archive
 * into nothing, once before and once after the build; then, where that is asked for, the load into ClickHouse.
 */
export async function benchIngest(options: Options): Promise<void> {
  mkdirSync(options.cache, { recursive: true });
  const state = mkdtempSync(join(resolve(options.cache), 'state-'));
  try {
    const { warehouse: place } = options;
    // Before the build: whether there is a server is found out first.
    const server = place === undefined ? null : await openServer(place, join(state, 'chdb'));
    try {
      if (server !== null) await refuseTaken(server);
      await measure(options, state, server);
    } finally {
      await server?.close();
    }
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

async function measure(options: Options, state: string, server: Server | null): Promise<void> {
  const source = options.export ?? (await generatedExport(options.units, options.cache));
  const before = await inflate(source);
  await buildExport(source, state);
  const after = await inflate(source);
  const warehouse = join(state, 'warehouse');
  const report = readReport(warehouse, currentPublication(warehouse)!.version)!;
  printBuild(report, before, after);
  if (server !== null) printLoad(report, await measureLoad(server, report.version, state), server);
}

async function inflate(source: string): Promise<number> {
  const begun = performance.now();
  await run('unzip', ['-p', source]);
  return (performance.now() - begun) / 1000;
}

const databasesOf = ({ client, prefix }: Server): Promise<{ name: string }[]> =>
  queryRows(
    client,
    z.strictObject({ name: z.string() }),
    'SELECT name FROM system.databases WHERE name = {prefix:String} OR startsWith(name, {start:String}) ORDER BY name',
    { prefix, start: `${prefix}_v` },
  );

/** @throws NotMeasurable where somebody's versions are: what is measured is made there and dropped again */
async function refuseTaken(server: Server): Promise<void> {
  const taken = (await databasesOf(server)).map(({ name }) => name);
  if (taken.length === 0) return;
  throw new NotMeasurable(
    `There is ${taken.join(', ')} on that server, and measuring makes and drops databases of these names: ` +
      `name another prefix, such as ${server.prefix}_bench, or drop them`,
  );
}

/** Loads as a build does, without publishing. */
async function measureLoad(server: Server, version: string, state: string): Promise<Loaded> {
  try {
    const child = spawn(process.execPath, [join(ROOT, 'test/bench/clickhouse/load.ts'), version], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, STATE_DIR: state, WAREHOUSE_URL: server.url },
    });
    const output = await text(child.stdout);
    if (output === '') throw new NotMeasurable('The load failed, and says why above');
    return JSON.parse(output) as Loaded;
  } finally {
    for (const { name } of await databasesOf(server)) await server.client.command({ query: `DROP DATABASE ${name}` });
  }
}

const unitsOf = ({ units }: BuildReport): number => Object.values(units).reduce((sum, count) => sum + count, 0);

function printBuild(report: BuildReport, before: number, after: number): void {
  const units = unitsOf(report);
  const inflating = (before + after) / 2;
  say(`Build of ${units.toLocaleString('en')} units, ${report.megabytes.toFixed(0)} MB of XML`);
  row('whole build', seconds(report.seconds));
  row('of these reading', seconds(report.readingSeconds));
  row('XML', `${report.megabytesPerSecond.toFixed(0)} MB/s`);
  row('units', perSecond(units, report.seconds));
  row('peak resident memory', megabytes(report.peakMemoryMb));
  row('dataset version on disk', megabytes(report.warehouseMb));
  row('unzip -p > /dev/null, before, after', `${seconds(before)}, ${seconds(after)}`);
  row('build against inflating alone', times(report.seconds, inflating));
}

function printLoad(report: BuildReport, loaded: Loaded, server: Server): void {
  const units = unitsOf(report);
  const peak = server.peakMemoryMb();
  say(`Load behind it, into ${server.described}`);
  row('whole load', seconds(loaded.seconds));
  row('of these comparing with the file', seconds(loaded.checkSeconds));
  row('units', perSecond(units, loaded.seconds));
  row('sent', `${megabytes(loaded.sent / 1e6)}, ${(loaded.sent / units).toFixed(0)} bytes a unit`);
  row('peak resident memory', megabytes(loaded.peakMemoryMb));
  if (peak !== null) row('peak resident memory of chdb', megabytes(peak));
  row('load against build', times(loaded.seconds, report.seconds));
  row('build and load against build alone', times(report.seconds + loaded.seconds, report.seconds));
  row('memory of load against build', times(loaded.peakMemoryMb, report.peakMemoryMb));
}

const row = (name: string, value: string): void => say(`  ${name.padEnd(37)}${value}`);
const seconds = (value: number): string => `${value.toFixed(1)} s`;
const megabytes = (value: number): string => `${value.toFixed(0)} MB`;
const perSecond = (units: number, time: number): string => `${Math.round(units / time).toLocaleString('en')} /s`;
const times = (value: number, base: number): string => `${(value / base).toFixed(2)} times`;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
