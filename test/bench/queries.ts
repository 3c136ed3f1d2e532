import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSettings, warehouseFolder } from '../../runtime/settings.ts';
import { freePort, postgresPrograms } from '../support/postgres.ts';
import { openServer, type Server } from './clickhouse/server.ts';
import type { Beside } from './queries/beside.ts';
import { clickhouseBeside } from './queries/clickhouse/beside.ts';
import { keptServer } from './queries/clickhouse/kept.ts';
import { servedBy } from './queries/clickhouse/served.ts';
import { type Client, openClient, Refused } from './queries/client.ts';
import type { Borne } from './queries/clients.ts';
import { type Measured, measureBeside, measureService } from './queries/measure.ts';
import { postgresBeside } from './queries/postgres/beside.ts';
import { loadedPostgres } from './queries/postgres/load.ts';
import type { Ask, Question } from './queries/question.ts';
import { QUESTIONS } from './queries/questions/all.ts';
import { type BesideTimes, type ReportBeside, type ReportRow, table } from './queries/report.ts';
import { type Sample, sampleOf } from './queries/sample.ts';
import { throughput } from './queries/throughput.ts';
import { type Times, timesOf } from './queries/times.ts';
import { type MeasuredVersion, madeVersion, readThrough, servedVersion } from './queries/version.ts';
import type { Place } from './support/place.ts';
import { note } from './support/register.ts';
import { peakMemoryMb, type Subject, startSubject, stopSubject } from './support/subject.ts';

interface Options {
  readonly units: number;
  readonly requests: number;
  readonly warehouse?: Place;
  /** The folder with the file of the version that ClickHouse has or gets. */
  readonly folder?: string;
  readonly withoutPostgres?: boolean;
  /** Ids of questions; all when left out. */
  readonly only?: readonly string[];
  readonly json?: boolean;
  readonly cache: string;
}

/** A row that takes longer ends with the requests it had by then. */
const MAX_SECONDS = 600;
const MAX_SECONDS_BESIDE = 60;

