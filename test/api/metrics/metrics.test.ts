import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, operationsOf } from '../../../api/operations.ts';
import { reportFile } from '../../../sql/warehouse/versions.ts';
import { cases } from '../../support/cases.ts';
import { type FailingStore, openFailingStore, STORE_UNREACHABLE } from '../../support/failing-store.ts';
import { FIXTURE_VERSION, publishFixture, temporaryFolder } from '../../support/fixture.ts';
import { NO_KEY } from '../../support/requests.ts';
import { type OwnSubject, serve } from '../../support/service.ts';
import { type Family, readExposition, reading } from './exposition.ts';

/** The metrics of a service, as Prometheus reads them over HTTP. */

const REPORT = {
  seconds: 61.5,
  peakMemoryMb: 512,
  warehouseMb: 30.5,
  units: { wind: 3, solar: 4 },
  failedChecks: ['too few'],
  befunde: { wert_unlesbar: 7 },
  dateien: [
    { verwendung: 'tabelle', gelesen: 10, geladen: 7, doppelt: 2, abgelehnt: 1 },
    { verwendung: 'ungenutzt', gelesen: 5, geladen: 0, doppelt: 0, abgelehnt: 0 },
  ],
};

const warehouse = temporaryFolder();
let store: FailingStore;
let service: OwnSubject;

beforeAll(async () => {
  await publishFixture(warehouse.path);
  writeFileSync(reportFile(warehouse.path, FIXTURE_VERSION), JSON.stringify(REPORT));
  store = await openFailingStore();
  service = await serve(warehouse.path, { METRICS_PORT: '0', TRUSTED_PROXIES: '127.0.0.1' }, store);
});

afterAll(async () => {
  await service.stop();
  await store.close();
  warehouse.remove();
});

async function scrape(): Promise<ReadonlyMap<string, Family>> {
  const answer = await fetch(service.metricsUrl!);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return readExposition(await answer.text());
}

const ours = (families: ReadonlyMap<string, Family>) =>
  [...families.values()].filter(({ name }) => name.startsWith('energy_'));

