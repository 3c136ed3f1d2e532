import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { postgresPrograms } from '../../support/postgres.ts';
import { note } from '../register.ts';
import { peakMemoryMb, type Subject, startSubject, stopSubject } from '../subject.ts';
import { type Client, openClient, Refused } from './client.ts';
import { type Measured, measurePostgres, measureService } from './measure.ts';
import type { Answerer } from './postgres/connection.ts';
import { type LoadedPostgres, loadedPostgres } from './postgres/load.ts';
import type { Question } from './question.ts';
import { QUESTIONS } from './questions.ts';
import { type ReportRow, table } from './report.ts';
import { type Sample, sampleOf } from './sample.ts';
import { throughput } from './throughput.ts';
import { type Times, timesOf } from './times.ts';
import { type MeasuredVersion, madeVersion, readThrough, servedVersion } from './version.ts';

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
    await readThrough(version);
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

/**
 * First the service, then PostgreSQL, which is asked the same: each has the memory of the machine while it is measured, as
 * neither would have had its rows in it otherwise.
 */
async function measure(
  subject: Subject,
  sample: Sample,
  postgres: LoadedPostgres | null,
  options: Options,
): Promise<void> {
  const client = openClient(subject);
  const measured: Answered[] = [];
  for (const question of QUESTIONS.filter(({ id }) => options.only?.includes(id) ?? true)) {
    note(question.name);
    const answered = await answer(question, sample, client, options.requests);
    note(`  p50 ${p50Of(answered.row.service)}`);
    measured.push(answered);
  }
  const asked = measured.flatMap(({ ours }) => (ours === null ? [] : [ours.measured.asked]));
  note('Many clients');
  const borne = asked.length === 0 ? null : await throughput(subject, asked);
  client.close();
  const peak = peakMemoryMb(subject);
  await postgres?.prewarm();
  const rows: ReportRow[] = [];
  for (const answered of measured) rows.push(await beside(answered, postgres, options.requests));
  const report = {
    units: sample.size,
    postgres: postgres?.release ?? null,
    rows,
    throughput: borne,
    peakMemoryMb: peak,
  };
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : table(report));
}

const p50Of = (times: Times | null): string => (times === null ? 'unknown' : `${times.p50.toFixed(2)} ms`);

/** A row of the table with what the service was asked; null where it could not answer. */
interface Answered {
  readonly row: ReportRow;
  readonly ours: { readonly warmUp: Measured; readonly measured: Measured } | null;
}

/** The service's part of a row. What cannot be answered ends it, and says why. */
async function answer(question: Question, sample: Sample, client: Client, requests: number): Promise<Answered> {
  const { id, name, aims } = question;
  const row = { id, name, aims, service: null, postgres: null, postgresFirst: null, notes: [] };
  try {
    const ours = await measureService(question, sample, client, { requests, seconds: MOST_SECONDS });
    return { row: { ...row, service: timesOf(ours.measured.times) }, ours };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { row: { ...row, notes: [error.message] }, ours: null };
  }
}

/** The row with PostgreSQL's part. */
async function beside({ row, ours }: Answered, postgres: Answerer | null, requests: number): Promise<ReportRow> {
  if (postgres === null || ours === null) return row;
  try {
    const budget = { requests, seconds: MOST_SECONDS_OF_POSTGRES };
    const { times, firstTimes, differences } = await measurePostgres(ours, postgres, budget);
    note(`${row.name}, PostgreSQL: p50 ${p50Of(timesOf(times))}`);
    const hasSeveral = ours.measured.asked.some(({ sql }) => sql.length > 1);
    const postgresFirst = hasSeveral ? timesOf(firstTimes) : null;
    return { ...row, postgres: timesOf(times), postgresFirst, notes: differences };
  } catch (error) {
    return { ...row, notes: [`PostgreSQL: ${error instanceof Error ? error.message : error}`] };
  }
}
