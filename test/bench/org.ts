import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { openLog } from '../../runtime/log.ts';
import { readSettings } from '../../runtime/settings.ts';
import { openOrgStore } from '../../sql/org/store.ts';
import { currentPublication, versionFile } from '../../sql/warehouse/versions.ts';
import { ENCRYPTION_KEY, TEST_KEYS } from '../support/contacts.ts';
import { postgresPrograms, startPostgres } from '../support/postgres.ts';
import { type Filled, fill, type Sizes, sizesOf } from './org/fill.ts';
import { QUESTIONS, type Question } from './org/questions.ts';
import { percentile } from './queries/times.ts';
import { NotMeasurable } from './support/place.ts';
import { note } from './support/register.ts';
import { sampleWarehouse } from './support/sample.ts';
import { processorTime, type Subject, startSubject, stopSubject } from './support/subject.ts';

/** Measures pages and single reads of an organisation that has very much of its own. */

interface Options extends Sizes {
  readonly requests: number;
  readonly engines: readonly string[];
  readonly cache: string;
}

export const ENGINES = ['pglite', 'postgres'] as const;

/** Median time of a page that the project aims at, milliseconds. */
const AIM = 20;

/** Pages whose cursors are gathered before pages anywhere in the list are measured. */
const PAGES = 50;

export async function benchOrg({ requests, engines, cache, ...sizes }: Options): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const warehouse = await sampleWarehouse(cache);
  for (const engine of engines) {
    const folder = mkdtempSync(join(cache, 'org-'));
    const place = await placeOf(engine, folder);
    const environment = {
      STATE_DIR: folder,
      WAREHOUSE_URL: `duckdb:${warehouse}`,
      ORG_STORE_URL: place.url,
      ENCRYPTION_KEYS: ENCRYPTION_KEY,
    };
    try {
      const filled = await fillStore(engine, environment, warehouse, sizes);
      const subject = await startSubject('full', environment);
      try {
        await measureAll({ ...subject, key: filled.key }, filled, requests);
      } finally {
        await stopSubject(subject);
      }
    } finally {
      await place.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** An empty store: a folder, or a database on a server that is started for it. */
export async function placeOf(engine: string, folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  if (engine === 'pglite') return { url: `pglite:${join(folder, 'org')}`, stop: async () => {} };
  const programs = postgresPrograms();
  if (programs === null) throw new NotMeasurable('No Postgres server is installed here: apt-get install postgresql');
  const server = await startPostgres(programs);
  const { default: pg } = await import('pg');
  const client = new pg.Client(server.url);
  await client.connect();
  await client.query('CREATE ROLE bench LOGIN');
  await client.query('CREATE DATABASE bench OWNER bench');
  await client.end();
  return { url: `postgres://bench@127.0.0.1:${server.port}/bench`, stop: () => server.stop() };
}

async function fillStore(
  engine: string,
  environment: Record<string, string>,
  warehouse: string,
  sizes: Sizes,
): Promise<Filled> {
  const begun = performance.now();
  const store = await openOrgStore(readSettings(environment), await openLog('warn'));
  try {
    await store.migrate('apply');
    const filled = await fill(store, sizes, await registerUnits(warehouse), TEST_KEYS);
    const tables = await sizesOf(store);
    note(`${engine}: filled in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    say(`${engine}: rows and megabytes, with indexes`);
    for (const { table, rows, bytes } of tables) {
      say(`  ${table.padEnd(40)}${rows.toLocaleString('en').padStart(12)}${(bytes / 1e6).toFixed(1).padStart(10)}`);
    }
    return filled;
  } finally {
    await store.close();
  }
}

/** Units that the register has, so that a search by own texts finds them. */
async function registerUnits(warehouse: string): Promise<string[]> {
  const publication = currentPublication(warehouse);
  if (publication === null) throw new Error(`${warehouse} serves no version`);
  const instance = await DuckDBInstance.create(versionFile(warehouse, publication.version), {
    access_mode: 'READ_ONLY',
  });
  const connection = await instance.connect();
  const rows = await connection.runAndReadAll('SELECT mastrNummer FROM units ORDER BY 1');
  connection.closeSync();
  instance.closeSync();
  return rows.getRows().map(([number]) => String(number));
}

async function measureAll(subject: Subject, filled: Filled, requests: number): Promise<void> {
  say(`${''.padEnd(42)}${['median', 'p90', 'CPU'].map((head) => head.padStart(9)).join('')}  ms`);
  const medians: number[] = [];
  for (const question of QUESTIONS) {
    const { times, cpu } = await measure(subject, question, filled, requests);
    const sorted = times.toSorted((a, b) => a - b);
    const median = percentile(sorted, 50);
    if (question.method === undefined) medians.push(median);
    const cells = [median, percentile(sorted, 90), cpu].map((value) => value.toFixed(2).padStart(9));
    say(`  ${question.name.padEnd(40)}${cells.join('')}${median > AIM ? '  above the aim' : ''}`);
  }
  const above = medians.filter((median) => median > AIM).length;
  say(
    `${medians.length - above} of ${medians.length} kinds of pages and reads meet the aim of ${AIM} ms at the median`,
  );
}

/** @returns the time of each answer and the processor time of the service for one, milliseconds */
async function measure(
  subject: Subject,
  question: Question,
  filled: Filled,
  requests: number,
): Promise<{ times: number[]; cpu: number }> {
  const cursors = question.paged ? await cursorsOf(subject, question.path(filled, 0)) : [];
  const ask = (turn: number) => {
    const path = question.path(filled, turn);
    const cursor = cursors[turn % Math.max(1, cursors.length)];
    const address = cursor === undefined ? path : `${path}&cursor=${encodeURIComponent(cursor)}`;
    return send(subject, address, question.method, question.body?.(filled, turn));
  };
  for (let turn = 0; turn < 10; turn++) await ask(turn);
  const times: number[] = [];
  const before = processorTime(subject);
  for (let turn = 0; turn < requests; turn++) {
    const begun = performance.now();
    await ask(turn + 10);
    times.push(performance.now() - begun);
  }
  return { times, cpu: (processorTime(subject) - before) / requests };
}

async function cursorsOf(subject: Subject, path: string): Promise<string[]> {
  const cursors: string[] = [];
  let next = path;
  while (cursors.length < PAGES) {
    const { meta } = await send(subject, next);
    if (meta.cursor === null) break;
    cursors.push(meta.cursor);
    next = `${path}&cursor=${encodeURIComponent(meta.cursor)}`;
  }
  return cursors;
}

async function send(
  { url, key }: Subject,
  path: string,
  method = 'GET',
  body?: object,
): Promise<{ meta: { cursor: string | null } }> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(
    url + path,
    body === undefined ? { headers } : { method, headers, body: JSON.stringify(body) },
  );
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
