import { request } from 'node:http';
import type * as Zlib from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { withKey } from '../support/requests.ts';
import { type OwnSubject, serveOwnFixture } from '../support/service.ts';

/**
 * Compressing takes the threads in which the warehouse is asked. So it is counted here: how often it is done, and how
 * much of it at a time.
 */

const work = vi.hoisted(() => ({ done: 0, now: 0, most: 0 }));

vi.mock('node:zlib', async (importOriginal) => {
  const actual = await importOriginal<typeof Zlib>();
  type Done = (error: Error | null, result: Buffer) => void;
  /** The compressor takes its time, so that others come while it works. */
  const counted =
    (compressor: (plain: Buffer, options: object, done: Done) => void) =>
    (plain: Buffer, ...[first, second]: [Done] | [object, Done]) => {
      const [options, done] = second === undefined ? [{}, first as Done] : [first, second];
      work.now += 1;
      work.done += 1;
      work.most = Math.max(work.most, work.now);
      setTimeout(() => {
        compressor(plain, options, (error, result) => {
          work.now -= 1;
          done(error, result);
        });
      }, 20);
    };
  return { ...actual, brotliCompress: counted(actual.brotliCompress), gzip: counted(actual.gzip) };
});

let service: OwnSubject;
beforeAll(async () => {
  service = await serveOwnFixture();
});
afterAll(() => service.stop());
beforeEach(() => Object.assign(work, { done: 0, now: 0, most: 0 }));

/** Sends a request several times at once. @returns statuses and encodings of the answers */
function requestAtOnce(path: string, times: number, headers: Record<string, string> = {}): Promise<string[]> {
  return Promise.all(
    Array.from(
      { length: times },
      () =>
        new Promise<string>((resolve, reject) => {
          const sent = request(`${service.url}${path}`, { agent: false, headers }, (response) => {
            response.resume();
            response.on('end', () =>
              resolve(`${response.statusCode} ${response.headers['content-encoding'] ?? 'plain'}`),
            );
          });
          sent.on('error', reject);
          sent.end();
        }),
    ),
  );
}

const BR = { 'Accept-Encoding': 'br' };

test('fifty connections without a key to a file: it is compressed once, while a list is read', async () => {
  const [answers, list] = await Promise.all([
    requestAtOnce('/docs/files/page.js', 50, BR),
    service.get('/v1/units?einheitTyp=wind', { ...withKey(service.key), 'Accept-Encoding': 'identity' }),
  ]);
  expect(new Set(answers)).toEqual(new Set(['200 br']));
  expect(list.status).toBe(200);
  expect(work.done).toBe(1);
});

test('every asset in every encoding, often: each is compressed once, one after the other', async () => {
  const paths = ['/docs/errors', '/docs/files/text.css', '/v1/openapi.json'];
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(
      paths.flatMap((path) => [requestAtOnce(path, 5, BR), requestAtOnce(path, 5, { 'Accept-Encoding': 'gzip' })]),
    );
    expect(new Set(answers.flat())).toEqual(new Set(['200 br', '200 gzip']));
  }
  expect(work.done).toBe(2 * paths.length);
  expect(work.most).toBe(1);
});

test('a refusal without a key is never compressed, however long it is', async () => {
  const faults = Array.from({ length: 60 }, (_, index) => `x${index}=1`).join('&');
  const answers = await requestAtOnce(`/v1/health?${faults}`, 10, BR);
  expect(new Set(answers)).toEqual(new Set(['400 plain']));
  expect(work.done).toBe(0);
});

test('many answers at a time: two are compressed, the others are sent uncompressed', async () => {
  const path = (limit: number) => `/v1/units?limit=${limit}&include=register,technik`;
  const ask = (limit: number) => requestAtOnce(path(limit), 1, { ...withKey(service.key), ...BR });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(20 + index)));
  expect(work.most).toBe(2);
  expect(new Set(answers.flat())).toEqual(new Set(['200 br', '200 plain']));
  // Afterwards as ever.
  expect(await ask(20)).toEqual(['200 br']);
});

test('an answer that is given again is compressed once', async () => {
  const path = '/v1/units?limit=19&include=register,technik';
  for (let round = 0; round < 3; round++) {
    const answers = await requestAtOnce(path, 5, { ...withKey(service.key), ...BR });
    expect(new Set(answers)).toEqual(new Set(['200 br']));
  }
  expect(work.done).toBe(1);
});
