import { DuckDBInstance } from '@duckdb/node-api';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute } from '../../api/admin/execution/execute.ts';
import { readSettings } from '../../runtime/settings.ts';
import { SIGNALS } from '../../sql/catalogue/signals.ts';
import { publish, versionFile } from '../../sql/warehouse/versions.ts';
import { runCommandLine } from '../api/admin/console.ts';
import { buildChain, type Chain, serving } from '../api/delta/chain.ts';
import { ENCRYPTION_KEY } from '../support/contacts.ts';
import { temporaryFolder } from '../support/fixture.ts';
import { answering, type Delivery, type Receiver, startReceiver } from '../support/receiver.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/**
 * The story of two alerts, from outside: versions are published and withdrawn, and what they mean arrives, once, at an endpoint
 * that fails, is disabled, enabled, given another secret and removed. The tests are its chapters, in this order.
 */

interface AlertEvent {
  readonly eventId: string;
  readonly type: string;
  readonly occurredAt: string;
  readonly data: {
    readonly alert: { readonly id: string; readonly name: string; readonly template: string };
    readonly matchCount: number;
    readonly matches: readonly { readonly mastrNummer: string }[];
    readonly truncated: boolean;
    readonly resultsUrl: string;
    readonly links: { readonly self: string };
  };
}

const CARRIERS = ['solar', 'storage'];
const SIGNAL = 'neu_registriert';

const state = temporaryFolder();
let chain: Chain;
let warehouse: string;
let service: OwnSubject;
let receiver: Receiver;
let endpoint: { readonly id: string; readonly secret: string };

beforeAll(async () => {
  [chain, receiver] = await Promise.all([buildChain(), startReceiver()]);
  warehouse = chain.copy('story');
  publish(warehouse, chain.versions[0] ?? '', 'build', new Date());
  service = await serve(warehouse, environment(), undefined, undefined, {});
}, 240_000);
afterAll(async () => {
  await service?.stop();
  await receiver?.stop();
  chain?.remove();
  state.remove();
});

const environment = () => ({
  STATE_DIR: state.path,
  WAREHOUSE_URL: `duckdb:${warehouse}`,
  ENCRYPTION_KEYS: ENCRYPTION_KEY,
  WEBHOOK_ALLOWED_HOSTS: receiver.host,
  TODAY: '2026-12-12',
});

/** Publishes a version, by the number of its build, and waits until it is served. */
const serveVersion = (number: number, cause: 'build' | 'rollback' = 'build') =>
  serving(service, publish(warehouse, chain.versions[number - 1] ?? '', cause, new Date()));

/** Runs a command as the service does for `npm run admin --`. @returns what it prints as JSON */
// biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
async function admin(words: string, input = ''): Promise<any> {
  const context = { store: service.store, settings: readSettings(environment()), log: pino({ level: 'silent' }) };
  const line = words.replace('ORG', service.organisation.externalId).split(' ');
  const { code, out, err } = await runCommandLine(
    [...line, '--json'],
    (command, raw) => execute(command, raw, context),
    input,
  );
  if (code !== 0) throw new Error(`${words} ended with ${code}: ${err}`);
  return JSON.parse(out);
}

/** The units that are news in a version, read from the files of both: for the alert of new units, and for that of a signal. */
async function newsOf(number: number, before: number): Promise<{ new: string[]; signal: string[] }> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  for (const [name, each] of Object.entries({ now: number, before })) {
    await connection.run(`ATTACH '${versionFile(warehouse, chain.versions[each - 1] ?? '')}' AS "${name}" (READ_ONLY)`);
  }
  const numbers = async (condition: string): Promise<string[]> => {
    const reader = await connection.runAndReadAll(`
      SELECT n.mastrNummer FROM "now".units n LEFT JOIN "before".units b ON b.mastrNummer = n.mastrNummer
      WHERE ${condition} ORDER BY n.mastrNummer`);
    return reader.getRows().map(([mastrNummer]) => String(mastrNummer));
  };
  const bit = 2 ** Object.keys(SIGNALS).indexOf(SIGNAL);
  const found = {
    new: await numbers(`b.mastrNummer IS NULL AND n.einheitTyp IN ('${CARRIERS.join("', '")}')`),
    signal: await numbers(`(n.signals & ${bit}) <> (coalesce(b.signals, 0) & ${bit})`),
  };
  connection.closeSync();
  instance.closeSync();
  return found;
}

/** All events so far, oldest first. */
const events = async (): Promise<AlertEvent[]> => (await service.get('/v1/events')).json.data;

