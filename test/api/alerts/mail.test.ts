import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { recordResults } from '../../../api/alerts/outcomes.ts';
import { readSettings } from '../../../runtime/settings.ts';
import { ownedAlertRow } from '../../../sql/org/alerts/alerts.ts';
import { emailsAnew, emailsOf } from '../../../sql/org/alerts/emails.ts';
import { type EncryptionKey, encryptionKey, KeyMissing, newEncryptionKey } from '../../../sql/org/encryption.ts';
import { sql } from '../../../sql/org/statement.ts';
import { makeAlert } from '../../support/alerts.ts';
import { ENCRYPTION_KEY } from '../../support/contacts.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { makeKey, makeOrganisation } from '../../support/organisation.ts';
import { expectProblem, withKey } from '../../support/requests.ts';
import { type OwnSubject, serveOwnFixture, serveSharedFixture } from '../../support/service.ts';

/** E-mails of alerts, by a mail server on loopback. */

const ADDRESS = 'leitwarte@netz.example';
const SETTINGS = { SMTP_FROM: 'alarme@dienst.example', ENCRYPTION_KEYS: ENCRYPTION_KEY };

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
  const results = [{ alert, fault: null, count, numbers: [...numbers] }];
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
  expect(await waiting(id)).toEqual([]);
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
});
