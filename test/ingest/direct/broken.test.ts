import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clickhouseTarget } from '../../../ingest/publication/clickhouse.ts';
import { silentProgress } from '../../../ingest/run/progress.ts';
import type { RetryPolicy } from '../../../ingest/run/retry.ts';
import { clickhouseAddress } from '../../../runtime/clickhouse-address.ts';
import { ONE_SERVER } from '../../../sql/warehouse/clickhouse/placement.ts';
import { publishRegister } from '../../support/built.ts';
import { drawn } from '../../support/cases.ts';
import { administratorClient, bothAnswers, databasesOf } from '../../support/clickhouse.ts';
import { type Bridge, type Outcome, openBridge } from '../../support/clickhouse-bridge.ts';
import { startClickHouse } from '../../support/clickhouse-server.ts';
import { ingestHere, startIngest } from '../../support/command.ts';
import { folderOfTests, generateDays } from '../../support/exports.ts';
import { buildIn } from '../../support/warehouse.ts';

/**
 * Builds straight in ClickHouse, whose connections break and whose processes die. Whatever happens on the way, what is published holds
 * every row once.
 */

const folder = folderOfTests();
const files = join(folder.path, 'files');
const client = await administratorClient();
const exports: string[] = [];
let bridge: Bridge;

beforeAll(async () => {
  exports.push(...(await generateDays(folder.path, 2)));
  await publishRegister(files, 1);
  bridge = await openBridge();
});

afterAll(async () => {
  await bridge.close();
  await client.close();
  folder.remove();
});

beforeEach(() => {
  bridge.outcomeOf = () => 'answered';
  bridge.requests.length = 0;
});

const QUICK: RetryPolicy = { firstPauseMs: 1, longestPauseMs: 20, maxElapsedMs: 200_000 };

/** Builds both days; the connection misbehaves during the second, a night that goes on from the first. */
async function twoDays(prefix: string, outcomeOf: Bridge['outcomeOf'], policy = QUICK): Promise<string[]> {
  const notes: string[] = [];
  const progress = { ...silentProgress, note: (text: string) => void notes.push(text) };
  const warehouse = join(folder.path, prefix, 'warehouse');
  const target = clickhouseTarget(warehouse, {
    address: clickhouseAddress(bridge.url(prefix)),
    placement: ONE_SERVER,
    policy,
  });
  try {
    for (const [day, source] of exports.entries()) {
      if (day === 1) bridge.outcomeOf = outcomeOf;
      const { report } = await buildIn(warehouse, source, { target, force: true, keep: 9, progress });
      if (day === 1) expect(report.madeFrom).toMatchObject({ version: '20261101-0001', reason: null });
    }
    return notes;
  } finally {
    await target.close();
  }
}

async function expectWhole(prefix: string): Promise<void> {
  const { here, there } = await bothAnswers(client, files, prefix, '20261102-0002');
  expect(there).toEqual(here);
}

const FAULTS = drawn(['lost answers', 'cut blocks', 'a restart', 'refusals'], 1);
/** What a build does not survive, or goes on after: a run tries two of three. */
const ENDS = drawn(['a server that stays away', 'the ingest', 'the server'], 2);
const faulty = (fault: string) => test.runIf(FAULTS.includes(fault) || ENDS.includes(fault));

