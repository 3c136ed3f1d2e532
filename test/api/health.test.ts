import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { healthProbe } from '../../api/health/probe.ts';
import type { Dataset, Warehouse } from '../../api/warehouse/warehouse.ts';
import { nightAlone } from '../../sql/nights.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const log = pino({ level: 'silent' });

/** A folder without a record of nights. */
const NO_NIGHTS = join(tmpdir(), 'no-such-folder');

const store = { quick: async () => [{}] as never[] };

/** A warehouse whose version answers as told, counting probes and versions not given back. */
function warehouseThat(query: () => Promise<unknown[]>, publications: readonly object[] = []) {
  const counts = { probes: 0, held: 0 };
  const warehouse: Warehouse = {
    take() {
      counts.held += 1;
      const release = () => {
        counts.held -= 1;
      };
      const dataset = {
        query() {
          counts.probes += 1;
          return query();
        },
        publications,
        release,
      };
      return dataset as unknown as Dataset;
    },
    served: () => null,
    connections: () => ({ busy: 0, idle: 0, waiting: 0 }),
    upToDate: () => true,
    kept: async () => [],
    report: async () => null,
    close: () => {},
  };
  return { warehouse, counts };
}

test('one probe at a time, and one in five seconds, however many ask', async () => {
  const { warehouse, counts } = warehouseThat(async () => [{}]);
  const probe = healthProbe(warehouse, store, NO_NIGHTS, log);
  const seen = await Promise.all([probe(), probe(), probe()]);
  expect(new Set(seen).size).toBe(1);
  expect(seen[0]).toMatchObject({ status: 'ok', dependencies: { database: 'ok', search: 'ok' } });
  await vi.advanceTimersByTimeAsync(4_900);
  await probe();
  expect(counts.probes).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  await probe();
  expect(counts).toEqual({ probes: 2, held: 0 });
});

test('an error is degraded, and so is silence', async () => {
  const broken = warehouseThat(() => Promise.reject(new Error('disk')));
  expect(await healthProbe(broken.warehouse, store, NO_NIGHTS, log)()).toMatchObject({ status: 'degraded' });
  const silent = warehouseThat(() => new Promise(() => {}));
  const answer = healthProbe(silent.warehouse, store, NO_NIGHTS, log)();
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await answer).dependencies).toEqual({ database: 'ok', search: 'degraded' });
});

test('a store that does not answer is a degraded database', async () => {
  const { warehouse } = warehouseThat(async () => [{}]);
  const gone = { quick: () => Promise.reject(new Error('gone')) };
  const { status, dependencies } = await healthProbe(warehouse, gone, NO_NIGHTS, log)();
  expect([status, dependencies]).toEqual(['degraded', { database: 'degraded', search: 'ok' }]);
});

/** A state folder whose last night has ended so. */
async function stateAfter(outcome: 'nothing new' | 'failed', onTestFinished: (then: () => void) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'nights-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const failed = outcome === 'failed';
  await nightAlone(folder, null, async (begin) =>
    begin().end({ outcome, failedStep: failed ? 'fetch' : null, message: '', exitCode: failed ? 1 : 0 }),
  );
  return folder;
}

const healthy = async () => [{}];

test('a failed night is degraded, but restricts nothing', async ({ onTestFinished }) => {
  const { warehouse, counts } = warehouseThat(healthy);
  const folder = await stateAfter('failed', onTestFinished);
  expect(await healthProbe(warehouse, store, folder, log)()).toMatchObject({
    status: 'degraded',
    dependencies: { database: 'ok', search: 'degraded' },
    restricted: false,
  });
  expect(counts.held).toBe(0);
});

test('a good night is ok, and so is a failed one after which somebody built and published', async ({
  onTestFinished,
}) => {
  const probe = async (folder: string, publications: readonly object[]) =>
    (await healthProbe(warehouseThat(healthy, publications).warehouse, store, folder, log)()).status;
  expect(await probe(await stateAfter('nothing new', onTestFinished), [])).toBe('ok');
  const failed = await stateAfter('failed', onTestFinished);
  const later = { publishedAt: new Date(Date.now() + 1000).toISOString() };
  expect(await probe(failed, [{ ...later, cause: 'rollback' }])).toBe('degraded');
  expect(await probe(failed, [{ ...later, cause: 'build' }])).toBe('ok');
});

test('a record of nights that cannot be read is degraded, not ok', async ({ onTestFinished }) => {
  const folder = await stateAfter('nothing new', onTestFinished);
  writeFileSync(join(folder, 'nightly.json'), 'oops');
  const { warehouse } = warehouseThat(healthy);
  expect(await healthProbe(warehouse, store, folder, log)()).toMatchObject({ status: 'degraded', restricted: false });
});
