import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openLog } from '../../runtime/log.ts';
import { readSettings } from '../../runtime/settings.ts';
import { openOrgStore } from '../../sql/org/store.ts';
import type { Evaluated } from './alerts/evaluate.ts';
import { fillAlerts } from './alerts/fill.ts';
import { type Night, nightInClickHouse, nightInFolder } from './alerts/night.ts';
import { cachedServer } from './queries/clickhouse/cached-server.ts';
import { seeded } from './queries/random.ts';
import { sampleOf } from './queries/sample.ts';
import { type MeasuredVersion, madeVersion } from './queries/version.ts';
import { note, ROOT } from './support/register.ts';

/** Measures the evaluation of many alerts after a night. */

interface Options {
  readonly units: number;
  readonly built: number;
  readonly changed: number;
  readonly alerts: number;
  readonly withoutClickhouse?: boolean;
  readonly cache: string;
}

/** The figures that the project aims at. */
const AIM = { seconds: 60, memoryMb: 300 };

export async function benchAlerts(options: Options): Promise<void> {
  const { units, built, changed, alerts, cache } = options;
  mkdirSync(cache, { recursive: true });
  const version = await madeVersion(built, cache);
  const night: Night = { times: Math.max(1, Math.round(units / built)), oneIn: Math.round(units / changed) };
  const state = mkdtempSync(join(resolve(cache), 'alerts-state-'));
  try {
    note(`Making ${alerts} alerts`);
    await fill(version, alerts, join(state, 'org'));
    const folder = await madeFolder(version, night, resolve(cache, `alerts-${built}-${units}-${changed}`));
    const rows = [await evaluated('DuckDB', `duckdb:${folder}`, state)];
    if (!options.withoutClickhouse) rows.push(await overClickHouse(version, night, options, state));
    process.stdout.write(report(rows, options, night));
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

async function fill(version: MeasuredVersion, alerts: number, folder: string): Promise<void> {
  const store = await openOrgStore(readSettings({ ORG_STORE_URL: `pglite:${folder}` }), await openLog('warn'));
  try {
    await store.migrate('apply');
    await fillAlerts(store, alerts, await sampleOf(version.file), seeded(1));
  } finally {
    await store.close();
  }
}

async function madeFolder(version: MeasuredVersion, night: Night, folder: string): Promise<string> {
  if (!existsSync(folder)) note(`Making two versions in ${folder}; later runs use them again`);
  return nightInFolder(version, night, folder);
}

async function overClickHouse(
  version: MeasuredVersion,
  night: Night,
  { built, units, changed, cache }: Options,
  state: string,
): Promise<Row> {
  const folder = resolve(cache, `alerts-chdb-${built}`);
  const mark = join(folder, `night-${units}-${changed}.txt`);
  const server = await cachedServer(version, folder);
  try {
    if (!existsSync(mark)) {
      note('Making two versions in ClickHouse');
      await nightInClickHouse(server.client, server.prefix, version, night);
      writeFileSync(mark, '');
    }
    await server.prewarm();
    const spent = server.meter();
    const row = await evaluated('ClickHouse (chdb)', server.url, state);
    return { ...row, engineMemoryMb: spent()?.peakMemoryMb ?? null };
  } finally {
    await server.close();
  }
}

interface Row extends Evaluated {
  readonly engine: string;
  /** Largest resident size of the engine in a process of its own; null when it is in the same one. */
  readonly engineMemoryMb: number | null;
}

/** Evaluates with a store of its own, so that every engine begins with the same alerts. */
async function evaluated(engine: string, warehouse: string, state: string): Promise<Row> {
  note(`Evaluating over ${engine}`);
  const own = mkdtempSync(join(state, 'run-'));
  cpSync(join(state, 'org'), join(own, 'org'), { recursive: true });
  const environment = {
    ...{ STATE_DIR: own, WAREHOUSE_URL: warehouse, ORG_STORE_URL: `pglite:${join(own, 'org')}` },
    LOG_LEVEL: 'warn',
  };
  return { engine, engineMemoryMb: null, ...JSON.parse(await outputOf('test/bench/alerts/evaluate.ts', environment)) };
}

/** Runs a program of the project to its end. @returns what it prints */
function outputOf(path: string, environment: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, ['--expose-gc', join(ROOT, path)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code) => (code === 0 ? done(output) : failed(new Error(`${path} ended with ${code}`))));
  });
}

function report(rows: readonly Row[], { built, units, alerts }: Options, { times }: Night): string {
  const heads = [
    'seconds',
    'CPU s',
    'MB before',
    'MB at most',
    'engine MB',
    'delay p99',
    'p99.9',
    'most ms',
    'changed',
    'events',
    'load',
  ];
  const lines = rows.map((row) => {
    const { seconds, processorSeconds, memoryBeforeMb, peakMemoryMb, engineMemoryMb } = row;
    const cells = [seconds.toFixed(1), processorSeconds.toFixed(1), memoryBeforeMb.toFixed(0), peakMemoryMb.toFixed(0)];
    const shown = [
      ...cells,
      engineMemoryMb?.toFixed(0) ?? '-',
      ...[row.delayMs.p99, row.delayMs.p999, row.delayMs.most].map((ms) => ms.toFixed(0)),
      row.changedUnits,
      row.events,
      row.load.toFixed(1),
    ];
    return `${row.engine.padEnd(20)}${shown.map((cell) => String(cell).padStart(11)).join('')}`;
  });
  const met = rows.filter((row) => row.seconds <= AIM.seconds && row.peakMemoryMb - row.memoryBeforeMb <= AIM.memoryMb);
  return [
    `${alerts} alerts over ${units} units: ${built} that were built, each ${times} times under another number`,
    `${''.padEnd(20)}${heads.map((head) => head.padStart(11)).join('')}`,
    ...lines,
    `${met.length} of ${rows.length} meet the aim of ${AIM.seconds} s and ${AIM.memoryMb} MB more than before`,
    '',
  ].join('\n');
}
