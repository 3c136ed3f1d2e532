import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiDocument } from '../../api/docs/openapi/document.ts';
import type { OpenApiDocument } from '../../api/docs/openapi/shape.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { partOfCases } from '../support/cases.ts';
import { describedAnswers, serveFixture } from '../support/service.ts';
import { leaks } from './leaks.ts';
import { type FuzzRequest, requestTo } from './requests.ts';
import { sender } from './send.ts';

/**
 * Requests made from the OpenAPI document, most of each as described and any part of it broken: none may bring the
 * service down, get an answer that is not described, or bring something to light.
 *
 * A run sends each operation a third of its requests, which SEED draws. A failure prints a seed and a path; FUZZ_SEED and
 * FUZZ_PATH repeat it. CASES asks for all requests to each operation, or more.
 */

const SEED = Number(process.env.FUZZ_SEED ?? 20261101);
const PART = partOfCases(60, 3, { seed: SEED });

let service: Awaited<ReturnType<typeof serveFixture>>;
let served: OpenApiDocument;
let connection: ReturnType<typeof sender>;
let mustBeDescribed: ReturnType<typeof describedAnswers>;
let leak: ReturnType<typeof leaks>;
beforeAll(async () => {
  service = await serveFixture();
  served = (await service.get('/v1/openapi.json')).json;
  connection = sender(service.url);
  // The last test but one proves that the served document describes the same.
  mustBeDescribed = describedAnswers();
  leak = leaks(service.key);
});
afterAll(async () => {
  connection.close();
  await service.stop();
});

/** Statuses by operation, to see that the requests reach behind the gates. */
const statuses = new Map<string, Map<number, number>>();

async function mustHold(id: string, request: FuzzRequest): Promise<void> {
  // Otherwise requests would soon meet only an endpoint that was deleted, or an organisation that may create no more.
  await service.restoreExample(id);
  const answer = await connection.send(request);
  const counts = statuses.get(id) ?? new Map<number, number>();
  statuses.set(id, counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1));
  if (answer.status >= 500) throw new Error(`answered ${answer.status}: ${answer.text}`);
  mustBeDescribed(request.method, request.target, answer);
  const found = leak(request, answer);
  if (found !== null) throw new Error(`answered ${answer.status} with ${found}: ${answer.text.slice(0, 2000)}`);
}

test.each(OPERATIONS.map(({ id, method, path }) => [id, method.toLowerCase(), path]))(
  '%s',
  async (id, method, path) => {
    const requests = requestTo(served, path!, method!, service.key);
    await fc.assert(
      fc.asyncProperty(requests, (request) => mustHold(id!, request)),
      { ...PART, ...(process.env.FUZZ_PATH === undefined ? {} : { path: process.env.FUZZ_PATH }) },
    );
  },
);

test.each(OPERATIONS)('$id accepts every described parameter', async ({ method, path, example }) => {
  const entry = served.paths[path]![method.toLowerCase()]!;
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name) => example?.path?.[name] ?? name);
  const body = example?.body === undefined ? {} : { body: JSON.stringify(example.body) };
  for (const { name } of entry.parameters.filter((parameter) => parameter.in === 'query')) {
    const init = { ...body, headers: { 'Content-Type': 'application/json' } };
    const response = await service.send(method, `${place}?${name}=~`, init);
    expect(response.json?.errors ?? [], name).not.toContainEqual(
      expect.objectContaining({ code: 'UNKNOWN_PARAMETER' }),
    );
  }
});

test('the service is healthy afterwards', async () => {
  expect((await service.get('/v1/health')).json.data.status).toBe('ok');
  expect(served).toEqual(openApiDocument(OPERATIONS, service.url));
});

test.runIf(process.env.FUZZ_PATH === undefined)('some requests succeeded, and some were refused', () => {
  const count = (id: string, among: readonly number[]): number =>
    among.reduce((sum, status) => sum + (statuses.get(id)?.get(status) ?? 0), 0);
  const without = (among: readonly number[], least: number): string[] =>
    OPERATIONS.map(({ id }) => id).filter((id) => count(id, among) <= least);
  // All requests together reach every operation; a part of them may miss one or another.
  const missed = process.env.CASES === undefined ? 5 : 0;
  // A batch of which some rows are written has succeeded, too.
  const refused = without([200, 201, 207], PART.numRuns / 30);
  expect(refused.length, `never succeeded: ${refused}`).toBeLessThanOrEqual(missed);
  const accepted = without([400], PART.numRuns / 50);
  expect(accepted.length, `never refused: ${accepted}`).toBeLessThanOrEqual(missed);
});
