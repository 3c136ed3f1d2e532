import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { retryServerRequest, ServerFailed } from '../../../ingest/load/retry-request.ts';

const POLICY = { firstPauseMs: 1, longestPauseMs: 1, maxFailures: 3 };

async function attempts(fail: () => unknown) {
  let count = 0;
  const attempt = async () => {
    count++;
    return fail();
  };
  const work = retryServerRequest('ClickHouse', attempt, POLICY);
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { count, error };
}

test('a server that does not answer is asked again', async () => {
  const { count, error } = await attempts(() => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', address: '127.0.0.1' });
  });
  expect(count).toBe(3);
  expect(error).toBeInstanceOf(ServerFailed);
});

test('a file of this machine that is missing is no failure of the server', async () => {
  const { count, error } = await attempts(() => readFileSync('/nonexistent/publications.sql'));
  expect(count).toBe(1);
  expect(error).toMatchObject({ code: 'ENOENT' });
});

test('nor is a full disk', async () => {
  const { count, error } = await attempts(() => {
    throw Object.assign(new Error('write'), { code: 'ENOSPC' });
  });
  expect(count).toBe(1);
  expect(error).toMatchObject({ code: 'ENOSPC' });
});

test.each([
  ['279', 'All connection tries failed'],
  ['745', 'Server is overloaded'],
  ['203', 'No free connection'],
  ['439', 'Cannot schedule a task'],
  ['425', 'System error'],
  ['201', 'Quota exceeded'],
])('an error of the server that passes is asked again: %s, %s', async (code, message) => {
  const { count, error } = await attempts(() => {
    throw Object.assign(new Error(message), { code });
  });
  expect(count).toBe(3);
  expect(error).toMatchObject({ message: `ClickHouse does not answer: ${message}` });
});

test('a statement that the server refuses is not asked again', async () => {
  const { count, error } = await attempts(() => {
    throw Object.assign(new Error('Unknown table'), { code: '60' });
  });
  expect(count).toBe(1);
  expect(error).toMatchObject({ message: 'ClickHouse refused: Unknown table' });
});

test.each([
  ['516', 'Authentication failed', /refused: Authentication failed\.\nCheck user and password in WAREHOUSE_URL/],
  ['497', 'Not enough privileges. ', /refused: Not enough privileges\.\n.* the loading user .*users\.sql/],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND db', /does not answer: getaddrinfo ENOTFOUND db\.\nCheck host and port/],
  ['EPROTO', 'write EPROTO wrong version', /does not answer: write EPROTO wrong version\.\nclickhouses:\/\//],
])('what can be done about it follows: %s', async (code, message, expected) => {
  const { error } = await attempts(() => {
    throw Object.assign(new Error(message), { code });
  });
  expect((error as Error).message).toMatch(expected);
});
