import { randomUUIDv7 } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { execute } from '../../../api/admin/execution/execute.ts';
import { ping } from '../../../api/events/event.ts';
import { openKeyring } from '../../../api/secrets/encryption-keys.ts';
import { readSettings } from '../../../runtime/settings.ts';
import { newEncryptionKey } from '../../../sql/org/encryption.ts';
import { endpointRow, endpointsOf } from '../../../sql/org/webhooks/endpoints.ts';
import { makeSecret, sealedPreviousSecret } from '../../../sql/org/webhooks/secrets.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { answering, type Receiver, startReceiver } from '../../support/receiver.ts';
import { SILENT } from '../../support/store-engines.ts';
import { makeEndpoint, TEST_SECRET } from '../../support/webhooks.ts';
import { type Console, openConsole, runCommandLine } from './console.ts';

/** The commands about webhook endpoints. */

let admin: Console;
let receiver: Receiver;
let name: string;
let organisation: string;
beforeAll(async () => {
  admin = await openConsole();
  receiver = await startReceiver();
});
beforeEach(async () => {
  name = `werk-${randomUUIDv7().slice(-12)}`;
  organisation = (await makeOrganisation(admin.store, { externalId: name })).id;
});
afterAll(async () => {
  await receiver.stop();
  await admin.close();
});

const keys = () => openKeyring(admin.settings).keys();
const make = (choices: Parameters<typeof makeEndpoint>[2] = {}) =>
  makeEndpoint(admin.store, organisation, choices, keys());
const stored = () => admin.store.asOperator((session) => session.rows(endpointRow, endpointsOf(organisation)));

/** Runs a command where loopback may be called. */
const run = (words: string, environment: Record<string, string> = {}) => {
  const settings = readSettings({
    STATE_DIR: admin.settings.STATE_DIR,
    WEBHOOK_ALLOWED_HOSTS: receiver.host,
    ...environment,
  });
  return runCommandLine(words, (command, raw) => execute(command, raw, { store: admin.store, settings, log: SILENT }));
};

describe('webhooks list and show', () => {
  test('show endpoints with their state and what is due, and never a secret', async () => {
    expect((await admin.run(`webhooks list ${name}`)).out).toBe('No webhook endpoints\n');
    const at = '2026-11-01T10:00:00.000Z';
    const first = await make({ description: 'Leitwarte', createdAt: at });
    // They come in the order in which they were made, and two may be made in one millisecond.
    const gone = await make({
      disabled: true,
      disabledReason: 'GONE',
      disabledAt: at,
      createdAt: '2026-11-02T10:00:00.000Z',
    });
    const failing = await make({ failingSince: at, createdAt: '2026-11-03T10:00:00.000Z' });
    const { out } = await admin.run(`webhooks list ${name}`);
    expect(out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 3))).toMatchObject([
      ['url', 'description', 'state'],
      [first.url, 'Leitwarte', 'enabled'],
      [gone.url, 'disabled (GONE)', expect.anything()],
      [failing.url, 'failing since 2026-11-01 10:00 UTC', expect.anything()],
      [''],
    ]);
    const shown = await admin.json(`webhooks show ${name} ${gone.id}`);
    expect(shown).toEqual((await admin.json(`webhooks list ${name}`))[1]);
    expect(shown).toMatchObject({
      id: gone.id,
      disabledReason: 'GONE',
      deliveries: { pending: 0, failed: 0, skipped: 0 },
    });
    const everything = [out, JSON.stringify(shown), (await admin.run(`webhooks show ${name} ${gone.id}`)).out].join();
    expect(everything).not.toMatch(/whsec_|secret"|secretKeyId/i);
  });

  test('a description cannot write over what stands in the terminal', async () => {
    await make({ description: 'harmlos\u001b[2J\r\nzweite\u202e Zeile' });
    const { out } = await admin.run(`webhooks list ${name}`);
    expect(out).toContain('harmlos [2J zweite  Zeile');
    expect(out.trimEnd().split('\n')).toHaveLength(2);
  });

  test('an endpoint of another organisation is unknown', async () => {
    const other = await makeOrganisation(admin.store, { externalId: `${name}-x` });
    const { id } = await makeEndpoint(admin.store, other.id, {}, keys());
    for (const command of ['show', 'ping', 'disable', 'enable', 'delete']) {
      expect(await admin.refusal(`webhooks ${command} ${name} ${id}`)).toMatch(/(has|is) no (webhook )?endpoint/);
    }
    expect((await admin.run(`webhooks show ${name} nonsense`)).code).toBe(2);
  });
});

