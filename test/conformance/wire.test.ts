import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_KEY } from '../support/requests.ts';
import { type Subject, serveFixture } from '../support/service.ts';

/** Compression, entity tags, caching. */

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

function bytes(path: string, encoding: string): Promise<{ encoding: string | undefined; body: Buffer; vary: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'Accept-Encoding': encoding, 'X-API-Key': service.key };
    httpRequest(service.url + path, { agent: false, headers }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      const { vary = '', 'content-encoding': used } = response.headers;
      resolve({ encoding: used, body: Buffer.concat(parts), vary });
    })
      .on('error', reject)
      .end();
  });
}

describe('compression', () => {
  test('brotli, gzip and plain hold the same answer', async () => {
    const plain = await bytes('/v1/units', 'identity');
    const br = await bytes('/v1/units', 'br');
    const gzip = await bytes('/v1/units', 'gzip, br;q=0');
    expect([plain.encoding, br.encoding, gzip.encoding]).toEqual([undefined, 'br', 'gzip']);
    expect(brotliDecompressSync(br.body)).toEqual(plain.body);
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
    expect(plain.vary).toMatch(/accept-encoding/i);
  });

  test('not below 1 KiB', async () => {
    expect((await bytes('/v1/health', 'br')).encoding).toBeUndefined();
  });
});

describe('Server-Timing', () => {
  test('tells a caller with a key what the engine took, and the whole', async () => {
    const timing = (await service.get('/v1/units?limit=1')).headers.get('server-timing') ?? '';
    const [engine = Number.NaN, total = Number.NaN] = [...timing.matchAll(/;dur=([0-9.]+)/g)].map(([, ms]) =>
      Number(ms),
    );
    expect(timing).toMatch(/^engine;dur=[0-9]+\.[0-9], total;dur=[0-9]+\.[0-9]$/);
    expect(total).toBeGreaterThanOrEqual(engine);
    expect((await service.get('/v1/me')).headers.get('server-timing')).toMatch(/^total;dur=/);
  });

  test('tells nothing to others', async () => {
    expect((await service.get('/v1/units', NO_KEY)).headers.has('server-timing')).toBe(false);
    expect((await service.get('/v1/health')).headers.has('server-timing')).toBe(false);
  });
});

describe('entity tags', () => {
  const PATH = '/v1/units?einheitTyp=wind&limit=5';

  test('an unchanged answer is 304 without a body', async () => {
    const first = await service.get(PATH);
    const tag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    for (const known of [tag, `"other", ${tag}`, tag.replace('W/', ''), '*']) {
      const again = await service.get(PATH, { 'If-None-Match': known });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
    }
    expect((await service.get(PATH, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  test('equal requests have equal tags, others have others', async () => {
    const tagOf = async (path: string) => (await service.get(path)).headers.get('etag');
    expect(await tagOf('/v1/units?limit=5&einheitTyp=wind')).toBe(await tagOf(PATH));
    const tags = await Promise.all(
      [PATH, '/v1/units?limit=6', '/v1/region/altersstruktur', '/v1/region/momentaufnahme'].map(tagOf),
    );
    expect(new Set(tags).size).toBe(tags.length);
  });

  test('404 has no tag', async () => {
    const seen = await service.get('/v1/units/SEE999999999999', { 'If-None-Match': '*' });
    expect([seen.status, seen.headers.get('etag'), seen.headers.get('cache-control')]).toEqual([404, null, 'no-store']);
  });
});
