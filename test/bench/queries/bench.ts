import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { postgresPrograms } from '../../support/postgres.ts';
import { note } from '../register.ts';
import { peakMemoryMb, type Subject, startSubject, stopSubject } from '../subject.ts';
import { type Client, openClient, Refused } from './client.ts';
import { type Measured, measurePostgres, measureService } from './measure.ts';
import type { Answerer } from './postgres/connection.ts';
import { type LoadedPostgres, loadedPostgres } from './postgres/load.ts';
import type { Ask, Question } from './question.ts';
import { QUESTIONS } from './questions.ts';
import { type ReportRow, table } from './report.ts';
import { type Sample, sampleOf } from './sample.ts';
import { throughput } from './throughput.ts';
import { type Times, timesOf } from './times.ts';
import { type MeasuredVersion, madeVersion, servedVersion } from './version.ts';

interface Options {
  readonly units: number;
  readonly requests: number;
  readonly warehouse?: string;
  /** The service alone. */
  readonly withoutPostgres?: boolean;
  /** Ids of questions; all when left out. */
  readonly only?: readonly string[];
  readonly json?: boolean;
  readonly cache: string;
}

/** A row that takes longer ends with the requests it had by then. */
const MOST_SECONDS = 600;
const MOST_SECONDS_OF_POSTGRES = 60;

/** The questions of the interface over one version: the service, and PostgreSQL beside it in the same run. */
export async function benchQueries(options: Options): Promise<void> {
  mkdirSync(options.cache, { recursive: true });
  const version =
    options.warehouse === undefined
      ? await madeVersion(options.units, options.cache)
      : servedVersion(options.warehouse);
  note('Choosing values');
  const sample = await sampleOf(version.file);
  const postgres = options.withoutPostgres ? null : await postgresBeside(version, sample, options.cache);
  try {
    const folder = mkdtempSync(join(options.cache, 'state-'));
    const subject = await startSubject('full', {
      STATE_DIR: resolve(folder),
      WAREHOUSE_URL: `duckdb:${version.warehouse}`,
      ORG_STORE_URL: `pglite:${resolve(folder, 'org')}`,
      TODAY: version.day,
    });
    try {
      await measure(subject, sample, postgres, options);
    } finally {
      await stopSubject(subject);
      rmSync(folder, { recursive: true, force: true });
    }
  } finally {
    await postgres?.stop();
  }
}

async function postgresBeside(version: MeasuredVersion, sample: Sample, cache: string): Promise<LoadedPostgres | null> {
  const programs = postgresPrograms();
  if (programs !== null) return loadedPostgres(programs, resolve(cache, `postgres-${sample.size}`), version.file);
  note('PostgreSQL is not measured: none is installed (apt-get install postgresql)');
  return null;
}

async function measure(
  subject: Subject,
  sample: Sample,
  postgres: LoadedPostgres | null,
  options: Options,
): Promise<void> {
  const client = openClient(subject);
  const questions = QUESTIONS.filter(({ id }) => options.only?.includes(id) ?? true);
  const rows: ReportRow[] = [];
  const asked: Ask[][] = [];
  for (const question of questions) {
    note(question.name);
    const { row, asks } = await measureRow(question, sample, client, postgres, options.requests);
    note(`  p50 ${p50Of(row.service)}, PostgreSQL ${p50Of(row.postgres)}`);
    rows.push(row);
    if (asks.length > 0) asked.push(asks);
  }
  note('Many clients');
  const borne = asked.length === 0 ? null : await throughput(subject, asked);
  client.close();
  const report = {
    units: sample.size,
    postgres: postgres?.release ?? null,
    rows,
    throughput: borne,
    peakMemoryMb: peakMemoryMb(subject),
  };
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : table(report));
}

const p50Of = (times: Times | null): string => (times === null ? 'unknown' : `${times.p50.toFixed(2)} ms`);

/** One row of the table. What cannot be answered ends the row, and says why. */
async function measureRow(
  question: Question,
  sample: Sample,
  client: Client,
  postgres: Answerer | null,
  requests: number,
): Promise<{ row: ReportRow; asks: Ask[] }> {
  const { id, name, aims } = question;
  const empty = { id, name, aims, service: null, postgres: null, postgresFirst: null };
  let ours: { warmUp: Measured; measured: Measured };
  try {
    ours = await measureService(question, sample, client, { requests, seconds: MOST_SECONDS });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { row: { ...empty, notes: [error.message] }, asks: [] };
  }
  const row = { ...empty, service: timesOf(ours.measured.times), notes: [] };
  const asks = ours.measured.asked;
  if (postgres === null) return { row, asks };
  try {
    const budget = { requests, seconds: MOST_SECONDS_OF_POSTGRES };
    const { times, firstTimes, differences } = await measurePostgres(ours, postgres, budget);
    const hasSeveral = asks.some(({ sql }) => sql.length > 1);
    const postgresFirst = hasSeveral ? timesOf(firstTimes) : null;
    return { row: { ...row, postgres: timesOf(times), postgresFirst, notes: differences }, asks };
  } catch (error) {
    return { row: { ...row, notes: [`PostgreSQL: ${error instanceof Error ? error.message : error}`] }, asks };
  }
}
