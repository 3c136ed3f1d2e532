import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { silentProgress } from '../../ingest/run/progress.ts';
import { publishRegister } from '../support/built.ts';
import { administratorClient, serverTarget } from '../support/clickhouse.ts';
import { type Bridge, openBridge } from '../support/clickhouse-bridge.ts';
import { folderOfTests } from '../support/exports.ts';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/** A service that reads from ClickHouse over HTTP: its statements, and its answers when the server fails. */

const folder = folderOfTests();
const PREFIX = 'energy_served';
let bridge: Bridge;
let service: OwnSubject;
beforeAll(async () => {
  const warehouse = join(folder.path, 'warehouse');
  await publishRegister(warehouse);
  const published = await serverTarget(warehouse, PREFIX);
  const [version] = await published.versions();
  await published.load(version!.id, { folder: join(folder.path, 'work'), memoryMb: 300, progress: silentProgress });
  await published.publish(version!.id, 'build');
  await published.close();
  bridge = await openBridge();
  service = await serve(warehouse, { WAREHOUSE_URL: bridge.url(PREFIX, 'energy_reader') });
});
beforeEach(() => {
  bridge.outcomeOf = () => 'answered';
});
afterAll(async () => {
  await service?.stop();
  await bridge?.close();
  folder.remove();
});

const QUESTION = '/v1/units?limit=2&leistungMinKw=1';

/** Makes a new filter each time, because totals are cached. */
let turn = 0;
const fresh = () => `/v1/units?limit=2&leistungMinKw=0.${String(++turn).padStart(3, '0')}`;

test('a statement carries its operation, its request and the trace of the caller', async () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const response = await service.get(QUESTION, { traceparent: `00-${trace}-b7ad6b7169203331-01` });
  expect(response.status).toBe(200);
  const request = response.headers.get('x-request-id');
  const comments = bridge.requests.flatMap(({ comment }) => comment ?? []);
  expect(comments).toContain(JSON.stringify({ operation: 'units.list', request, trace }));
});

test('the text of a statement never contains values', async () => {
  const before = bridge.requests.length;
  await service.get(`/v1/units?gemeinde=${encodeURIComponent("Ort'); DROP TABLE units --")}`);
  const queries = bridge.requests.slice(before).map(({ query }) => query);
  expect(queries.filter((query) => query.includes('units_by'))).not.toEqual([]);
  expect(queries.filter((query) => query.includes('DROP'))).toEqual([]);
});

test('any values arrive unchanged, also long ones', async () => {
  // The pattern for the beginnings of words has many signs that are escaped on the way.
  const searched = await service.get('/v1/search?q=pa&limit=5');
  expect(searched.json).toMatchObject({ meta: { count: 5 } });
  const pages = await Promise.all(
    ['asc', 'desc'].map((way) => service.get(`/v1/units?limit=250&sort=mastrNummer:${way}`)),
  );
  const numbers = new Set(
    pages.flatMap(({ json }) => json.data.map((unit: { mastrNummer: string }) => unit.mastrNummer)),
  );
  // They are too many for a URL, so they are sent as a form.
  const many = await service.get(`/v1/units?mastrNummern=${[...numbers].join(',')}`);
  expect(numbers.size).toBeGreaterThan(400);
  expect(many.json.meta.page.total).toBe(numbers.size);
});

test.each([
  ['too much memory, told behind a 200', 'exception'],
  ['a connection that breaks before the answer', 'lost'],
  ['a proxy without a server behind it', 'refused'],
] as const)('%s is 503 with the time of a retry, and recovers', async (_, fate) => {
  bridge.outcomeOf = ({ query }) => (query.includes('units_by') ? fate : 'answered');
  const path = fresh();
  expectProblem(await service.get(path), 503, 'SERVICE_UNAVAILABLE');
  bridge.outcomeOf = () => 'answered';
  // A request joins the count of an equal one, which may still be on its way to the same failure.
  await vi.waitFor(async () => expect((await service.get(path)).status).toBe(200), { timeout: 10_000 });
});

test('/v1/health reports a server that is away, and its return', async () => {
  const away = bridge.restart(7_000);
  await vi.waitFor(async () => expect((await service.get('/v1/health')).status).toBe(503), { timeout: 60_000 });
  await away;
  await vi.waitFor(async () => expect((await service.get('/v1/health')).status).toBe(200), { timeout: 60_000 });
});

test('the server parses the statements that create the users', async () => {
  const text = readFileSync(new URL('../../sql/warehouse/clickhouse/users.sql', import.meta.url), 'utf8');
  const statements = text.split(/;\n/).filter((statement) => /^[A-Z]/m.test(statement));
  expect(statements.length).toBeGreaterThan(8);
  const client = await administratorClient();
  for (const query of statements) await client.query({ query: `EXPLAIN AST ${query}`, format: 'TabSeparated' });
  await client.close();
});