/** The questions of the interface over one version: the service over its file, and others beside it in the same run. */
export async function benchQueries(options: Options): Promise<void> {
  mkdirSync(options.cache, { recursive: true });
  const state = mkdtempSync(join(resolve(options.cache), 'state-'));
  const besides: Beside[] = [];
  try {
    const { version, server } = await chosen(options, state);
    const start = startingAt(await freePort(), version, state);
    if (server !== null) besides.push(clickhouseBeside(server, start));
    note('Choosing values');
    const sample = await sampleOf(version.file);
    const postgres = options.withoutPostgres ? null : await postgresOf(version, sample, options.cache);
    if (postgres !== null) besides.push(postgres);
    await measure(version, sample, start, besides, options);
  } finally {
    for (const beside of besides) await beside.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

/** The version that is measured, and the ClickHouse that has it too. */
async function chosen(
  { warehouse: place, folder, units, cache }: Options,
  state: string,
): Promise<{ version: MeasuredVersion; server: Server | null }> {
  if (place?.kind === 'server') {
    const server = await openServer(place, state);
    try {
      const version = await servedBy(server, folder ?? warehouseFolder(readSettings()), join(state, 'warehouse'));
      return { version, server };
    } catch (error) {
      await server.close();
      throw error;
    }
  }
  const from = place?.kind === 'folder' ? place.folder : folder;
  const version = from === undefined ? await madeVersion(units, cache) : servedVersion(from);
  const kept = join(cache, from === undefined ? `chdb-${units}` : `chdb-${version.id}`);
  return { version, server: place?.kind === 'chdb' ? await keptServer(version, resolve(kept)) : null };
}

async function postgresOf(version: MeasuredVersion, sample: Sample, cache: string): Promise<Beside | null> {
  const programs = postgresPrograms();
  if (programs !== null) {
    return postgresBeside(await loadedPostgres(programs, resolve(cache, `postgres-${sample.size}`), version.file));
  }
  note('PostgreSQL is not measured: none is installed (apt-get install postgresql)');
  return null;
}

/** Starts the service over a warehouse, as WAREHOUSE_URL names it. */
type Start = (warehouse: string) => Promise<Subject>;

/**
 * The services of a run have one address, one after the other, and one key: what the one has said, in links, tags and
 * cursors, the other understands.
 */
function startingAt(port: number, { day }: MeasuredVersion, state: string): Start {
  return (warehouse) => {
    const own = mkdtempSync(join(state, 'service-'));
    return startSubject('full', {
      PORT: String(port),
      SIGNING_KEY: 'one key for all services of a measurement',
      STATE_DIR: own,
      WAREHOUSE_URL: warehouse,
      ORG_STORE_URL: `pglite:${join(own, 'org')}`,
      TODAY: day,
    });
  };
}

/** One after the other: each has the memory of the machine while it is measured. */
async function measure(
  version: MeasuredVersion,
  sample: Sample,
  start: Start,
  besides: readonly Beside[],
  options: Options,
): Promise<void> {
  await readThrough(version);
  const subject = await start(`duckdb:${version.warehouse}`);
  const { answered, ...ours } = await measureFirst(subject, sample, options).finally(() => stopSubject(subject));
  const rows = answered.map(({ row }) => row);
  const asked = askedOf(answered);
  const beside: ReportBeside[] = [];
  for (const one of besides) {
    await one.ready();
    for (const [place, { ours }] of answered.entries()) {
      if (ours !== null) rows[place] = await rowBeside(rows[place]!, ours, one, options.requests);
    }
    const service = one.service();
    beside.push({
      name: one.name,
      described: one.described,
      throughput: service === null ? null : await manyClients(service, asked, one.name),
      peakMemoryMb: service === null ? null : peakMemoryMb(service.child),
    });
  }
  const report = { units: sample.size, rows, ...ours, beside };
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : table(report));
}

/** The service over DuckDB. */
async function measureFirst(subject: Subject, sample: Sample, { only, requests }: Options) {
  const client = openClient(subject);
  const answered: Answered[] = [];
  for (const question of QUESTIONS.filter(({ id }) => only?.includes(id) ?? true)) {
    note(question.name);
    const one = await answer(question, sample, client, requests);
    note(`  p50 ${p50Of(one.row.service)}`);
    answered.push(one);
  }
  client.close();
  const borne = await manyClients(subject, askedOf(answered), 'the service');
  return { answered, throughput: borne, peakMemoryMb: peakMemoryMb(subject.child) };
}

/** A row of the table with what the service was asked; null where it could not answer. */
interface Answered {
  readonly row: ReportRow;
  readonly ours: { readonly warmUp: Measured; readonly measured: Measured } | null;
}

const askedOf = (answered: readonly Answered[]): Ask[][] =>
  answered.flatMap(({ ours }) => (ours === null ? [] : [ours.measured.asked]));

async function manyClients(subject: Subject, asked: readonly Ask[][], who: string): Promise<Borne | null> {
  note(`Many clients, ${who}`);
  return asked.length === 0 ? null : throughput(subject, asked);
}

const p50Of = (times: Times | null): string => (times === null ? 'unknown' : `${times.p50.toFixed(2)} ms`);

/** The service's part of a row. What cannot be answered ends it, and says why. */
async function answer(question: Question, sample: Sample, client: Client, requests: number): Promise<Answered> {
  const { id, name, aims } = question;
  const row = { id, name, aims, service: null, beside: {}, notes: [] };
  try {
    const ours = await measureService(question, sample, client, { requests, seconds: MAX_SECONDS });
    return { row: { ...row, service: timesOf(ours.measured.times) }, ours };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { row: { ...row, notes: [error.message] }, ours: null };
  }
}

/** The row with the part of somebody else. */
async function rowBeside(
  row: ReportRow,
  ours: NonNullable<Answered['ours']>,
  beside: Beside,
  requests: number,
): Promise<ReportRow> {
  try {
    const budget = { requests, seconds: MAX_SECONDS_BESIDE };
    const { times, firstTimes, differences } = await measureBeside(ours, beside, budget);
    note(`${row.name}, ${beside.name}: p50 ${p50Of(timesOf(times))}`);
    const hasSeveral = beside.service() === null && ours.measured.asked.some(({ sql }) => sql.length > 1);
    const theirs: BesideTimes = { times: timesOf(times), first: hasSeveral ? timesOf(firstTimes) : null };
    const notes = differences.map((difference) => `${beside.name}: ${difference}`);
    return { ...row, beside: { ...row.beside, [beside.name]: theirs }, notes: [...row.notes, ...notes] };
  } catch (error) {
    const fault = `${beside.name}: ${error instanceof Error ? error.message : error}`;
    return { ...row, notes: [...row.notes, fault] };
  }
}
