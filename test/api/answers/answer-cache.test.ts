import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { type AnswerMeter, answerCache, type KeptAnswer, KeptBody } from '../../../api/answers/answer-cache.ts';
import type { Publication } from '../../../sql/warehouse/versions.ts';

/** Answers are kept while their version is served, within bounds, and made once for all who ask at the same time. */

const publicationOf = (version: string): Publication => ({
  version,
  sequence: 1,
  exportDay: '2026-11-01',
  publishedAt: '2026-11-02T00:00:00.000Z',
  cause: 'build',
});

const FIRST = publicationOf('20261101-0001');
const SECOND = publicationOf('20261102-0002');

let served: Publication | null;
let seen: Record<'evicted' | Parameters<AnswerMeter['answerSought']>[0], number>;
beforeEach(() => {
  served = FIRST;
  seen = { hit: 0, joined: 0, miss: 0, evicted: 0 };
});

const meter: AnswerMeter = {
  answerSought(outcome) {
    seen[outcome] += 1;
  },
  answerEvicted() {
    seen.evicted += 1;
  },
};

const open = (bytes: number) => answerCache(bytes, meter, () => served);

const answerWith = (body: string | Buffer): KeptAnswer => ({
  status: undefined,
  headers: {},
  media: 'application/json',
  rowCount: null,
  page: undefined,
  body: new KeptBody(body),
});

const question = (key: string, publication = FIRST) => ({ publication, key, maker: `operation ${key}` });

/** An answer that is made when the test says so. */
function slow(body: string) {
  const { promise, resolve, reject } = Promise.withResolvers<KeptAnswer>();
  return { make: () => promise, finish: () => resolve(answerWith(body)), fail: reject };
}

const never = (): never => {
  throw new Error('The answer was kept, so nobody makes it');
};

const textOf = async (answer: Promise<KeptAnswer>) => (await answer).body.bytes().toString();

const KB = 1024;

test('an answer is made once, and given again', async () => {
  const cache = open(64 * KB);
  expect(await textOf(cache.answer(question('a'), async () => answerWith('größe')))).toBe('größe');
  expect(await textOf(cache.answer(question('a'), never))).toBe('größe');
  expect(seen).toEqual({ hit: 1, joined: 0, miss: 1, evicted: 0 });
});

test('whoever asks while an answer is made gets that one', async () => {
  const cache = open(64 * KB);
  const { make, finish } = slow('one');
  const asked = [
    cache.answer(question('a'), make),
    cache.answer(question('a'), never),
    cache.answer(question('b'), async () => answerWith('other')),
  ];
  finish();
  expect(await Promise.all(asked.map(textOf))).toEqual(['one', 'one', 'other']);
  expect(seen).toMatchObject({ hit: 0, joined: 1, miss: 2 });
});

test('the same answer made by another operation is not waited for, since its refusal would read differently', async () => {
  const cache = open(64 * KB);
  const { make, fail } = slow('');
  const refused = cache.answer({ ...question('a'), maker: 'one' }, make);
  const other = cache.answer({ ...question('a'), maker: 'another' }, async () => answerWith('fine'));
  fail(new Error('refused'));
  await expect(refused).rejects.toThrow('refused');
  expect(await textOf(other)).toBe('fine');
});

test('a failure is that of all who waited, and the next one asks anew', async () => {
  const cache = open(64 * KB);
  const { make, fail } = slow('');
  const asked = [cache.answer(question('a'), make), cache.answer(question('a'), never)];
  fail(new Error('too much to do'));
  for (const one of asked) await expect(one).rejects.toThrow('too much to do');
  expect(cache.size().answers).toBe(0);
  expect(await textOf(cache.answer(question('a'), async () => answerWith('now')))).toBe('now');
});

test('answers stay within their bytes; the one read longest ago makes room', async () => {
  const cache = open(64 * KB);
  const sixKb = randomBytes(6 * KB);
  for (let key = 0; key < 9; key++) await cache.answer(question(String(key)), async () => answerWith(sixKb));
  expect(seen.evicted).toBe(0);
  await cache.answer(question('0'), never);
  await cache.answer(question('new'), async () => answerWith(sixKb));
  expect(seen.evicted).toBe(1);
  expect(cache.size().bytes).toBeLessThanOrEqual(64 * KB);
  await cache.answer(question('0'), never);
  expect(await textOf(cache.answer(question('1'), async () => answerWith('made again')))).toBe('made again');
});