describe('the metrics', () => {
  test('have these names, types and texts', async () => {
    const described = ours(await scrape()).map(({ name, type, help }) => `${name} (${type}): ${help}`);
    expect(described.sort().join('\n')).toMatchInlineSnapshot(`
      "energy_alert_evaluations_total (counter): Alerts that were evaluated for a version, by what became of them
      energy_alerts_faulty (gauge): Alerts that are enabled and could not be evaluated for the last dataset version
      energy_answer_evictions_total (counter): Kept answers that have made room for others
      energy_answers_kept (gauge): Answers that are kept to be given again
      energy_answers_kept_bytes (gauge): Memory that kept answers take, at most ANSWER_CACHE_MB
      energy_answers_total (counter): Answers that may be given again; hit = one was kept, joined = one was just being made for another caller, miss = it was made
      energy_audit_rows_waiting (gauge): Audit rows that the store does not have yet
      energy_build_affected_units (gauge): Units that the last build computed, where it was made out of the version before; no value where it was built from nothing
      energy_build_differing_tables (gauge): Tables in which a night would have had other rows than the last build, which was compared with it; no value where none was
      energy_build_duration_seconds (gauge): Time that the last build took
      energy_build_failed_checks (gauge): Checks that the last build failed
      energy_build_findings (gauge): Findings of the last build by kind
      energy_build_info (gauge): The version of the last build, published or not, always 1
      energy_build_nights (gauge): Builds in a row that were made out of the version before, 0: the last one was built from nothing
      energy_build_peak_memory_bytes (gauge): Largest resident size of the process of the last build
      energy_build_published (gauge): Whether the version of the last build was ever published
      energy_build_records (gauge): Records of the export that the last build read, by what became of them
      energy_build_size_bytes (gauge): Size of the version of the last build on disk
      energy_build_timestamp_seconds (gauge): When the last build ended that made a version, Unix time
      energy_build_units (gauge): Units of the last build by energy carrier
      energy_counter_waiting (gauge): Counts of calls that the store does not have yet: of organisations where this process counts, of calls where the store does
      energy_dataset_age_seconds (gauge): Time since the beginning (UTC) of the day of the export that is served
      energy_dataset_export_day_timestamp_seconds (gauge): Beginning (UTC) of the day of the export that is served, Unix time
      energy_dataset_info (gauge): The version that is served, always 1
      energy_dataset_published_timestamp_seconds (gauge): When the version that is served was published, Unix time
      energy_dataset_up_to_date (gauge): Whether what is published is also what is served
      energy_dataset_versions_kept (gauge): Dataset versions in the warehouse
      energy_evaluation_last_duration_seconds (gauge): Time that the last evaluation of all alerts took
      energy_evaluations_total (counter): Evaluations of all alerts for a version; failed = it is tried again, given_up = its news are never told
      energy_events_total (counter): Events of organisations that were stored
      energy_http_compressions_total (counter): Answers that were to be compressed; passed_over = went as they are, since too many others were being compressed
      energy_http_connections_dropped_total (counter): Connections that were closed as they came, since there were MAX_CONNECTIONS already
      energy_http_refused_calls_total (counter): Calls that were refused for want of a valid key; too_many = turned away, since their address had too many of them
      energy_http_request_duration_seconds (histogram): Time from the arrival of a request to its answer, by operation and class of status; operation none = a path that leads nowhere
      energy_http_requests_in_flight (gauge): Requests that have arrived and are not answered yet
      energy_job_last_duration_seconds (gauge): Time that the last run of a job took
      energy_job_last_run_timestamp_seconds (gauge): When the last run of a job ended that had this outcome, Unix time
      energy_job_runs_total (counter): Runs of a job in this process
      energy_night_ended_timestamp_seconds (gauge): When the last nightly run ended, Unix time; absent while it runs, and when it was killed
      energy_night_failed (gauge): Whether the last nightly run that ended failed, and nothing was built and published since
      energy_night_failed_step (gauge): The step in which the last nightly run failed, always 1; absent when it did not fail
      energy_night_failures (gauge): Nightly runs that failed since the last one that did not
      energy_night_outcome (gauge): What the last nightly run came to: 1 for that, 0 for all else
      energy_night_started_timestamp_seconds (gauge): When the last nightly run began, Unix time
      energy_service_info (gauge): The address under which callers reach the service, always 1
      energy_store_connections (gauge): Connections to the store of the organisations; an embedded store is one
      energy_store_waiting (gauge): Work that waits for a connection to the store of the organisations
      energy_warehouse_connections (gauge): Connections to the version that is served
      energy_warehouse_statement_duration_seconds (histogram): Time of a statement in the engine of the warehouse, without waiting for a connection; exhausted = it needed more time or memory than it may take
      energy_warehouse_statements_waiting (gauge): Statements that wait for a connection to the version that is served
      energy_warehouse_units_read_total (counter): Units that were read from the row file
      energy_webhook_attempt_seconds (histogram): Time of an attempt to deliver an event, from resolving the host to the last byte that was read of the answer
      energy_webhook_attempts_under_way (gauge): Attempts to deliver an event that have begun and not ended
      energy_webhook_deliveries_total (counter): Attempts to deliver an event to a webhook endpoint; retry = it failed and is repeated, failed = it was the last
      energy_webhook_endpoints_disabled (gauge): Webhook endpoints that are disabled, by reason: by hand, since the receiver said that it is gone, or since nothing arrived for days
      energy_webhook_oldest_due_seconds (gauge): How long the oldest delivery has been due that was not begun yet; failing = to endpoints whose last attempt failed, which get one at a time"
    `);
  });

  test('follow the conventions of Prometheus', async () => {
    for (const { name, type } of ours(await scrape())) {
      expect(name).toMatch(/^energy_[a-z_]+$/);
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
    }
  });

  test('do not use the labels that Prometheus sets', async () => {
    for (const { name, samples } of (await scrape()).values()) {
      for (const { labels } of samples) {
        for (const reserved of ['job', 'instance']) expect(labels, name).not.toHaveProperty(reserved);
      }
    }
  });

  test('show the process: memory, event loop, garbage collection', async () => {
    const names = [...(await scrape()).keys()];
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_gc_duration_seconds',
      'process_cpu_seconds_total',
    ]) {
      expect(names).toContain(name);
    }
  });

  test('name the version that is served and its day', async () => {
    const families = await scrape();
    const labels = { version: FIXTURE_VERSION, export_day: '2026-03-14' };
    expect(reading(families, 'energy_dataset_info', labels)).toBe(1);
    const day = Date.parse('2026-03-14') / 1000;
    expect(reading(families, 'energy_dataset_export_day_timestamp_seconds')).toBe(day);
    expect(reading(families, 'energy_dataset_age_seconds')! + day).toBeCloseTo(Date.now() / 1000, -2);
    expect(reading(families, 'energy_dataset_versions_kept')).toBe(1);
    expect(reading(families, 'energy_dataset_up_to_date')).toBe(1);
    expect(reading(families, 'energy_service_info', { address: service.url })).toBe(1);
  });

  test('count failed evaluations from 0, so that the first one is an increase', async () => {
    const families = await scrape();
    for (const outcome of ['failed', 'given_up']) {
      expect(reading(families, 'energy_evaluations_total', { outcome })).toBe(0);
    }
  });

  test('show the report of the last build', async () => {
    const families = await scrape();
    expect(reading(families, 'energy_build_info', { version: FIXTURE_VERSION })).toBe(1);
    expect(reading(families, 'energy_build_duration_seconds')).toBe(61.5);
    expect(reading(families, 'energy_build_published')).toBe(1);
    expect(reading(families, 'energy_build_failed_checks')).toBe(1);
    expect(reading(families, 'energy_build_units', { carrier: 'solar' })).toBe(4);
    expect(reading(families, 'energy_build_findings', { finding: 'wert_unlesbar' })).toBe(7);
    const records = (result: string) => reading(families, 'energy_build_records', { result });
    expect(['loaded', 'duplicate', 'refused', 'unused'].map(records)).toEqual([7, 2, 1, 5]);
  });

  test('count each request once, under its operation and class of status', async () => {
    const counted = (families: ReadonlyMap<string, Family>, operation: string, status: string) =>
      reading(families, 'energy_http_request_duration_seconds_count', { operation, status }) ?? 0;
    const before = await scrape();
    for (const limit of [2, 3, 4]) expect((await service.get(`/v1/units?limit=${limit}`)).status).toBe(200);
    expect((await service.get('/v1/units?limit=x')).status).toBe(400);
    expect((await service.get('/v1/nowhere')).status).toBe(404);
    const after = await scrape();
    const grown = (operation: string, status: string) =>
      counted(after, operation, status) - counted(before, operation, status);
    expect(grown('units.list', '2xx')).toBe(3);
    expect(grown('units.list', '4xx')).toBe(1);
    expect(grown('none', '4xx')).toBe(1);
    expect(reading(after, 'energy_http_requests_in_flight')).toBe(0);
    const statements = { outcome: 'done' };
    const requestCounts = (families: ReadonlyMap<string, Family>) =>
      reading(families, 'energy_warehouse_statement_duration_seconds_count', statements)!;
    expect(requestCounts(after)).toBeGreaterThan(requestCounts(before));
    const read = (families: ReadonlyMap<string, Family>) => reading(families, 'energy_warehouse_units_read_total')!;
    expect(read(after) - read(before)).toBeGreaterThanOrEqual(6);
  });

  test('every histogram grows from bucket to bucket up to its count', async () => {
    for (const { name, type, samples } of (await scrape()).values()) {
      if (type !== 'histogram') continue;
      for (const { labels, value: count } of samples.filter((sample) => sample.name === `${name}_count`)) {
        const series = samples.filter(
          (sample) =>
            sample.name === `${name}_bucket` &&
            Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
        );
        const values = series.map(({ value }) => value);
        expect(values).toEqual(values.toSorted((a, b) => a - b));
        expect(series.at(-1)).toMatchObject({ labels: { le: '+Inf' }, value: count });
      }
    }
  });

  test('count calls that wait for a store without an answer, until it answers', async () => {
    await expect.poll(async () => reading(await scrape(), 'energy_audit_rows_waiting')).toBe(0);
    await store.failing(STORE_UNREACHABLE, async () => {
      for (let call = 0; call < 5; call++) {
        // The first of each address is written.
        const from = { ...NO_KEY, 'X-Forwarded-For': `192.0.2.${call}` };
        expect((await service.get('/v1/units', from)).status).toBe(401);
      }
      // A row is recorded when its answer has been sent, which may be after the client has it.
      await expect.poll(async () => reading(await scrape(), 'energy_audit_rows_waiting')).toBe(5);
    });
    await expect.poll(async () => reading(await scrape(), 'energy_audit_rows_waiting')).toBe(0);
    await expect.poll(async () => reading(await scrape(), 'energy_counter_waiting')).toBe(0);
  });

  test('have labels of few values for any request', async () => {
    const ids = new Set([...operationsOf({ OLDER_API: 'on' }).map(({ id }) => id), 'none']);
    const segment = fc.oneof(
      fc.webSegment(),
      fc.constantFrom('v1', 'units', 'api', 'region', 'SEE900000000001', '%ff'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { maxLength: 5 }),
        fc.constantFrom('GET', 'POST', 'DELETE', 'OPTIONS', 'PATCH'),
        async (segments, method) => {
          const answer = await fetch(`${service.url}/${segments.join('/')}`, { method });
          await answer.body?.cancel();
        },
      ),
      { numRuns: cases(200) },
    );
    const families = await scrape();
    for (const { labels } of families.get('energy_http_request_duration_seconds')!.samples) {
      expect(ids).toContain(labels.operation);
      expect(labels.status).toMatch(/^[2345]xx$/);
    }
  });

  test('hold no key', async () => {
    await service.get(`/v1/${service.key}`);
    await service.get(`/v1/units?name=${service.key}`);
    const text = await (await fetch(service.metricsUrl!)).text();
    expect(text).not.toContain(service.key);
    expect(text).not.toContain(service.key.slice(0, 12));
  });
});