/** Waits for the evaluation of a version, by the number of its build. */
async function evaluated(number: number): Promise<void> {
  const version = chain.versions[number - 1];
  await expect
    .poll(
      async () =>
        (await admin('alerts evaluations')).evaluations.find((each: { version: string }) => each.version === version)
          ?.endedAt,
      {
        timeout: 30_000,
      },
    )
    .toEqual(expect.any(String));
}

const read = ({ body }: Delivery): AlertEvent => JSON.parse(body);

const verified = (delivery: Delivery, secret: string): unknown =>
  new Webhook(secret).verify(delivery.body, delivery.headers as Record<string, string>);

test('alerts are made, and tell nothing of what is served already', async () => {
  await admin('alerts create ORG Neues --template NEW_UNIT --criteria -', JSON.stringify({ einheitTyp: CARRIERS }));
  await admin(`alerts create ORG Gemeldet --template SIGNAL_CHANGE --signals ${SIGNAL}`);
  expect(await events()).toEqual([]);
});

test('an endpoint gets a secret, once, and a ping', async () => {
  const made = await service.send('POST', '/v1/webhooks/endpoints', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: `${receiver.url}/story`, description: 'Leitwarte' }),
  });
  expect(made.status).toBe(201);
  endpoint = made.json.data;
  receiver.next('/story', answering(200, {}, 'pong'));
  expect(await admin(`webhooks ping ORG ${endpoint.id}`)).toMatchObject({ status: 200, answer: 'pong' });
  const [ping] = receiver.to('/story');
  expect(verified(ping!, endpoint.secret)).toMatchObject({ type: 'ping' });
  expect(await events()).toEqual([]);
});

test('a version is published: its news arrive, signed, as GET /v1/events has them, and lead to exactly these units', async () => {
  receiver.next('/story', answering(500, {}, 'not yet'));
  const before = receiver.deliveries.length;
  await serveVersion(2);
  await evaluated(2);
  const expected = await newsOf(2, 1);
  // The first attempt at one message fails.
  await receiver.arrived(before + namesOf(expected).length + 1);
  const { text, json } = await service.get('/v1/events');
  const told: AlertEvent[] = json.data;
  expect(told.map(({ data }) => [data.alert.name, data.matchCount]).sort()).toEqual(namesOf(expected));
  for (const delivery of receiver.deliveries.slice(before)) {
    verified(delivery, endpoint.secret);
    expect(delivery.headers['webhook-id']).toBe(read(delivery).eventId);
    expect(text).toContain(delivery.body);
  }
  for (const { eventId, data } of told) {
    const all = data.alert.name === 'Neues' ? expected.new : expected.signal;
    expect(data.matches.map(({ mastrNummer }) => mastrNummer)).toEqual(all.slice(0, 100));
    expect(data.truncated).toBe(all.length > 100);
    expect(data.resultsUrl).toBe(`${service.url}/app/einheiten?eventId=${eventId}`);
    const self = data.links.self.slice(service.url.length);
    const { json: list } = await service.get(`${self}&limit=250&fields=mastrNummer`);
    expect(list.data.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer).sort()).toEqual(all.slice(0, 250));
    expect(list.meta.page.total).toBe(all.length);
  }
});

test('a trial of the alert says the same, and stores nothing', async () => {
  const [before, arrived] = [await events(), receiver.deliveries.length];
  const { matchCount, matches } = await admin('alerts test ORG Neues');
  const expected = (await newsOf(2, 1)).new;
  expect(matchCount).toBe(expected.length);
  expect(matches.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer)).toEqual(expected.slice(0, 100));
  expect(await events()).toEqual(before);
  expect(receiver.deliveries.length).toBe(arrived);
});

test('the delivery log shows the attempt that failed and the one that arrived', async () => {
  const [first] = receiver.deliveries.filter(({ body }) => read({ body } as Delivery).type !== 'ping');
  const page = await openLog(`/messages?endpoint=${endpoint.id}&state=DELIVERED`);
  expect(page.status).toBe(200);
  for (const name of ['Neues', 'Gemeldet']) expect(page.text).toContain(name);
  const messages = [...page.text.matchAll(/href="(messages\/[0-9a-f-]{36})"/g)].map(([, path]) => path);
  const shown = await Promise.all(messages.map((path) => openLog(`/${path}`)));
  const failed = shown.find(({ text }) => text.includes(read(first!).eventId));
  expect(failed?.text).toContain('500');
  expect(failed?.text).toContain('not yet');
  expect(shown.every(({ text }) => !text.includes('whsec_') && !text.includes(service.key))).toBe(true);
});

