import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { healthProbe } from '../../../api/probe/health-probe.ts';
import type { Dataset, Warehouse } from '../../../api/warehouse/warehouse.ts';
import { type OrgStore, StoreUnavailable } from '../../../sql/org/store.ts';
import { NO_WAREHOUSE } from '../../support/no-warehouse.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const log = pino({ level: 'silent' });

/** The recorder of calls, as it is while the store takes what it gives it. */
const recorder = { succeeds: () => true };

const store = { autocommit: async () => [{}] as never[] };

/** A warehouse whose version answers as the test decides; it counts probes and versions that were not released. */
function warehouseThat(query: () => Promise<unknown[]>, publications: readonly object[] = []) {
  const counts = { probes: 0, held: 0 };
  const warehouse: Warehouse = {
    ...NO_WAREHOUSE,
    acquire() {
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
    upToDate: () => true,
  };
  return { warehouse, counts };
}

test('probes run one at a time, and one in five seconds, for any number of callers', async () => {
  const { warehouse, counts } = warehouseThat(async () => [{}]);
  const probe = healthProbe(warehouse, store, recorder, log);
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

test('an error or a timeout counts as degraded', async () => {
  const broken = warehouseThat(() => Promise.reject(new Error('disk')));
  expect(await healthProbe(broken.warehouse, store, recorder, log)()).toMatchObject({ status: 'degraded' });
  const silent = warehouseThat(() => new Promise(() => {}));
  const answer = healthProbe(silent.warehouse, store, recorder, log)();
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await answer).dependencies).toEqual({ database: 'ok', search: 'degraded' });
});

test('a store that does not answer is a degraded database', async () => {
  const { warehouse } = warehouseThat(async () => [{}]);
  const gone = { autocommit: () => Promise.reject(new Error('gone')) };
  const { status, dependencies } = await healthProbe(warehouse, gone, recorder, log)();
  expect([status, dependencies]).toEqual(['degraded', { database: 'degraded', search: 'ok' }]);
});

test('a store that can be read but not written is a degraded database, and ok again when it can be written', async () => {
  const { warehouse } = warehouseThat(async () => [{}]);
  let isFull = true;
  const full: Pick<OrgStore, 'autocommit'> = {
    async autocommit(_, { text }) {
      if (isFull && /INSERT|UPDATE/.test(text)) throw new StoreUnavailable('No space left on device');
      return store.autocommit();
    },
  };
  const probe = healthProbe(warehouse, full, recorder, log);
  expect((await probe()).dependencies).toEqual({ database: 'degraded', search: 'ok' });
  isFull = false;
  await vi.advanceTimersByTimeAsync(5_100);
  expect((await probe()).status).toBe('ok');
});

test('a recorder that could not write its last rows is a degraded database, even when a small write succeeds', async () => {
  const { warehouse } = warehouseThat(async () => [{}]);
  const probe = healthProbe(warehouse, store, { succeeds: () => false }, log);
  expect(await probe()).toMatchObject({ status: 'degraded', dependencies: { database: 'degraded', search: 'ok' } });
});