describe('the port of the metrics', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/metrics/'],
    ['GET', '/v1/units'],
    ['GET', '/v1/health'],
    ['POST', '/metrics'],
    ['DELETE', '/metrics'],
  ])('answers 404 to %s %s', async (method, path) => {
    const answer = await fetch(new URL(path, service.metricsUrl!), { method });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe('There is only GET /metrics\n');
  });

  test('is separate from the port of the service, which has no metrics', async () => {
    expect(new URL(service.metricsUrl!).port).not.toBe(new URL(service.url).port);
    expect(OPERATIONS.map(({ path }) => path)).not.toContain('/metrics');
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  });

  test('opens with the service and closes with it; without METRICS_PORT there is none', async () => {
    const empty = temporaryFolder();
    const own = await serve(join(empty.path, 'nothing'), { METRICS_PORT: '0' });
    const families = readExposition(await (await fetch(own.metricsUrl!)).text());
    // Nothing is served yet: its metrics are absent, and not zero.
    expect(families.get('energy_dataset_age_seconds')!.samples).toEqual([]);
    expect(families.get('energy_build_duration_seconds')!.samples).toEqual([]);
    expect(reading(families, 'energy_dataset_up_to_date')).toBe(0);
    await own.stop();
    await expect(fetch(own.metricsUrl!)).rejects.toThrow();
    const without = await serve(join(empty.path, 'nothing'));
    expect(without.metricsUrl).toBeNull();
    await without.stop();
    empty.remove();
  });
});
