import { describe, expect, it } from 'vitest';
import { mustSuitWorkers, shareOf } from '../../../api/processes/share.ts';
import { readSettings } from '../../../runtime/settings.ts';
import { poolSizes } from '../../../sql/org/postgres.ts';

const settings = (environment: Record<string, string>) =>
  readSettings({ ORG_STORE_URL: 'postgres://u@host/db', METRICS_PORT: '9464', ...environment });

describe('settings of several processes', () => {
  it('are refused over a store that belongs to one process', () => {
    expect(() => mustSuitWorkers(settings({ WORKERS: '2', ORG_STORE_URL: 'pglite:/somewhere' }))).toThrow(
      /^WORKERS=2 needs the organisations on a Postgres server: .* Set ORG_STORE_URL=postgres:/,
    );
    expect(() => mustSuitWorkers(settings({ WORKERS: '1', ORG_STORE_URL: 'pglite:/somewhere' }))).not.toThrow();
  });

  it('are refused when each would have too little memory', () => {
    expect(() => mustSuitWorkers(settings({ WORKERS: '4', QUERY_MEMORY_MB: '200' }))).toThrow(
      'set it to at least 256, or WORKERS to at most 3',
    );
  });

  it('share out threads, memory and connections; the first process reads the metrics', () => {
    const all = { QUERY_THREADS: '7', QUERY_MEMORY_MB: '1000', MAX_CONNECTIONS: '100' };
    expect(shareOf(settings({ WORKERS: '3', ...all }))).toMatchObject({
      QUERY_THREADS: 2,
      QUERY_MEMORY_MB: 333,
      MAX_CONNECTIONS: 34,
      METRICS_PORT: null,
    });
    expect(shareOf(settings({ WORKERS: '8', ...all })).QUERY_THREADS).toBe(1);
  });

  it('leave the limits of statements on a ClickHouse server as they are', () => {
    const server = { WAREHOUSE_URL: 'clickhouse://u:p@host:8123/energy', QUERY_THREADS: '4', QUERY_MEMORY_MB: '100' };
    const all = settings({ WORKERS: '4', ...server });
    expect(() => mustSuitWorkers(all)).not.toThrow();
    expect(shareOf(all)).toMatchObject({ QUERY_THREADS: 4, QUERY_MEMORY_MB: 100 });
  });
});

describe('pools of connections to Postgres', () => {
  it.each([
    [97, 1, { transactions: 10, quick: 4 }],
    [97, 6, { transactions: 10, quick: 4 }],
    [97, 8, { transactions: 8, quick: 3 }],
    [97, 30, { transactions: 2, quick: 1 }],
    [97, 31, null],
  ])('of %i connections, for %i processes', (allowed, processes, sizes) => {
    expect(poolSizes(allowed, processes)).toEqual(sizes);
  });

  it('leave some connections, however many processes there are', () => {
    for (let allowed = 0; allowed < 400; allowed++) {
      for (let processes = 1; processes <= 64; processes++) {
        const sizes = poolSizes(allowed, processes);
        if (sizes === null) continue;
        expect(Math.min(sizes.transactions, sizes.quick)).toBeGreaterThan(0);
        expect((sizes.transactions + sizes.quick) * processes).toBeLessThanOrEqual(allowed - 5);
      }
    }
  });
});