test('what is kept is packed, so many times its room is kept, and comes back byte for byte', async () => {
  const cache = open(64 * KB);
  const bodies = Array.from({ length: 20 }, (_, key) => `{"größe":[${`{"unit":${key}},`.repeat(2000)}]}`);
  for (const [key, body] of bodies.entries()) {
    expect(await textOf(cache.answer(question(String(key)), async () => answerWith(body)))).toBe(body);
  }
  await setImmediate();
  expect(seen.evicted).toBe(0);
  expect(cache.size().bytes).toBeLessThan(32 * KB);
  for (const [key, body] of bodies.entries()) {
    expect(await textOf(cache.answer(question(String(key)), never))).toBe(body);
  }
});

test('bodies that are too short or too long to be packed come back byte for byte, too', async () => {
  const cache = open(64 * KB * KB);
  const bodies = ['x'.repeat(1023), 'x'.repeat(4 * KB * KB + 1)];
  for (const [key, body] of bodies.entries()) await cache.answer(question(String(key)), async () => answerWith(body));
  await setImmediate();
  expect(cache.size().bytes).toBeGreaterThan(4 * KB * KB);
  for (const [key, body] of bodies.entries()) {
    expect((await textOf(cache.answer(question(String(key)), never))) === body).toBe(true);
  }
});

test('an answer that would displace most others is not kept', async () => {
  const cache = open(64 * KB);
  await cache.answer(question('small'), async () => answerWith('x'));
  await cache.answer(question('large'), async () => answerWith(randomBytes(8 * KB)));
  expect(cache.size().answers).toBe(1);
  await cache.answer(question('small'), never);
});

test('codings count as bytes, are made once, and are not kept when there was no time to make them', async () => {
  const cache = open(64 * KB);
  const { body } = await cache.answer(question('a'), async () => answerWith('plain'));
  const before = cache.size().bytes;
  expect(await body.encoded('gzip', async () => null)).toBe(null);
  const once = Promise.resolve(Buffer.alloc(2000));
  let made = 0;
  const compress = () => {
    made += 1;
    return once;
  };
  const forms = await Promise.all([body.encoded('gzip', compress), body.encoded('gzip', compress)]);
  expect(forms).toEqual([await once, await once]);
  expect(await body.encoded('gzip', compress)).toBe(await once);
  expect(made).toBe(1);
  expect(cache.size().bytes).toBe(before + 2000);
  await body.encoded('br', async () => Buffer.alloc(8 * KB));
  expect(cache.size()).toEqual({ answers: 0, bytes: 0 });
});

test('the answers of a version go when another one is served', async () => {
  const cache = open(64 * KB);
  await cache.answer(question('a'), async () => answerWith('old'));
  served = SECOND;
  expect(cache.size()).toEqual({ answers: 0, bytes: 0 });
  expect(await textOf(cache.answer(question('a', SECOND), async () => answerWith('new')))).toBe('new');
  expect(seen.evicted).toBe(0);
});

test('a request that began before the version was replaced reads its own version and leaves nothing behind', async () => {
  const cache = open(64 * KB);
  const { make, finish } = slow('old');
  const begun = cache.answer(question('a'), make);
  served = SECOND;
  await cache.answer(question('b', SECOND), async () => answerWith('new'));
  finish();
  expect(await textOf(begun)).toBe('old');
  expect(await textOf(cache.answer(question('c'), async () => answerWith('late')))).toBe('late');
  expect(cache.size().answers).toBe(1);
});

test('without room nothing is kept', async () => {
  const cache = open(0);
  expect(cache.isOn).toBe(false);
  await cache.answer(question('a'), async () => answerWith('x'));
  expect(await textOf(cache.answer(question('a'), async () => answerWith('y')))).toBe('y');
});
