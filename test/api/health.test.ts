import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { healthProbe } from '../../api/health/probe.ts';
import type { Dataset, Warehouse } from '../../api/warehouse/warehouse.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const log = pino({ level: 'silent' });

const store = { quick: async () => [{}] as never[] };

/** A warehouse whose version answers as told, counting probes and versions not given back. */
function warehouseThat(query: () => Promise<unknown[]>) {
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
        release,
      };
      return dataset as unknown as Dataset;
    },
    served: () => null,
    connections: () => ({ busy: 0, idle: 0, waiting: 0 }),
    upToDate: () => true,
    close: () => {},
  };
  return { warehouse, counts };
}

test('one probe at a time, and one in five seconds, however many ask', async () => {
  const { warehouse, counts } = warehouseThat(async () => [{}]);
  const probe = healthProbe(warehouse, store, log);
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
  expect(await healthProbe(broken.warehouse, store, log)()).toMatchObject({ status: 'degraded' });
  const silent = warehouseThat(() => new Promise(() => {}));
  const answer = healthProbe(silent.warehouse, store, log)();
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await answer).dependencies).toEqual({ database: 'ok', search: 'degraded' });
});

test('a store that does not answer is a degraded database', async () => {
  const { warehouse } = warehouseThat(async () => [{}]);
  const gone = { quick: () => Promise.reject(new Error('gone')) };
  const { status, dependencies } = await healthProbe(warehouse, gone, log)();
  expect([status, dependencies]).toEqual(['degraded', { database: 'degraded', search: 'ok' }]);
});
