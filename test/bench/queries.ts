import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSettings, warehouseFolder } from '../../runtime/settings.ts';
import { freePort } from '../support/listening.ts';
import { postgresPrograms } from '../support/postgres.ts';
import { openServer, type Server } from './clickhouse/server.ts';
import { cachedServer } from './queries/clickhouse/cached-server.ts';
import { comparedClickHouse } from './queries/clickhouse/compared.ts';
import { servedBy } from './queries/clickhouse/served.ts';
import { type Client, openClient, Refused } from './queries/client.ts';
import type { LoadResult } from './queries/clients.ts';
import type { ComparedSystem } from './queries/compared-system.ts';
import { type Measured, measureCompared, measureService } from './queries/measure.ts';
import { comparedPostgres } from './queries/postgres/compared.ts';
import { loadedPostgres } from './queries/postgres/load.ts';
import type { BenchRequest, Question } from './queries/question.ts';
import { QUESTIONS } from './queries/questions/all.ts';
import { type ComparedTimes, type ReportComparison, type ReportRow, table } from './queries/report.ts';
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
const MAX_SECONDS_COMPARED = 60;

/** The questions of the interface over one version: the service over its file, and other systems in the same run. */
export async function benchQueries(options: Options): Promise<void> {
  mkdirSync(options.cache, { recursive: true });
  const state = mkdtempSync(join(resolve(options.cache), 'state-'));
  const systems: ComparedSystem[] = [];
  try {
    const { version, server } = await chosen(options, state);
    const start = startingAt(await freePort(), version, state);
    if (server !== null) systems.push(comparedClickHouse(server, start));
    note('Choosing values');
    const sample = await sampleOf(version.file);
    const postgres = options.withoutPostgres ? null : await postgresOf(version, sample, options.cache);
    if (postgres !== null) systems.push(postgres);
    await measure(version, sample, start, systems, options);
  } finally {
    for (const system of systems) await system.stop();
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
  const cached = join(cache, from === undefined ? `chdb-${units}` : `chdb-${version.id}`);
  return { version, server: place?.kind === 'chdb' ? await cachedServer(version, resolve(cached)) : null };
}

async function postgresOf(version: MeasuredVersion, sample: Sample, cache: string): Promise<ComparedSystem | null> {
  const programs = postgresPrograms();
  if (programs !== null) {
    return comparedPostgres(await loadedPostgres(programs, resolve(cache, `postgres-${sample.size}`), version.file));
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
  systems: readonly ComparedSystem[],
  options: Options,
): Promise<void> {
  await readThrough(version);
  const subject = await start(`duckdb:${version.warehouse}`);
  const { answered, ...ours } = await measureFirst(subject, sample, options).finally(() => stopSubject(subject));
  const rows = answered.map(({ row }) => row);
  const requests = requestsOf(answered);
  const compared: ReportComparison[] = [];
  for (const system of systems) {
    await system.ready();
    for (const [place, { ours }] of answered.entries()) {
      if (ours !== null) rows[place] = await comparedTimes(rows[place]!, ours, system, options.requests);
    }
    const service = system.service();
    compared.push({
      name: system.name,
      described: system.described,
      throughput: service === null ? null : await manyClients(service, requests, system.name),
      peakMemoryMb: service === null ? null : peakMemoryMb(service.child),
    });
  }
  const report = { units: sample.size, rows, ...ours, compared };
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
  const result = await manyClients(subject, requestsOf(answered), 'the service');
  return { answered, throughput: result, peakMemoryMb: peakMemoryMb(subject.child) };
}

/** A row of the table with what the service was asked; null where it could not answer. */
interface Answered {
  readonly row: ReportRow;
  readonly ours: { readonly warmUp: Measured; readonly measured: Measured } | null;
}

const requestsOf = (answered: readonly Answered[]): BenchRequest[][] =>
  answered.flatMap(({ ours }) => (ours === null ? [] : [ours.measured.requests]));

async function manyClients(
  subject: Subject,
  requests: readonly BenchRequest[][],
  who: string,
): Promise<LoadResult | null> {
  note(`Many clients, ${who}`);
  return requests.length === 0 ? null : throughput(subject, requests);
}

const p50Of = (times: Times | null): string => (times === null ? 'unknown' : `${times.p50.toFixed(2)} ms`);

/** The service's part of a row. What cannot be answered ends it, and says why. */
async function answer(question: Question, sample: Sample, client: Client, requests: number): Promise<Answered> {
  const { id, name, aims } = question;
  const row = { id, name, aims, service: null, compared: {}, notes: [] };
  try {
    const ours = await measureService(question, sample, client, { requests, seconds: MAX_SECONDS });
    return { row: { ...row, service: timesOf(ours.measured.times) }, ours };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { row: { ...row, notes: [error.message] }, ours: null };
  }
}

/** The row with the part of somebody else. */
async function comparedTimes(
  row: ReportRow,
  ours: NonNullable<Answered['ours']>,
  system: ComparedSystem,
  requests: number,
): Promise<ReportRow> {
  try {
    const budget = { requests, seconds: MAX_SECONDS_COMPARED };
    const { times, firstTimes, differences } = await measureCompared(ours, system, budget);
    note(`${row.name}, ${system.name}: p50 ${p50Of(timesOf(times))}`);
    const hasSeveral = system.service() === null && ours.measured.requests.some(({ sql }) => sql.length > 1);
    const theirs: ComparedTimes = { times: timesOf(times), first: hasSeveral ? timesOf(firstTimes) : null };
    const notes = differences.map((difference) => `${system.name}: ${difference}`);
    return { ...row, compared: { ...row.compared, [system.name]: theirs }, notes: [...row.notes, ...notes] };
  } catch (error) {
    const fault = `${system.name}: ${error instanceof Error ? error.message : error}`;
    return { ...row, notes: [...row.notes, fault] };
  }
}
