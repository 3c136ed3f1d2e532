import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examplesOf } from '../../../api/docs/openapi/examples.ts';
import { pathAndQueryOf, SAMPLE_LANGUAGES, type SampleRequest } from '../../../api/docs/reference/samples.ts';
import { OPERATIONS } from '../../../api/operations.ts';
import { readCurl } from '../../docs/guides/curl.ts';
import { type Subject, serveFixture } from '../../support/service.ts';

/** Every sample of code sends the request that it stands for. */

const BASE = 'https://energy.example';

const samples = OPERATIONS.flatMap((operation) =>
  Object.entries(examplesOf(operation.id, BASE)).map(([name, { request }]) => {
    const { method, path, access } = operation;
    const sample: SampleRequest = { method, path, baseUrl: BASE, request, needsKey: access !== 'public' };
    return [`${operation.id} ${name}`, sample] as const;
  }),
);

const { curl, javascript, python } = SAMPLE_LANGUAGES;

/** The request that a call of `fetch` in the sample sends. */
async function sentByJavascript(sample: SampleRequest): Promise<{ url: string; init: RequestInit }> {
  const sent: { url: string; init: RequestInit }[] = [];
  const fetched = async (url: string, init: RequestInit = {}) => {
    sent.push({ url, init });
    return { json: async () => ({}), text: async () => '' };
  };
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  await new AsyncFunction('fetch', 'process', javascript.write(sample))(fetched, { env: { KEY: 'k' } });
  return sent[0]!;
}

describe.each(samples)('%s', (_, sample) => {
  const { method, request, needsKey } = sample;
  const headers = {
    ...(needsKey ? { Authorization: 'Bearer k' } : {}),
    ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...request.headers,
  };

  test('curl', () => {
    const command = curl
      .write(sample)
      .replaceAll(/ \\\n\s*/g, ' ')
      .replace('$KEY', 'k');
    const sent = readCurl(command, BASE);
    expect([sent.method, sent.path.replace(/\?$/, '')]).toEqual([method, pathAndQueryOf(sample)]);
    expect(sent.init.headers).toEqual(headers);
    expect(sent.init.body === undefined ? undefined : JSON.parse(sent.init.body)).toEqual(request.body);
  });

  test('JavaScript', async () => {
    const { url, init } = await sentByJavascript(sample);
    expect([init.method ?? 'GET', url]).toEqual([method, BASE + pathAndQueryOf(sample)]);
    expect(init.headers ?? {}).toEqual(headers);
    expect(init.body === undefined ? undefined : JSON.parse(String(init.body))).toEqual(request.body);
  });

  test('Python', () => {
    const code = python.write(sample);
    expect(code).toContain(`requests.${method.toLowerCase()}(`);
    expect(code.includes("os.environ['KEY']")).toBe(needsKey);
    expect(code).not.toMatch(/\b(?:true|false|null|undefined)\b(?=[,\n}\]])/);
  });
});

describe('a value with characters of its own', () => {
  let service: Subject;
  beforeAll(async () => {
    service = await serveFixture();
  });
  afterAll(() => service.stop());

  test('arrives as it was meant', async () => {
    const query = 'hauptbrennstoff="Abfall, fest",Erdgas&suche=Müller %26 Söhne&limit=1';
    const sample = { method: 'GET', path: '/v1/units', baseUrl: BASE, request: { query }, needsKey: true };
    expect((await service.get(pathAndQueryOf(sample))).status).toBe(200);
    expect(new URLSearchParams(pathAndQueryOf(sample).split('?')[1]).get('suche')).toBe('Müller & Söhne');
  });
});
