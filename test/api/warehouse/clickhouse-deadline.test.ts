import type { ClickHouseClient } from '@clickhouse/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { StatementSender } from '../../../api/warehouse/clickhouse/sender.ts';
import { ANSWER_SECONDS, openClickhouseVersion } from '../../../api/warehouse/clickhouse/version.ts';
import { rowFields } from '../../../sql/warehouse/clickhouse/rows.ts';

/** Statements to a server that hangs. They wait behind each other for a connection. */

const CONNECTIONS = 2;
const LIMITS = { threads: 1, memoryMb: 100 };
const TAG = { operation: 'units.list', request: null, trace: null };
const METER = { statementEnded: () => {}, unitsRead: () => {} };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server that answers what is asked when a version is opened, and then nothing more until its requests are given up. */
function hangingServer() {
  const sent: AbortSignal[] = [];
  const query = async ({ query: text }: { query: string }) => ({ json: async () => opening(text) });
  const sender: StatementSender = {
    query(_statement, _settings, signal) {
      sent.push(signal);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
    close: () => {},
  };
  return { sent, client: { query, close: async () => {} } as unknown as ClickHouseClient, sender };
}

const opening = (text: string): object[] =>
  text.startsWith('DESCRIBE') ? [{ name: 'zeile', comment: rowFields([]) }] : [];

test('all of them end in time, however many wait, and what they have begun is given up', async () => {
  const { sent, client, sender } = hangingServer();
  const version = await openClickhouseVersion(client, sender, LIMITS, METER, CONNECTIONS);
  const reader = version.reader(TAG);
  const ask = () => reader.query(z.unknown(), { text: 'SELECT 1', values: {} }).catch((error: unknown) => error);
  let ended = 0;
  const answers = Array.from({ length: 5 * CONNECTIONS }, () => ask().finally(() => ended++));
  await vi.advanceTimersByTimeAsync((ANSWER_SECONDS - 1) * 1000);
  expect({ ended, sent: sent.length, ...version.connections() }).toEqual({
    ...{ ended: 0, sent: CONNECTIONS, busy: CONNECTIONS, idle: 0, waiting: 4 * CONNECTIONS },
  });
  await vi.advanceTimersByTimeAsync(1000);
  for (const error of await Promise.all(answers)) expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(sent.filter(({ aborted }) => !aborted)).toEqual([]);
  await vi.advanceTimersByTimeAsync(0);
  expect(version.connections()).toEqual({ busy: 0, idle: CONNECTIONS, waiting: 0 });
  version.close();
});
