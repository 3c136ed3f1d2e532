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
import { coldCompared, coldOurs } from './queries/cold.ts';
import type { ComparedSystem } from './queries/compared-system.ts';
import { foremost, type Measured, measureCompared, measureService } from './queries/measure.ts';
import { comparedPostgres } from './queries/postgres/compared.ts';
import { loadedPostgres } from './queries/postgres/load.ts';
import type { BenchRequest, Question } from './queries/question.ts';
import { QUESTIONS } from './queries/questions/all.ts';
import { firstPage } from './queries/questions/pages.ts';
import { UNCHANGED } from './queries/questions/units.ts';
import { seeded } from './queries/random.ts';
import { type Report, type ReportComparison, type ReportLoad, type ReportRow, reportText } from './queries/report.ts';
import { type Sample, sampleOf } from './queries/sample.ts';
import { type Mixes, mixesOf, throughput } from './queries/throughput.ts';
import { type Times, timesOf } from './queries/times.ts';
import { type MeasuredVersion, madeVersion, readThrough, servedVersion } from './queries/version.ts';
import { machine } from './support/machine.ts';
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
  readonly markdown?: boolean;
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
  const starting = () => start(`duckdb:${version.warehouse}`);
  await readThrough(version);
  const subject = await starting();
  const first = await measureFirst(subject, sample, options).finally(() => stopSubject(subject));
  const cold = isWanted(COLD, options) ? coldRequests(sample) : null;
  const coldRow = cold === null ? [] : [await coldOurs(cold, version.file, starting)];
  const rows = first.answered.map(({ row }) => row);
  const compared: ReportComparison[] = [];
  for (const system of systems) {
    await system.ready();
    for (const [place, { ours }] of first.answered.entries()) {
      if (ours?.measured.requests.every(system.canAnswer))
        rows[place] = await comparedTimes(rows[place]!, ours, system);
    }
    const service = system.service();
    compared.push({
      name: system.name,
      described: system.described,
      loads: service === null ? [] : await manyClients(service, first.mixes, system.name),
      peakMemoryMb: service === null ? null : peakMemoryMb(service.child),
    });
    // At the end: it leaves nothing in memory.
    for (const [place, row] of coldRow.entries()) coldRow[place] = await coldCompared(row, cold!, system);
  }
  const { loads, mixes, peakMemoryMb: peak } = first;
  const report: Report = {
    ...{ units: sample.size, machine: machine(), rows: [...rows, ...coldRow] },
    ...{ loads, mix: mixes.counts, peakMemoryMb: peak, compared },
  };
  process.stdout.write(
    options.json ? `${JSON.stringify(report)}\n` : reportText(report, options.markdown ? 'markdown' : 'text'),
  );
}

/** The row that is measured at the end, each time with nothing in memory. */
const COLD = 'cold';

/** The names that `--only` takes. */
export const ROWS: readonly string[] = [...QUESTIONS.map(({ id }) => id), COLD];

const isWanted = (id: string, { only }: Options): boolean => only?.includes(id) ?? true;

/** The service over DuckDB. */
async function measureFirst(subject: Subject, sample: Sample, options: Options) {
  const client = openClient(subject);
  const questions = QUESTIONS.filter(({ id }) => isWanted(id, options));
  const answered: Answered[] = [];
  for (const question of questions) {
    note(question.name);
    const one = await answer(question, sample, client, options.requests);
    note(`  p50 ${p50Of(one.row.service)}`);
    answered.push(one);
  }
  note('Choosing what many clients ask');
  const before = answered.flatMap(({ ours }) => [...(ours?.warmUp.requests ?? []), ...(ours?.measured.requests ?? [])]);
  const asked = questions.filter(({ id }, place) => id !== UNCHANGED && answered[place]?.ours !== null);
  const mixes = await mixesOf(
    asked,
    sample,
    client,
    before.map(({ path }) => path),
  );
  client.close();
  const loads = await manyClients(subject, mixes, 'the service');
  return { answered, mixes, loads, peakMemoryMb: peakMemoryMb(subject.child) };
}

/** A row of the table with what the service was asked; null where it could not answer. */
interface Answered {
  readonly row: ReportRow;
  readonly ours: { readonly warmUp: Measured; readonly measured: Measured } | null;
}

/** The loads of the table, with the aims for a whole register. */
async function manyClients(subject: Subject, { fresh, repeated }: Mixes, who: string): Promise<ReportLoad[]> {
  if (fresh.length === 0) return [];
  note(`Many clients, ${who}`);
  const first = await throughput(subject, fresh);
  const second = await throughput(subject, repeated(first.sent));
  return [
    { name: `${who}, every question new`, aims: { requestsPerSecond: 300, p99: 400 }, result: first },
    { name: `${who}, three of four were asked before`, aims: { requestsPerSecond: 1000, p99: null }, result: second },
  ];
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
): Promise<ReportRow> {
  try {
    const { times, plainTimes, differences } = await measureCompared(ours, system, { seconds: MAX_SECONDS_COMPARED });
    note(`${row.name}, ${system.name}: p50 ${p50Of(timesOf(times))}`);
    const theirs = { times: timesOf(times), plain: plainTimes.length === 0 ? null : timesOf(plainTimes) };
    const notes = foremost(differences).map((difference) => `${system.name}: ${difference}`);
    return { ...row, compared: { ...row.compared, [system.name]: theirs }, notes: [...row.notes, ...notes] };
  } catch (error) {
    return { ...row, notes: [...row.notes, `${system.name}: ${messageOf(error)}`] };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const COLD_REQUESTS = 40;
const COLD_SEED = 6;

/** First pages: they read tables and rows, and every sitting of a user begins with one. */
function coldRequests(sample: Sample): BenchRequest[] {
  const random = seeded(COLD_SEED);
  return Array.from({ length: COLD_REQUESTS }, () => firstPage(sample, random));
}
