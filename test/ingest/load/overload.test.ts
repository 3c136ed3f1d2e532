import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clickhouseTarget } from '../../../ingest/publication/clickhouse.ts';
import { silentProgress } from '../../../ingest/run/progress.ts';
import { clickhouseAddress } from '../../../runtime/clickhouse-address.ts';
import { ONE_SERVER } from '../../../sql/warehouse/clickhouse/placement.ts';
import { listVersions } from '../../../sql/warehouse/versions.ts';
import { publishRegister } from '../../support/built.ts';
import { drawn } from '../../support/cases.ts';
import { administratorClient, bothAnswers } from '../../support/clickhouse.ts';
import { type Bridge, type Outcome, openBridge } from '../../support/clickhouse-bridge.ts';
import { folderOfTests } from '../../support/exports.ts';

/**
 * A server that has too much to do in the middle of a load: it refuses by itself, under the limits that a statement is given
 * here. The load waits and ends, and nothing is missing or twice.
 */

/** Another statement is always under way: this one. */
const TOO_MANY_QUERIES: Outcome = { under: { max_concurrent_queries_for_all_users: '1' } };

const memory = (bytes: number): Outcome => ({
  under: { max_memory_usage: String(bytes), max_untracked_memory: '1' },
});

/** A table that has one part already takes no more. */
const TOO_MANY_PARTS: Outcome = { under: { parts_to_throw_insert: '1', parts_to_delay_insert: '0' } };

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');
const client = await administratorClient();
let bridge: Bridge;
let version: string;

beforeAll(async () => {
  await publishRegister(warehouse);
  version = listVersions(warehouse)[0]!.id;
  bridge = await openBridge();
});

afterAll(async () => {
  await bridge.close();
  await client.close();
  folder.remove();
});

/** Loads and publishes the version, and returns the complaints of the server on the way. */
async function load(prefix: string): Promise<string[]> {
  const notes: string[] = [];
  const progress = { ...silentProgress, note: (text: string) => void notes.push(text) };
  const published = clickhouseTarget(warehouse, {
    address: clickhouseAddress(bridge.url(prefix)),
    placement: ONE_SERVER,
    policy: { firstPauseMs: 1, longestPauseMs: 20, maxElapsedMs: 200_000 },
  });
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

test('too many statements or too little memory at any request of a load', async () => {
  const seen = new Map<string, number>();
  const troubles = [TOO_MANY_QUERIES, memory(1)];
  bridge.outcomeOf = ({ query, token }) => {
    const kind = token ?? query.replace(/^(?:--.*\n)+/, '').slice(0, 10);
    const times = seen.get(kind) ?? 0;
    seen.set(kind, times + 1);
    return troubles[times] ?? 'answered';
  };
  const notes = (await load('energy_busy')).join('\n');
  expect(seen.size).toBeGreaterThan(12);
  expect(notes).toMatch(/: Too many simultaneous queries .*; asking again/);
  expect(notes).toMatch(/: .*memory limit exceeded.*; asking again/);
  await expectWhole('energy_busy');
});

/** Each takes a load: a run tries one. */
const ON_THE_WAY = drawn(['memory', 'parts'], 1);

test.runIf(ON_THE_WAY.includes('memory'))(
  'memory that ends while views are filled: what a block has left behind is neither lost nor kept twice',
  async () => {
    let limit = 12 * 2 ** 20;
    bridge.outcomeOf = ({ token }) => {
      if (token !== `${version}/units/0`) return 'answered';
      limit *= 1.5;
      return memory(Math.round(limit));
    };
    const notes = await load('energy_memory');
    expect(notes.filter((note) => note.includes('while pushing to view')).length).toBeGreaterThan(2);
    await expectWhole('energy_memory');
  },
);

test.runIf(ON_THE_WAY.includes('parts'))('too many parts, after a block whose answer was lost', async () => {
  const attempts: Outcome[] = ['lost', TOO_MANY_PARTS, TOO_MANY_PARTS];
  bridge.outcomeOf = ({ token }) => (token === `${version}/units/0` ? (attempts.shift() ?? 'answered') : 'answered');
  const notes = await load('energy_parts');
  expect(notes.filter((note) => /Too many parts .*; asking again$/.test(note))).toHaveLength(2);
  await expectWhole('energy_parts');
});