faulty('lost answers')('an answer may be lost at any request of a build', async () => {
  const seen = new Set<string>();
  await twoDays('energy_straight_lost', ({ query, token }) => {
    const kind = token ?? query.replace(/^(?:--.*\n)+/, '').slice(0, 30);
    if (seen.has(kind)) return 'answered';
    seen.add(kind);
    return 'lost';
  });
  expect([...seen].filter((kind) => /\/units_(departed|ersetzt)\//.test(kind)).length).toBeGreaterThan(0);
  expect([...seen].some((kind) => kind.startsWith('20261102-0002/units/'))).toBe(true);
  await expectWhole('energy_straight_lost');
});

faulty('cut blocks')('a block whose connection breaks after any number of bytes is sent again', async () => {
  const cuts = [0, 1, 4, 1000, 16_384, 65_536].map((cutAfterBytes) => ({ cutAfterBytes }));
  const attempts = new Map<string, number>();
  const notes = await twoDays('energy_straight_cut', ({ token }): Outcome => {
    if (token === null || !/\/(units|foerderung|uebernommen)\//.test(token)) return 'answered';
    const attempt = attempts.get(token) ?? 0;
    attempts.set(token, attempt + 1);
    return cuts[attempt] ?? 'answered';
  });
  expect(attempts.size).toBeGreaterThan(2);
  expect(notes).toHaveLength(attempts.size * cuts.length);
  await expectWhole('energy_straight_cut');
});

faulty('refusals')('temporary refusals are waited for, also behind a 200', async () => {
  const attempts = new Map<string, number>();
  await twoDays('energy_straight_refused', ({ token }): Outcome => {
    if (token === null) return 'answered';
    const attempt = attempts.get(token) ?? 0;
    attempts.set(token, attempt + 1);
    return (['refused', 'exception'] as const)[attempt] ?? 'answered';
  });
  await expectWhole('energy_straight_refused');
});

faulty('a restart')('a proxy that restarts in the middle of a block is waited for', async () => {
  let restarted = false;
  await twoDays('energy_straight_restarted', ({ token }): Outcome => {
    if (restarted || token?.includes('/units/') !== true) return 'answered';
    restarted = true;
    void bridge.restart(300);
    return 'lost';
  });
  await expectWhole('energy_straight_restarted');
});

faulty('a server that stays away')(
  'a server that does not come back ends the build; nothing is published, and the next build starts over',
  async () => {
    const gone = twoDays(
      'energy_straight_away',
      ({ query }) => (query.startsWith('INSERT INTO regionen') ? 'refused' : 'answered'),
      { ...QUICK, maxElapsedMs: 50 },
    );
    await expect(gone).rejects.toThrow(/^ClickHouse at .* does not answer: /);
    bridge.outcomeOf = () => 'answered';
    const state = join(folder.path, 'energy_straight_away');
    const settings = { WAREHOUSE_URL: bridge.url('energy_straight_away') };
    const again = await ingestHere(state, ['build', exports[1]!, '--force'], settings);
    expect(again.out, again.err).toMatch(/\nPublished 20261102-0003/);
    expect(await databasesOf(client, 'energy_straight_away_')).toEqual([
      'energy_straight_away_v20261101_0001',
      'energy_straight_away_v20261102_0003',
    ]);
  },
);

describe('a process that dies', () => {
  faulty('the ingest')('the ingest, by kill -9 in the middle of units: the next build drops what it left', async () => {
    const sending = Promise.withResolvers<void>();
    bridge.outcomeOf = async ({ token }) => {
      if (token?.includes('/units/') !== true) return 'answered';
      sending.resolve();
      return 'lost';
    };
    const state = join(folder.path, 'process');
    const settings = { WAREHOUSE_URL: bridge.url('energy_straight_killed') };
    const child = startIngest(state, ['build', exports[0]!], settings);
    await sending.promise;
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await databasesOf(client, 'energy_straight_killed_')).toEqual(['energy_straight_killed_v20261101_0001']);

    bridge.outcomeOf = () => 'answered';
    const next = await ingestHere(state, ['build', exports[0]!], settings);
    expect(next.out, next.err).toMatch(/\nPublished 20261101-0002\n$/);
    expect(await databasesOf(client, 'energy_straight_killed_')).toEqual(['energy_straight_killed_v20261101_0002']);
  });

  faulty('the server')('the server, by kill -9 in the middle of units: the build goes on when it is back', async () => {
    const server = await startClickHouse(mkdtempSync(join(folder.path, 'server-')));
    try {
      const prefix = 'energy_straight_power';
      const target = clickhouseTarget(join(folder.path, prefix), {
        address: clickhouseAddress(server.warehouse('energy_loader', prefix)),
        placement: ONE_SERVER,
        policy: QUICK,
      });
      const stage = (name: string) => {
        // From here on units are sent.
        if (name === 'units') void server.restart();
      };
      const outcome = await buildIn(join(folder.path, prefix), exports[0]!, {
        target,
        progress: { ...silentProgress, stage },
      });
      await target.close();
      expect(outcome.publication?.version).toBe('20261101-0001');
      const units = Object.values(outcome.report.units).reduce((sum, count) => sum + count, 0);
      expect(await server.run(`SELECT count(), uniqExact(nummer) FROM ${prefix}_v20261101_0001.units`)).toBe(
        `${units}\t${units}\n`,
      );
    } finally {
      await server.stop();
    }
  });
});
