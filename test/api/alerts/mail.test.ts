import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { recordResults } from '../../../api/alerts/outcomes.ts';
import { alertTestMessage, alertTestMessage2 } from '../../../api/events/event.ts';
import { readSettings } from '../../../runtime/settings.ts';
import { ownedAlertRow } from '../../../sql/org/alerts/alerts.ts';
import { emailsAnew, emailsOf } from '../../../sql/org/alerts/emails.ts';
import { type EncryptionKey, encryptionKey, KeyMissing, newEncryptionKey } from '../../../sql/org/encryption.ts';
import { sql } from '../../../sql/org/statement.ts';
import { makeAlert } from '../../support/alerts.ts';
import { ENCRYPTION_KEY } from '../../support/contacts.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { makeKey, makeOrganisation } from '../../support/organisation.ts';
import { answering, type Delivery, startReceiver } from '../../support/receiver.ts';
import { expectProblem, withKey } from '../../support/requests.ts';
import { type OwnSubject, serveOwnFixture, serveSharedFixture } from '../../support/service.ts';
import { makeEndpoint, TEST_SECRET } from '../../support/webhooks.ts';

/** E-mails of alerts, by a mail server on loopback. */

const ADDRESS = 'leitwarte@netz.example';
const SETTINGS = {
  ...{ SMTP_FROM: 'alarme@dienst.example', ENCRYPTION_KEYS: ENCRYPTION_KEY },
  WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
};

let mails: MailServer;
let service: OwnSubject;
const logged: string[] = [];

beforeAll(async () => {
  mails = await startMailServer();
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  service = await serveOwnFixture({ ...SETTINGS, SMTP_URL: mails.url }, undefined, log, {});
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await mails?.close();
});