test('while the endpoint is disabled events are stored, and enabled again it gets none of them by itself', async () => {
  const arrived = receiver.deliveries.length;
  const earlier = await events();
  expect((await change({ disabled: true })).json.data.disabled).toBe(true);
  await serveVersion(3);
  await evaluated(3);
  const expected = await newsOf(3, 2);
  const later = (await events()).slice(earlier.length);
  expect(later.map(({ data }) => [data.alert.name, data.matchCount]).sort()).toEqual(namesOf(expected));
  expect((await change({ disabled: false })).json.data.disabled).toBe(false);
  // The ping arrives after any delivery that would have been due.
  await admin(`webhooks ping ORG ${endpoint.id}`);
  expect(receiver.deliveries.slice(arrived).map((delivery) => read(delivery).type)).toEqual(['ping']);
});

test('replayed, it arrives with its id and its bytes', async () => {
  const arrived = receiver.deliveries.length;
  const skipped = (await events()).at(-1)!;
  const log = await openLog(`/messages?state=SKIPPED`);
  const paths = [...log.text.matchAll(/href="(messages\/[0-9a-f-]{36})"/g)].map(([, path]) => path);
  const pages = await Promise.all(paths.map(async (path) => ({ path, ...(await openLog(`/${path}`)) })));
  const { link, path, text } = pages.find((page) => page.text.includes(skipped.eventId))!;
  const proof = /name="proof" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const answer = await fetch(`${link}/${path}/replay`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: service.url, 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ proof }),
  });
  expect(answer.status).toBe(303);
  await receiver.arrived(arrived + 1);
  const [replayed] = receiver.deliveries.slice(arrived);
  verified(replayed!, endpoint.secret);
  expect(replayed?.headers['webhook-id']).toBe(skipped.eventId);
  expect((await service.get('/v1/events')).text).toContain(replayed?.body);
});

test('a roll-back tells nothing, and neither does the version that is published again', async () => {
  const [arrived, earlier] = [receiver.deliveries.length, await events()];
  await serveVersion(2, 'rollback');
  await serveVersion(3);
  await serveVersion(2, 'rollback');
  await admin(`webhooks ping ORG ${endpoint.id}`);
  expect(await events()).toEqual(earlier);
  expect(receiver.deliveries.slice(arrived).map((delivery) => read(delivery).type)).toEqual(['ping']);
});

test('the next version tells what is new to the one before it and to the one that was withdrawn, under either secret', async () => {
  const earlier = await events();
  const arrived = receiver.deliveries.length;
  const { json } = await service.send('POST', `/v1/webhooks/endpoints/${endpoint.id}/secret`);
  expect(json.meta).toEqual({ previousSecretValidForSeconds: 86_400 });
  const [old, withdrawn] = [await newsOf(4, 2), await newsOf(4, 3)];
  const expected = {
    new: old.new.filter((number) => withdrawn.new.includes(number)),
    signal: old.signal.filter((number) => withdrawn.signal.includes(number)),
  };
  expect(old.new.length).toBeGreaterThan(0);
  await serveVersion(4);
  await evaluated(4);
  const told = (await events()).slice(earlier.length);
  expect(told.map(({ data }) => [data.alert.name, data.matchCount]).sort()).toEqual(namesOf(expected));
  await receiver.arrived(arrived + told.length);
  for (const delivery of receiver.deliveries.slice(arrived)) {
    for (const secret of [endpoint.secret, json.data.secret]) verified(delivery, secret);
  }
});

test('the endpoint is removed: what was told stays readable', async () => {
  const earlier = await events();
  const { json } = await service.send('DELETE', `/v1/webhooks/endpoints/${endpoint.id}`);
  expect(json).toEqual({ data: null, meta: { deleted: endpoint.id } });
  expect((await openLog('/messages')).text).not.toContain('Neues');
  expect(await events()).toEqual(earlier);
});

/** Name and number of the events that alerts with these news fire: none without a match. */
const namesOf = (found: { new: string[]; signal: string[] }) =>
  [['Gemeldet', found.signal.length] as const, ['Neues', found.new.length] as const].filter(([, count]) => count > 0);

const change = (members: object) =>
  service.send('PATCH', `/v1/webhooks/endpoints/${endpoint.id}`, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(members),
  });

/** Opens a page of the delivery log, with a new link. */
async function openLog(path: string): Promise<{ link: string; status: number; text: string }> {
  const { json } = await service.send('POST', '/v1/webhooks/portal');
  const answer = await fetch(json.data.url + path);
  return { link: json.data.url, status: answer.status, text: await answer.text() };
}
