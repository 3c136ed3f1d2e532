import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { sampleWarehouse } from './support/sample.ts';
import { type Subject, startSubject, stopSubject } from './support/subject.ts';

/** Measures the cost of the chain: the same calls with and without it, alternating in one run. */

const CALLS = { '/v1/me': 'self-information', '/v1/units?einheitTyp=wind&limit=100': 'a page of units' };

const ROUNDS = 5;

/** @param options.postgres URL of an empty database to measure with beside the embedded store */
export async function benchApi(options: { seconds: number; postgres?: string; cache: string }): Promise<void> {
  const stores = { PGlite: 'pglite', ...(options.postgres === undefined ? {} : { Postgres: options.postgres }) };
  mkdirSync(options.cache, { recursive: true });
  const warehouse = await sampleWarehouse(options.cache);
  for (const [name, url] of Object.entries(stores)) {
    const folder = mkdtempSync(join(options.cache, 'state-'));
    const start = (how: 'bare' | 'full') =>
      startSubject(how, {
        STATE_DIR: join(folder, how),
        WAREHOUSE_URL: `duckdb:${warehouse}`,
        ORG_STORE_URL: url === 'pglite' ? `pglite:${join(folder, how, 'org')}` : url,
      });
    const [bare, full] = [await start('bare'), await start('full')];
    try {
      for (const [path, what] of Object.entries(CALLS)) await compare(`${name}, ${what}`, path, bare, full, options);
    } finally {
      await Promise.all([stopSubject(bare), stopSubject(full)]);
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Times of single answers, one call at a time, milliseconds. */
function latencies(path: string, { url, key }: Subject, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const headers = { authorization: `Bearer ${key}` };
  return new Promise((resolve, reject) => {
    const run = autocannon({ url: url + path, connections: 1, duration: seconds, headers }, (error) =>
      error ? reject(error) : resolve(times),
    );
    run.on('response', (_client, status, _bytes, time) => {
      if (status === 200) times.push(time);
      else reject(new Error(`${path} answered ${status}`));
    });
  });
}

async function compare(title: string, path: string, bare: Subject, full: Subject, { seconds }: { seconds: number }) {
  await latencies(path, bare, 2);
  await latencies(path, full, 2);
  const without: number[] = [];
  const withChain: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    without.push(...(await latencies(path, bare, seconds)));
    withChain.push(...(await latencies(path, full, seconds)));
  }
  const [a, b] = [median(without), median(withChain)];
  const say = (line: string) => process.stdout.write(`${line}\n`);
  say(title);
  say(`  median without the chain   ${a.toFixed(3)} ms  (${without.length} calls)`);
  say(`  median with the chain      ${b.toFixed(3)} ms  (${withChain.length} calls)`);
  say(`  the chain costs            ${(b - a).toFixed(3)} ms, ${(b / a).toFixed(2)} times`);
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
