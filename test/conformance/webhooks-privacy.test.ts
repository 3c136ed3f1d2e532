import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '../../api/jobs/sweep.ts';
import { readSettings } from '../../runtime/settings.ts';
import { sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { endpointOf, endpointRow } from '../../sql/org/webhooks/endpoints.ts';
import { makeSecret, signingSecrets } from '../../sql/org/webhooks/secrets.ts';
import { ENCRYPTION_KEY, TEST_KEYS } from '../support/contacts.ts';
import { everything } from '../support/filled-store.ts';
import { temporaryFolder } from '../support/fixture.ts';
import { withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';
import { ANYWHERE, openFresh } from '../support/store-engines.ts';
import { ALLOWED_HOST } from '../support/webhooks.ts';

/**
 * Secrets of endpoints stand in the three answers that interface.md names, and nowhere else. Two secrets are made, shown, rotated
 * and sent in every wrong place; then they are looked for in everything that the service writes.
 */

const ENDPOINTS = '/v1/webhooks/endpoints';
const [FIRST, SECOND, STRAY] = [makeSecret(), makeSecret(), makeSecret()];

/** A secret, its bytes alone, as an address encodes them, and in hexadecimal. */
const TRACES = [FIRST, SECOND, STRAY].flatMap((secret) => {
  const base64 = secret.slice('whsec_'.length);
  return [base64, encodeURIComponent(base64), base64.slice(0, -1), Buffer.from(base64, 'base64').toString('hex')];
});

const traceIn = (text: string): string | null => TRACES.find((trace) => text.includes(trace)) ?? null;

let store: OrgStore;
let service: OwnSubject;
let id: string;
const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
const problems: string[] = [];
const files = temporaryFolder();

async function ask(method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
  const headers = { ...withKey(service.key), 'Content-Type': 'application/json', ...more };
  const response = await service.send(method, path, {
    headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  if (response.status >= 400) problems.push(response.text);
  return response;
}

const stored = async () =>
  (await store.asOperator((session) => session.row(endpointRow, endpointOf(service.organisation.id, id))))!;

const shown: ServiceResponse[] = [];

beforeAll(async () => {
  store = await openFresh(ANYWHERE);
  service = await serveOwnFixture({ METRICS_PORT: '0', ENCRYPTION_KEYS: ENCRYPTION_KEY }, store, log);
  const url = `https://${ALLOWED_HOST}/mastr`;
  const created = await ask('POST', ENDPOINTS, { url, secret: FIRST }, { 'Idempotency-Key': 'once' });
  id = created.json.data.id;
  const own = `${ENDPOINTS}/${id}`;
  shown.push(created, await ask('POST', `${own}/secret`, { secret: SECOND }), await ask('GET', `${own}/secret`));
  await ask('GET', ENDPOINTS);
  await ask('PATCH', own, { description: 'x' });
  const encoded = encodeURIComponent(STRAY);
  await ask('POST', ENDPOINTS, { url, secret: SECOND });
  await ask('POST', `${own}/secret`, { secret: SECOND });
  await ask('POST', `${own}/secret`, { secret: `${STRAY}x` });
  await ask('POST', `${own}/secret`, { secret: [STRAY] });
  await ask('POST', `${own}/secret`, { [STRAY]: STRAY });
  await ask('POST', `${own}/secret`, `{"secret": ${STRAY}}`);
  await ask('POST', `${own}/secret?secret=${encoded}`, {});
  await ask('POST', `${own}/secret?geheim=${encoded}&${encoded}=1`, {});
  await ask('PATCH', own, { secret: STRAY, eventTypes: [STRAY] });
  await ask('POST', ENDPOINTS, { url: `https://${STRAY}@${ALLOWED_HOST}/`, secret: STRAY });
  await ask('GET', `${ENDPOINTS}/${encoded}`);
  await ask('GET', `/v1/${encoded}`);
  await ask('DELETE', `${ENDPOINTS}/${encoded}/secret`);
  await ask('GET', own, undefined, { 'X-Request-Id': STRAY });
  // Rows of reads come into the audit log soon after their answer.
  await sleep(300);
});
afterAll(async () => {
  await service.stop();
  await store.close();
  files.remove();
});

describe('secrets of webhook endpoints are', () => {
  test('in the three answers that show them', () => {
    expect(shown.map(({ json }) => json.data.secret)).toEqual([FIRST, SECOND, SECOND]);
    for (const { headers } of shown) expect(headers.get('cache-control')).toBe('no-store');
  });

  test('in no line of the log, at any level', () => {
    expect(lines.length).toBeGreaterThan(15);
    expect(lines.filter((line) => traceIn(line) !== null)).toEqual([]);
  });

  test('in no problem document', () => {
    expect(problems.length).toBeGreaterThan(10);
    expect(problems.filter((text) => traceIn(text) !== null)).toEqual([]);
  });

  test('in no row of any table: not of the audit log, not of the answers that are repeated, not their own', async () => {
    const tables = await everything(store);
    expect(tables.audit_log!.length).toBeGreaterThan(15);
    expect(tables.webhook_endpoints).toHaveLength(1);
    expect(traceIn(JSON.stringify(tables))).toBeNull();
    expect(tables.audit_log!.join()).toContain('/v1/webhooks/endpoints/whsec_***');
  });

  test('in no metric', async () => {
    expect(traceIn(await (await fetch(service.metricsUrl!)).text())).toBeNull();
  });

  test('in no backup; and what was restored signs with them', async () => {
    const file = join(files.path, 'backup.gz');
    await store.backup(file);
    expect(traceIn(gunzipSync(readFileSync(file)).toString())).toBeNull();
    const other = await openFresh(ANYWHERE);
    await other.restore(file, false);
    const row = await other.asOperator((session) => session.row(endpointRow, endpointOf(service.organisation.id, id)));
    await other.close();
    expect(signingSecrets(row!, TEST_KEYS, new Date())).toEqual([SECOND, FIRST]);
  });
});

test('the sweep forgets a former secret once it no longer signs, and not before', async () => {
  const settings = readSettings({});
  await sweep(store, settings);
  expect((await stored()).previousSecret).not.toBeNull();
  await store.asOperator((session) =>
    session.run(sql`UPDATE webhook_endpoints SET previous_secret_until = now() WHERE id = ${id}::uuid`),
  );
  const before = await stored();
  await sweep(store, settings);
  expect(await stored()).toEqual({
    ...before,
    previousSecret: null,
    previousSecretKeyId: null,
    previousSecretUntil: null,
  });
});
