import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readReport } from '../../../ingest/run/build-report.ts';
import { silentProgress } from '../../../ingest/run/progress.ts';
import { publishRegister } from '../../support/built.ts';
import { serverTarget } from '../../support/clickhouse.ts';
import { type Bridge, openBridge } from '../../support/clickhouse-bridge.ts';
import { folderOfTests } from '../../support/exports.ts';
import { temporaryFolder } from '../../support/fixture.ts';
import { type OwnSubject, serve } from '../../support/service.ts';
import { readExposition, reading } from './exposition.ts';

/** A service that reads from ClickHouse, on a machine that has built nothing, has metrics of versions and builds all the same. */

const PREFIX = 'energy_metrics';
const folder = folderOfTests();
const state = temporaryFolder();
const warehouse = join(folder.path, 'warehouse');
let bridge: Bridge;
let service: OwnSubject;
let version: string;

beforeAll(async () => {
  await publishRegister(warehouse);
  const published = await serverTarget(warehouse, PREFIX);
  version = (await published.versions())[0]!.id;
  await published.load(version, { folder: join(folder.path, 'work'), memoryMb: 300, progress: silentProgress });
  await published.publish(version, 'build');
  await published.close();
  bridge = await openBridge();
  service = await serve(warehouse, {
    WAREHOUSE_URL: bridge.url(PREFIX, 'energy_reader'),
    STATE_DIR: state.path,
    METRICS_PORT: '0',
  });
});

afterAll(async () => {
  await service?.stop();
  await bridge?.close();
  state.remove();
  folder.remove();
});

const scrape = async () => readExposition(await (await fetch(service.metricsUrl!)).text());

test('show the report of the build', async () => {
  const report = readReport(warehouse, version)!;
  const families = await scrape();
  expect(existsSync(join(state.path, 'warehouse'))).toBe(false);
  expect(reading(families, 'energy_dataset_versions_kept')).toBe(1);
  expect(reading(families, 'energy_build_published')).toBe(1);
  expect(reading(families, 'energy_build_failed_checks')).toBe(0);
  expect(reading(families, 'energy_build_duration_seconds')).toBe(report.seconds);
  for (const [carrier, units] of Object.entries(report.units)) {
    expect(reading(families, 'energy_build_units', { carrier })).toBe(units);
  }
  expect(Object.keys(report.befunde).length).toBeGreaterThan(0);
  for (const [finding, count] of Object.entries(report.befunde)) {
    expect(reading(families, 'energy_build_findings', { finding })).toBe(count);
  }
  expect(Math.abs(Date.now() / 1000 - reading(families, 'energy_build_timestamp_seconds')!)).toBeLessThan(3600);
});

test('metrics of a server that does not answer are absent, and no others', async () => {
  await expect.poll(async () => reading(await scrape(), 'energy_dataset_versions_kept')).toBe(1);
  bridge.outcomeOf = ({ query }) => (query.includes('system.tables') ? 'refused' : 'answered');
  await expect.poll(async () => reading(await scrape(), 'energy_dataset_versions_kept')).toBeUndefined();
  const families = await scrape();
  expect(families.get('energy_build_units')!.samples).toEqual([]);
  expect(reading(families, 'energy_dataset_age_seconds')).toBeGreaterThan(-86_400);
  bridge.outcomeOf = () => 'answered';
  await expect.poll(async () => reading(await scrape(), 'energy_dataset_versions_kept')).toBe(1);
});
