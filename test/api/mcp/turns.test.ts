import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCaller } from '../../support/organisation.ts';
import { type OwnSubject, serveOwnFixture } from '../../support/service.ts';

/** One caller of /mcp cannot make others wait, whatever it sends; what tools ask counts in the windows of its key. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveOwnFixture({});
});
afterAll(() => service.stop());

async function send(key: string, method: string, params: object = {}, more: Record<string, string> = {}) {
  const response = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      'X-API-Key': key,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...more,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return { status: response.status, text: await response.text() };
}

/** More than run and wait. */
const AT_ONCE = 60;

test('a flood of messages holds up its own caller alone: another is answered meanwhile, and what is too much is refused', async () => {
  const [flooding, other] = [await makeCaller(service.store), await makeCaller(service.store)];
  const statuses = new Set<number>();
  let refusal = '';
  let isOver = false;
  const flood = Array.from({ length: AT_ONCE }, async () => {
    while (!isOver) {
      const { status, text } = await send(flooding, 'tools/list');
      statuses.add(status);
      if (status === 429) refusal = text;
    }
  });
  for (let call = 0; call < 5; call++) {
    expect((await send(other, 'tools/list')).status).toBe(200);
    const units = await fetch(`${service.url}/v1/units?limit=1`, { headers: { 'X-API-Key': other } });
    expect(units.status).toBe(200);
  }
  isOver = true;
  await Promise.all(flood);
  expect([...statuses].sort()).toEqual([200, 429]);
  expect(refusal).toContain('RATE_LIMITED');
  expect((await send(flooding, 'tools/list')).status).toBe(200);
});

test('what a tool asks counts in the window of the key, and a window that is used up is the answer', async () => {
  const key = await makeCaller(service.store, { limits: { expensive: 2 } });
  const count = () => send(key, 'tools/call', { name: 'count_units', arguments: { groupBy: 'bundesland' } });
  const answers = [await count(), await count(), await count()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers.map(({ text }) => text.includes('RATE_LIMITED'))).toEqual([false, false, true]);
  const direct = await fetch(`${service.url}/v1/aggregations?groupBy=plz`, { headers: { 'X-API-Key': key } });
  expect(direct.status).toBe(429);
});

test.each([
  ['https://evil.example', 403],
  ['null', 403],
  ['http://localhost.evil.example', 403],
  ['http://localhost:6274', 200],
  ['http://127.0.0.1', 200],
])('a page of %s gets %i', async (origin, expected) => {
  const { status, text } = await send(service.key, 'tools/list', {}, { Origin: origin });
  expect(status).toBe(expected);
  if (expected === 403) expect(JSON.parse(text).error.message).toContain('Origin');
});

test('whoever accepts JSON alone gets it, and whoever refuses it is told that there is nothing else', async () => {
  expect((await send(service.key, 'tools/list', {}, { Accept: 'application/json' })).status).toBe(200);
  const { status, text } = await send(service.key, 'tools/list', {}, { Accept: 'text/event-stream' });
  expect({ status, detail: JSON.parse(text).detail }).toEqual({
    status: 406,
    detail: 'The operation delivers application/json',
  });
});