const send = (method: string, path: string, body: object, key = service.key) =>
  service.send(method, path, {
    headers: { ...withKey(key), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

let alerts = 0;
async function alertTold(emails: readonly string[] = [ADDRESS]): Promise<string> {
  const body = { name: `Neue Anlagen ${alerts++}`, template: 'NEW_UNIT', emails };
  const { status, json, text } = await send('POST', '/v1/alerts', body);
  expect(status, text).toBe(201);
  expect([json.data.emailCount, text.includes('@')]).toEqual([emails.length, false]);
  return json.data.id;
}

let versions = 0;
/** Records what an evaluation has found of an alert, as one of a new version does. */
async function fires(id: string, numbers: readonly number[], count = numbers.length): Promise<void> {
  const { store, organisation } = service;
  const { json } = await service.get('/v1/alerts');
  const { emails: _, emailCount: __, ...row } = json.data.find((one: { id: string }) => one.id === id);
  const alert = ownedAlertRow.parse({ ...row, organisationId: organisation.id });
  const recording = {
    ...{ store, version: `v${versions++}`, settings: readSettings({ ...SETTINGS, SMTP_URL: mails.url }) },
    ...{ keepOn() {}, eventsStored() {}, faultRecorded() {} },
  };
  const results = [{ alert, fault: null, count, numbers: [...numbers], details: null }];
  await recordResults(results, recording, { NO_MATCH: 0, FIRED: 0, FAULTY: 0 });
}

const UNITS = Array.from({ length: 12 }, (_, index) => 900_000_000_001 + index);
const waiting = (id: string) =>
  service.store.asOperator((session) =>
    session.rows(
      z.strictObject({ attempts: z.int(), hours: z.number() }),
      sql`SELECT attempts, (extract(epoch FROM next_attempt_at - now()) / 3600)::double precision AS hours
        FROM alert_emails WHERE alert_id = ${id}::uuid AND next_attempt_at IS NOT NULL`,
    ),
  );
const dueNow = (id: string) =>
  service.store.asOperator((session) =>
    session.run(sql`UPDATE alert_emails SET next_attempt_at = now() WHERE alert_id = ${id}::uuid`),
  );
const arrived = (count: number) => expect.poll(() => mails.taken.length, { timeout: 20_000 }).toBe(count);
const last = () => mails.taken.at(-1) ?? { to: '', headers: '', body: '' };

test('a message tells how many units there are, the first ten, and where all of them are', async () => {
  const id = await alertTold();
  const before = mails.taken.length;
  await fires(id, UNITS, 1234);
  await arrived(before + 1);
  const { to, headers, body } = last();
  expect(to).toBe(ADDRESS);
  expect(headers).toMatch(/^From: alarme@dienst\.example$/m);
  expect(headers).toMatch(/^Subject: Neue Anlagen \d+: 1\.234 Einheiten \/ units$/m);
  expect(headers).toMatch(/^List-Unsubscribe: <http.*\/unsubscribe\/[\w-]+>$/m);
  expect(headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  expect(body).toContain('hat 1.234 neue Einheiten gefunden.');
  expect(body).toContain('found 1,234 new units.');
  const { json } = await service.get('/v1/units/SEE900000000001');
  expect(body).toContain(`SEE900000000001 · ${json.data.name} · `);
  expect(body).toMatch(/ kW\r?\n/);
  expect(body.match(/^http.*\/app\/einheiten\/SEE\d+\s*$/gm)).toHaveLength(10);
  const { data } = (await service.get('/v1/events')).json;
  expect(body).toContain(data.at(-1).data.resultsUrl);
});

test('there is one message a night, and the next one tells of what came meanwhile alone', async () => {
  const id = await alertTold();
  const before = mails.taken.length;
  await fires(id, [900_000_000_001]);
  await arrived(before + 1);
  await fires(id, [900_000_000_002]);
  await fires(id, [900_000_000_003]);
  const [{ hours } = { hours: 0 }] = await waiting(id);
  expect(hours).toBeGreaterThan(19);
  expect(mails.taken.length).toBe(before + 1);
  await dueNow(id);
  await arrived(before + 2);
  expect(last().body).toContain('2 neue Einheiten');
  expect(last().body).not.toContain('SEE900000000001');
  await expect.poll(() => waiting(id)).toEqual([]);
});

test('what a server does not take for now is sent again, what it never takes is given up, and no log names the address', async () => {
  const id = await alertTold();
  const before = mails.taken.length;
  mails.refusals.push(451);
  await fires(id, [900_000_000_001]);
  await expect.poll(async () => (await waiting(id))[0]?.attempts, { timeout: 20_000 }).toBe(1);
  await dueNow(id);
  await arrived(before + 1);
  expect(last().body).toContain('SEE900000000001');
  const other = await alertTold(['weg@netz.example']);
  mails.refusals.push(550);
  await fires(other, [900_000_000_001]);
  await expect.poll(() => logged.some((line) => line.includes('was given up')), { timeout: 20_000 }).toBe(true);
  await expect.poll(() => waiting(other)).toEqual([]);
  expect(mails.taken.length).toBe(before + 1);
  expect(logged.filter((line) => line.includes('netz.example'))).toEqual([]);
  const kept = await service.store.asOperator((session) =>
    session.rows(
      z.strictObject({ kept: z.string() }),
      sql`SELECT a::text AS kept FROM audit_log a UNION ALL SELECT e::text FROM alert_emails e`,
    ),
  );
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.filter((row) => row.kept.includes('netz.example'))).toEqual([]);
});

test('a link stops the messages of one alert to one address, by a button or by the mail program', async () => {
  const id = await alertTold([ADDRESS, 'zweite@netz.example']);
  const before = mails.taken.length;
  await fires(id, [900_000_000_001]);
  await arrived(before + 2);
  const links = mails.taken.slice(before).map(({ headers }) => /^List-Unsubscribe: <(.*)>$/m.exec(headers)?.[1] ?? '');
  const emailsOf = async () =>
    (await service.get('/v1/alerts')).json.data.find((one: { id: string }) => one.id === id).emails;
  const [first = '', second = ''] = links;
  const page = await (await fetch(first)).text();
  expect(page).toContain('method="post"');
  expect(page).not.toContain('@');
  expect(await emailsOf()).toHaveLength(2);
  const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };
  expect((await fetch(first, oneClick)).status).toBe(200);
  expect(await emailsOf()).toHaveLength(1);
  // The form of the page sends nothing, and a second time changes nothing.
  const empty = { method: 'POST', body: new URLSearchParams() };
  for (const link of [second, second]) expect(await (await fetch(link, empty)).text()).toContain('Abbestellt');
  expect(await emailsOf()).toEqual([]);
  expect((await fetch(`${second.slice(0, -2)}xx`, empty)).status).toBe(404);
  await fires(id, [900_000_000_002]);
  expect(await waiting(id)).toEqual([]);
});

const runsOf = async (id: string) => (await service.get(`/v1/alerts/${id}/runs`)).json.data;

test('runs say of each version what was found, and what became of its messages', async () => {
  const id = await alertTold([ADDRESS, 'weg@netz.example']);
  const before = mails.taken.length;
  mails.refusals.push(550);
  await fires(id, [900_000_000_001, 900_000_000_002]);
  await arrived(before + 1);
  await expect
    .poll(async () => (await runsOf(id))[0].emails, { timeout: 20_000 })
    .toEqual({
      ...{ sent: 1, waiting: 0, failed: 1, error: '550' },
    });
  await fires(id, [900_000_000_003]);
  const [newest, older] = await runsOf(id);
  expect(newest).toMatchObject({
    outcome: 'FIRED',
    matchCount: 1,
    emails: { sent: 0, waiting: 2, failed: 0, error: null },
  });
  expect(older).toMatchObject({
    matchCount: 2,
    fault: null,
    webhooks: { delivered: 0, pending: 0, failed: 0, skipped: 0 },
  });
  const events = (await service.get('/v1/events')).json.data;
  expect(newest.eventId).toBe(events.at(-1).eventId);
});

const tryOut = (id: string, via: string) => send('POST', `/v1/alerts/${id}/test`, { via });
const aMomentLater = () =>
  service.store.asOperator((session) => session.run(sql`UPDATE organisations SET alert_tested_at = NULL`));

test('a test is marked as one, fires nothing, comes to each address, and not twice in a minute', async () => {
  const id = await alertTold();
  const before = mails.taken.length;
  const { data: events } = (await service.get('/v1/events')).json;
  await aMomentLater();
  const { json, text } = await tryOut(id, 'EMAIL');
  expect(json.data.sent).toEqual([{ to: 'EMAIL', endpointId: null, arrived: true, error: null }]);
  expect(text).not.toContain('@');
  const { total } = (await service.get('/v1/units?limit=1')).json.meta.page;
  expect([json.data.matchCount, json.data.matches.length]).toEqual([total, 10]);
  expect(mails.taken.length).toBe(before + 1);
  expect(last().headers).toMatch(/^Subject: TEST /m);
  expect(last().body).toContain('TEST: Jemand probiert den Alarm');
  expect(last().body).toMatch(/\/unsubscribe\//);
  expectProblem(await tryOut(id, 'EMAIL'), 422, 'UNPROCESSABLE');
  expect((await tryOut(id, 'ANSWER')).json.data.sent).toEqual([]);
  expect(mails.taken.length).toBe(before + 1);
  await aMomentLater();
  mails.refusals.push(550);
  expect((await tryOut(id, 'EMAIL')).json.data.sent).toMatchObject([{ arrived: false, error: '550' }]);
  expect((await service.get('/v1/events')).json.data).toEqual(events);
  expect(await runsOf(id)).toEqual([]);
});

test('a test by webhook is signed, goes once to each enabled endpoint of such events, and says what they answered', async () => {
  const id = await alertTold([]);
  const receiver = await startReceiver();
  try {
    await aMomentLater();
    expectProblem(await tryOut(id, 'WEBHOOK'), 422, 'UNPROCESSABLE');
    const at = (path: string, more = {}) =>
      makeEndpoint(service.store, service.organisation.id, { url: receiver.url + path, ...more });
    const good = await at('/good');
    const bad = await at('/bad');
    const second = await at('/second', { schemaVersion: 2 });
    await at('/off', { disabled: true, disabledReason: 'MANUAL', disabledAt: new Date().toISOString() });
    await at('/other', { eventTypes: ['other'] });
    receiver.behave('/bad', answering(500));
    const { sent } = (await tryOut(id, 'WEBHOOK')).json.data;
    expect(sent).toEqual([
      { to: 'WEBHOOK', endpointId: good.id, arrived: true, error: null },
      { to: 'WEBHOOK', endpointId: bad.id, arrived: false, error: '500' },
      { to: 'WEBHOOK', endpointId: second.id, arrived: true, error: null },
    ]);
    expect(receiver.deliveries.map(({ path }) => path).sort()).toEqual(['/bad', '/good', '/second']);
    const [{ headers, body }] = receiver.to('/good') as [Delivery];
    new Webhook(TEST_SECRET).verify(body, headers as Record<string, string>);
    const told = alertTestMessage.parse(JSON.parse(body));
    expect([told.eventId, told.data.alert.id]).toEqual([headers['webhook-id'], id]);
    const [{ body: body2 }] = receiver.to('/second') as [Delivery];
    const { data, ...about } = alertTestMessage2.parse(JSON.parse(body2));
    const matches = data.matches.map(({ mastrNummer }) => ({ mastrNummer }));
    expect({ ...about, data: { ...data, schemaVersion: 1, matches } }).toEqual(told);
  } finally {
    await service.store.asOperator((session) => session.run(sql`DELETE FROM webhook_endpoints`));
    await receiver.stop();
  }
});

test('addresses are changed, and others than addresses are refused', async () => {
  const id = await alertTold();
  const changed = await send('PATCH', `/v1/alerts/${id}`, { emails: ['b@netz.example', ADDRESS, ADDRESS] });
  expect(changed.json.data.emailCount).toBe(2);
  const renamed = await send('PATCH', `/v1/alerts/${id}`, { enabled: false });
  expect(renamed.json.data.emailCount).toBe(2);
  for (const emails of [['a@netz.example\r\nBcc: c@netz.example'], ['kein'], Array(6).fill(ADDRESS)]) {
    expect((await send('PATCH', `/v1/alerts/${id}`, { emails })).status).toBe(400);
  }
  expect((await send('PATCH', `/v1/alerts/${id}`, { emails: [] })).json.data.emailCount).toBe(0);
});

test('another key encrypts the addresses anew', async () => {
  const id = await alertTold();
  const [older, newer] = [encryptionKey(ENCRYPTION_KEY), encryptionKey(newEncryptionKey())];
  const { store, organisation } = service;
  const read = (key: EncryptionKey) =>
    store.asOperator((session) => emailsOf(session, { keys: () => [key] }, organisation.id));
  const anew = (from: EncryptionKey, to: EncryptionKey) =>
    store.asOperator((session) => emailsAnew(session, [from.id], [to, from], 100));
  const before = await read(older);
  expect(await anew(older, newer)).toBeGreaterThan(0);
  expect(await anew(older, newer)).toBe(0);
  expect((await read(newer)).get(id)).toEqual([ADDRESS]);
  await expect(read(older)).rejects.toThrow(KeyMissing);
  // Alerts are listed all the same.
  const listed = (await service.get('/v1/alerts')).json.data.find((one: { id: string }) => one.id === id);
  expect([listed.emailCount, listed.emails]).toEqual([1, null]);
  await anew(newer, older);
  expect(await read(older)).toEqual(before);
});

test('without a mail server, an alert with addresses is refused', async () => {
  const off = await serveSharedFixture();
  const organisation = await makeOrganisation(off.store);
  const { text: key } = await makeKey(off.store, organisation);
  const { id } = await makeAlert(off.store, organisation);
  const init = {
    headers: { ...withKey(key), 'Content-Type': 'application/json' },
    body: JSON.stringify({ emails: [ADDRESS] }),
  };
  expectProblem(await off.send('PATCH', `/v1/alerts/${id}`, init), 422, 'UNPROCESSABLE');
  const byMail = { ...init, body: JSON.stringify({ via: 'EMAIL' }) };
  expectProblem(await off.send('POST', `/v1/alerts/${id}/test`, byMail), 422, 'UNPROCESSABLE');
});