describe('webhooks disable, enable and delete', () => {
  test('are what the interface does, and say in which state it is then', async () => {
    const { id } = await make({ failingSince: new Date().toISOString() });
    for (const disabled of [true, true]) {
      expect(await admin.json(`webhooks disable ${name} ${id}`)).toMatchObject({ data: { id, disabled } });
    }
    expect(await stored()).toMatchObject([{ disabled: true, disabledReason: 'MANUAL' }]);
    expect(await admin.json(`webhooks enable ${name} ${id}`)).toMatchObject({ data: { id, disabled: false } });
    expect(await stored()).toMatchObject([{ disabled: false, disabledReason: null, failingSince: null }]);
    expect((await admin.run(`webhooks delete ${name} ${id}`)).out).toContain(id);
    expect(await stored()).toEqual([]);
    expect(admin.log.slice(-2)).toMatchObject([
      { command: 'webhooks enable', organisation: name, operation: 'webhooks.change', of: id },
      { command: 'webhooks delete', organisation: name, operation: 'webhooks.delete' },
    ]);
  });
});

describe('webhooks ping', () => {
  test('delivers a message that receivers verify, and tells status and time', async () => {
    const { id } = await make({ url: `${receiver.url}/ping` });
    const { code, out, err } = await run(`webhooks ping ${name} ${id} --json`);
    const result = JSON.parse(out);
    expect([code, err]).toEqual([0, '']);
    expect(result).toMatchObject({ arrived: true, status: 204, answer: '', error: null, ms: expect.any(Number) });
    const [delivery] = receiver.to('/ping');
    const message = new Webhook(TEST_SECRET).verify(delivery!.body, delivery!.headers as Record<string, string>);
    expect(message).toEqual({
      eventId: result.messageId,
      type: 'ping',
      occurredAt: expect.any(String),
      data: { schemaVersion: 1 },
    });
    expect(ping.parse(message)).toEqual(message);
    expect(delivery!.headers['webhook-id']).toBe(result.messageId);
    expect(result.messageId).toMatch(/^ping_[0-9a-f-]{36}$/);
    expect(out).not.toContain('whsec_');
  });

  test('is signed by the former secret, too, while it holds, and goes to an endpoint that is disabled', async () => {
    const [id, previous] = [randomUUIDv7(), makeSecret()];
    await make({
      id,
      url: `${receiver.url}/rotated`,
      disabled: true,
      disabledReason: 'GONE',
      disabledAt: new Date().toISOString(),
      previousSecret: sealedPreviousSecret({ id, organisationId: organisation }, previous, keys()),
      previousSecretKeyId: keys()[0]!.id,
      previousSecretUntil: new Date(Date.now() + 60_000).toISOString(),
    });
    const { code, err } = await run(`webhooks ping ${name} ${id}`);
    expect([code, err]).toEqual([0, 'The endpoint is disabled: events are not delivered to it\n']);
    const [delivery] = receiver.to('/rotated');
    for (const secret of [TEST_SECRET, previous]) {
      new Webhook(secret).verify(delivery!.body, delivery!.headers as Record<string, string>);
    }
    expect(await stored()).toMatchObject([{ disabled: true }]);
  });

  test('exit 1 where the answer is no 2xx, with what the receiver said, without its control characters', async () => {
    receiver.behave('/broken', answering(500, {}, 'kaputt\u001b[31m\nrot'));
    const { id } = await make({ url: `${receiver.url}/broken` });
    const { code, out } = await run(`webhooks ping ${name} ${id}`);
    expect(code).toBe(1);
    expect(out).toMatch(/^500 after \d+ ms\nkaputt \[31m rot\nping_\S+ did not arrive at https:\S+\.\n$/);
    expect(JSON.parse((await run(`webhooks ping ${name} ${id} --json`)).out)).toMatchObject({
      arrived: false,
      status: 500,
      answer: 'kaputt\u001b[31m\nrot',
    });
  });

  test('exit 1 where nobody answers, and where the address may not be called any more', async () => {
    const { id } = await make({ url: 'https://127.0.0.1:1/' });
    const nobody = await run(`webhooks ping ${name} ${id}`, { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    expect([nobody.code, nobody.out]).toEqual([1, expect.stringMatching(/^No answer after \d+ ms: .*ECONNREFUSED/)]);
    const forbidden = await run(`webhooks ping ${name} ${id}`);
    expect([forbidden.code, forbidden.out]).toEqual([1, expect.stringContaining('is not a public address')]);
  });

  test('says which key is missing, and sends nothing', async () => {
    const { id } = await make({ url: `${receiver.url}/unreadable` });
    const { code, err } = await run(`webhooks ping ${name} ${id}`, { ENCRYPTION_KEYS: newEncryptionKey() });
    expect([code, err]).toEqual([5, expect.stringContaining(`The encryption key ${keys()[0]!.id} is missing`)]);
    expect(receiver.to('/unreadable')).toEqual([]);
  });
});
