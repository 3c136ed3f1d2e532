import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clickhouseTarget } from '../../../ingest/publication/clickhouse.ts';
import { silentProgress } from '../../../ingest/run/progress.ts';
import type { RetryPolicy } from '../../../ingest/run/retry.ts';
import { clickhouseAddress } from '../../../runtime/clickhouse-address.ts';
import { ONE_SERVER } from '../../../sql/warehouse/clickhouse/placement.ts';
import { listVersions } from '../../../sql/warehouse/versions.ts';
import { publishRegister } from '../../support/built.ts';
import { drawn } from '../../support/cases.ts';
import { administratorClient, bothAnswers, databasesOf } from '../../support/clickhouse.ts';
import { type Bridge, type Outcome, openBridge } from '../../support/clickhouse-bridge.ts';
import { ingestHere } from '../../support/command.ts';
import { folderOfTests, generateExport } from '../../support/exports.ts';

/** Loads over HTTP whose connections break. Whatever happens on the way, what is published holds every row once. */

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');
const client = await administratorClient();
let bridge: Bridge;
let version: string;
let source: string;

beforeAll(async () => {
  source = await generateExport(folder.path, '2026-11-01');
  await publishRegister(warehouse);
  version = listVersions(warehouse)[0]!.id;
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

const QUICK: RetryPolicy = { firstPauseMs: 1, longestPauseMs: 20, maxElapsedMs: 60_000 };

/** Loads the version into databases of its own and publishes it. */
async function load(prefix: string, policy = QUICK): Promise<string[]> {
  const notes: string[] = [];
  const progress = { ...silentProgress, note: (text: string) => void notes.push(text) };
  const address = clickhouseAddress(bridge.url(prefix));
  const published = clickhouseTarget(warehouse, { address, placement: ONE_SERVER, policy });
  try {
    await published.load(version, { folder: join(folder.path, 'work'), memoryMb: 300, progress });
    await published.publish(version, 'build');
    expect(await published.publications()).toHaveLength(1);
    return notes;
  } finally {
    await published.close();
  }
}

async function expectWhole(prefix: string): Promise<void> {
  const { here, there } = await bothAnswers(client, warehouse, prefix, version);
  expect(there).toEqual(here);
}

const inserts = () => bridge.requests.filter(({ isInsert }) => isInsert);
const blockOf =
  (table: string) =>
  ({ token }: { token: string | null }) =>
    token === `${version}/${table}/0`;

/** The first attempts at the first block of each table end so; the next one is answered. */
function failing(outcomes: Readonly<Record<string, readonly Outcome[]>>): void {
  const attempts = new Map<string, number>();
  bridge.outcomeOf = (request) => {
    const table = Object.keys(outcomes).find((name) => blockOf(name)(request));
    if (table === undefined) return 'answered';
    const attempt = attempts.get(table) ?? 0;
    attempts.set(table, attempt + 1);
    return outcomes[table]?.[attempt] ?? 'answered';
  };
}

describe('blocks that fail at first', () => {
  const cuts = [0, 1, 4, 1000, 16_384, 65_536, 100_000].map((cutAfterBytes) => ({ cutAfterBytes }));
  const lost = ['lost', 'lost'] as const;
  const refusals = ['refused', 'exception', 'refused'] as const;
  let notes: string[];
  let sent: ReturnType<typeof inserts>;

  beforeAll(async () => {
    bridge.requests.length = 0;
    failing({ units: [...cuts, ...lost], suchtexte: refusals });
    notes = await load('energy_failing');
    sent = inserts();
  });

  test('a block whose connection breaks after any number of bytes is sent again', () => {
    expect(notes[0]).toMatch(/^ClickHouse at http:\/\/127\.0\.0\.1:\d+, databases energy_failing: .+; asking again$/);
    expect(notes.join()).not.toContain('geheim');
    expect(sent.filter(blockOf('units'))).toHaveLength(cuts.length + lost.length + 1);
  });

  test('temporary refusals are retried: a proxy without a server, memory in use, reported after a 200', () => {
    expect(notes).toHaveLength(cuts.length + lost.length + refusals.length);
    expect(sent.filter(blockOf('suchtexte'))).toHaveLength(refusals.length + 1);
  });

  test('a block that arrived although no answer came is not kept twice, nor counted twice by a view', () =>
    expectWhole('energy_failing'));
});

/** Each takes a load or two, and proves another way in which one goes on. */
const TROUBLES = drawn(['lost answers', 'a restart', 'a server that is gone'], 1);
const troubled = (by: string) => test.runIf(TROUBLES.includes(by));

troubled('lost answers')('an answer may be lost at any request of a load', async () => {
  // Every kind of statement comes this way: tables, blocks, comparisons, the report, the row that completes it, the pointer.
  const seen = new Set<string>();
  bridge.outcomeOf = ({ query, token }) => {
    const kind = token ?? query.replace(/^(?:--.*\n)+/, '').slice(0, 10);
    if (seen.has(kind)) return 'answered';
    seen.add(kind);
    return 'lost';
  };
  await load('energy_everywhere', { ...QUICK, maxElapsedMs: 200_000 });
  expect(seen.size).toBeGreaterThan(12);
  await expectWhole('energy_everywhere');
});

troubled('a restart')(
  'a server that restarts in the middle is waited for, and the load goes on with the block that was not answered',
  async () => {
    let restarted = false;
    bridge.outcomeOf = (asked) => {
      if (!blockOf('marktakteure')(asked) || restarted) return 'answered';
      restarted = true;
      void bridge.restart(300);
      return 'lost';
    };
    const notes = await load('energy_restarted');
    expect(notes.length).toBeGreaterThan(0);
    expect(inserts().filter(blockOf('units'))).toHaveLength(1);
    await expectWhole('energy_restarted');
  },
);

describe('a server that does not come back', () => {
  troubled('a server that is gone')(
    'ends the load with a remedy; nothing is published, and the next load starts over',
    async () => {
      bridge.outcomeOf = (asked) => (blockOf('regionen')(asked) ? 'refused' : 'answered');
      await expect(load('energy_away', { ...QUICK, maxElapsedMs: 50 })).rejects.toThrow(
        /^ClickHouse at .* does not answer: /,
      );
      expect(await databasesOf(client, 'energy_away')).toEqual(['energy_away', 'energy_away_v20261101_0001']);
      bridge.outcomeOf = () => 'answered';
      await load('energy_away');
      await expectWhole('energy_away');
    },
  );
});

test('the command line sends nothing twice while no connection breaks; it builds, publishes, lists, goes back and prunes through HTTP', async () => {
  const state = join(folder.path, 'state');
  const settings = { WAREHOUSE_URL: bridge.url('energy_commands'), STATE_DIR: state };
  const run = (...words: string[]) => ingestHere(state, words, settings);
  expect((await run('status')).out).toMatch(/^Nothing is served yet\./);
  const built = await run('build', source);
  expect(built, built.err).toMatchObject({ code: 0 });
  expect(built.out).toMatch(/\nPublished 20261101-0001\n$/);
  expect(built.err).toContain('ClickHouse: check');
  // Nothing is sent twice while no connection breaks.
  expect(built.err).not.toContain('asking again');
  const tokens = inserts().map(({ token }) => token);
  expect(new Set(tokens).size).toBe(tokens.length);
  expect(tokens.at(-1)).toBe('publication/1/20261101-0001');
  expect(tokens.at(-2)).toBe('20261101-0001/dataset/0');
  const { here, there } = await bothAnswers(client, warehouse, 'energy_commands', '20261101-0001');
  expect(there).toEqual(here);
  expect((await run('build', source)).code).toBe(0);
  expect((await run('versions')).out).toMatch(/^ {2}20261101-0001 .* published .*\n\* 20261101-0002 .* published /);
  expect((await run('rollback')).out).toBe('Serving 20261101-0001 again (was 20261101-0002)\n');
  expect((await run('status')).out).toMatch(
    /^Served: 20261101-0001, .* by rollback\nIt was built from nothing\n.*\n2 versions in ClickHouse at http/,
  );
  expect((await run('report')).out).toMatch(/^Version 20261101-0001 from /);
  expect((await run('ensure')).out).toBe('');
  expect((await run('prune', '--keep', '1')).out).toBe('Nothing to remove\n');
});

test('a warehouse moves to ClickHouse: the newest version is published there first, and brings its history', async () => {
  const state = join(folder.path, 'moving');
  const there = { STATE_DIR: state, WAREHOUSE_URL: bridge.url('energy_moving') };
  const run = (settings: Record<string, string>, ...words: string[]) =>
    ingestHere(join(state, 'warehouse'), words, settings);
  await publishRegister(join(state, 'warehouse'));
  const refused = await run(there, 'build', source);
  expect(refused.code).toBe(5);
  expect(refused.err).toMatch(
    /has 20261101-0001, whose history this build would forget\. Serve it first: .* publish 20261101-0001/,
  );
  expect((await run(there, 'publish', '20261101-0001')).out).toBe('Published 20261101-0001\n');
  expect((await run(there, 'build', source)).out).toMatch(/\nPublished 20261101-0002\n$/);
  expect((await run(there, 'versions')).out).toMatch(/20261101-0001 .*\n.*20261101-0002 /);
});

test('an unreachable server is reported, without the password', async () => {
  const { code, err } = await ingestHere(join(folder.path, 'none'), ['status'], {
    WAREHOUSE_URL: 'clickhouse://loader:secret@127.0.0.1:1/energy',
  });
  expect(code).toBe(1);
  expect(err).toMatch(/^ClickHouse at http:\/\/127\.0\.0\.1:1, databases energy does not answer: .*ECONNREFUSED/);
  expect(err).not.toContain('secret');
});
