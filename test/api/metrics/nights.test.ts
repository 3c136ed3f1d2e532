import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { withNightlyLock } from '../../../runtime/nightly-record.ts';
import { publish } from '../../../sql/warehouse/versions.ts';
import { FIXTURE_VERSION, publishFixture, temporaryFolder } from '../../support/fixture.ts';
import { type OwnSubject, serve } from '../../support/service.ts';
import { readExposition, reading } from './exposition.ts';

/** The metrics of the nightly run, whose record is in STATE_DIR. */

const warehouse = temporaryFolder();
const state = temporaryFolder();
const record = join(state.path, 'nightly.json');
let service: OwnSubject;

beforeAll(async () => {
  await publishFixture(warehouse.path);
  service = await serve(warehouse.path, { METRICS_PORT: '0', STATE_DIR: state.path });
});

afterAll(async () => {
  await service.stop();
  state.remove();
  warehouse.remove();
});

beforeEach(() => {
  if (existsSync(record)) rmSync(record);
});

const scrape = async () => readExposition(await (await fetch(service.metricsUrl!)).text());

/** Reads the metrics of the nights that are present. */
async function nights() {
  const families = await scrape();
  const samples = ['outcome', 'failed_step'].flatMap((name) => families.get(`energy_night_${name}`)!.samples);
  return {
    is: samples.filter(({ value }) => value === 1).map(({ labels }) => labels.outcome ?? labels.step),
    failed: reading(families, 'energy_night_failed'),
    failures: reading(families, 'energy_night_failures'),
  };
}

/** Waits until the metrics show it: their snapshot is shared for a second. */
const expectSoon = (expected: object) => vi.waitFor(async () => expect(await nights()).toEqual(expected), 60_000);

const failing = () =>
  withNightlyLock(state.path, null, async (begin) => {
    const night = begin();
    night.step('fetch', 'export of 2026-03-14');
    night.end({ outcome: 'failed', failedStep: 'build', message: 'The disk is full', exitCode: 1 });
  });

const good = (outcome: 'published' | 'nothing new') =>
  withNightlyLock(state.path, null, async (begin) =>
    begin().end({ outcome, failedStep: null, message: 'done', exitCode: 0 }),
  );

test('contain no nights before the first', async () => {
  await expectSoon({ is: [], failed: undefined, failures: undefined });
});

test('each outcome, with start and end', async () => {
  for (const outcome of ['published', 'nothing new'] as const) {
    await good(outcome);
    await expectSoon({ is: [outcome.replace(' ', '_')], failed: 0, failures: 0 });
  }
  const families = await scrape();
  const [began, ended] = ['started', 'ended'].map(
    (name) => reading(families, `energy_night_${name}_timestamp_seconds`)!,
  );
  expect(ended).toBeGreaterThanOrEqual(began!);
  expect(Math.abs(Date.now() / 1000 - began!)).toBeLessThan(3600);
});

test('a night that failed, with its step, and how many did in a row', async () => {
  await good('published');
  await failing();
  await failing();
  await expectSoon({ is: ['failed', 'build'], failed: 1, failures: 2 });
});

test('a night is no longer failed once a version has been published', async () => {
  await failing();
  await expectSoon({ is: ['failed', 'build'], failed: 1, failures: 1 });
  publish(warehouse.path, FIXTURE_VERSION, 'build', new Date());
  await expectSoon({ is: ['failed', 'build'], failed: 0, failures: 1 });
});

test('a running night, and a killed one', async () => {
  await withNightlyLock(state.path, null, async (begin) => {
    begin().step('fetch', 'export of 2026-03-14');
    await expectSoon({ is: ['running'], failed: 0, failures: 0 });
  });
  await expectSoon({ is: ['failed', 'build'], failed: 1, failures: 1 });
  expect(reading(await scrape(), 'energy_night_ended_timestamp_seconds')).toBeUndefined();
});

test('a record that cannot be read is a failure, and does not affect health', async () => {
  writeFileSync(record, 'no record');
  await expectSoon({ is: [], failed: 1, failures: undefined });
  expect((await service.get('/v1/health')).json.data.dependencies.search).toBe('ok');
});
