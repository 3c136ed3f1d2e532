import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { putEmails } from '../../sql/org/alerts/emails.ts';
import { encryptionKey } from '../../sql/org/encryption.ts';
import { sql } from '../../sql/org/statement.ts';
import { publish } from '../../sql/warehouse/versions.ts';
import { buildChain, type Chain } from '../api/delta/chain.ts';
import { makeAlert } from '../support/alerts.ts';
import { ENCRYPTION_KEY } from '../support/contacts.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { end, type ServiceProcess } from '../support/service-process.ts';
import { drawnStores, type Installation, makeInstallation } from './installation.ts';

/**
 * The service is killed before each step of the store between an event and the note that its e-mail was sent. Nobody misses a
 * message. One comes twice only where the crash fell between the yes of the mail server and the note of it, which no protocol
 * can close; both then have one Message-ID, so that mail programs show one.
 */

const SELF_KILLING = new URL('self-killing-alerts.ts', import.meta.url);
const ADDRESSES = ['eins@netz.example', 'zwei@netz.example'];

let chain: Chain;
beforeAll(async () => {
  chain = await buildChain();
}, 240_000);
afterAll(() => chain.remove());

describe.each(drawnStores(1))('$name', ({ engine }) => {
  let place: Installation;
  let mails: MailServer;
  let service: ServiceProcess | undefined;
  beforeAll(async () => {
    mails = await startMailServer();
    place = await makeInstallation(engine, (warehouse) => chain.into(warehouse));
  });
  afterAll(async () => {
    if (service !== undefined) await end(service, 'SIGKILL');
    place?.remove();
    await mails.close();
  });

  async function arrange(): Promise<void> {
    const [first = '', second = ''] = chain.versions;
    publish(place.warehouse, first, 'build', new Date(Date.now() - 60_000));
    const store = await place.openStore();
    const enabledAt = new Date(Date.now() - 30_000).toISOString();
    const { id: alertId } = await makeAlert(store, place.organisation, { name: 'Alles Neue', enabledAt });
    const keyring = { keys: () => [encryptionKey(ENCRYPTION_KEY)] };
    const organisationId = place.organisation.id;
    await store.asOperator((session) => putEmails(session, keyring, { organisationId, alertId }, ADDRESSES));
    await store.close();
    publish(place.warehouse, second, 'build', new Date());
  }

  const survived = () => join(place.warehouse, 'survived');
  const start = () =>
    place.start(SELF_KILLING, {
      ...{ WAY: 'mails', SHARE: '0/1', SURVIVED: survived(), SEEN: join(place.warehouse, 'seen') },
      ...{ ENCRYPTION_KEYS: ENCRYPTION_KEY, SMTP_URL: mails.url, SMTP_FROM: 'alarme@dienst.example' },
    });

  /** Waits until there is nothing to do or the process is dead. */
  async function hasDoneAll({ child, ended }: ServiceProcess): Promise<boolean> {
    for (;;) {
      child.send('progress', () => {});
      const answered = once(child, 'message').then(([{ open }]) => open as number);
      const seen = await Promise.race([answered, ended]);
      if (typeof seen !== 'number') return false;
      if (seen === 0) return true;
      await sleep(20);
    }
  }

  test('each address is told once, and twice only after a crash behind the yes', { timeout: 600_000 }, async () => {
    await arrange();
    writeFileSync(survived(), '');
    for (;;) {
      service = await start().catch(() => undefined);
      if (service !== undefined && (await hasDoneAll(service))) break;
    }
    await end(service, 'SIGTERM');
    const kills = readFileSync(survived(), 'utf8').split('\n').filter(Boolean);
    // Between taking a message and sending it, and between the yes and the note.
    expect(kills.some((step) => /^committed: WITH due/.test(step))).toBe(true);
    const behindTheYes = kills.filter((step) => /^(commit: )?WITH ended/.test(step));
    expect(behindTheYes).toHaveLength(2);

    const byAddress = Map.groupBy(mails.taken, ({ to }) => to);
    expect([...byAddress.keys()].sort()).toEqual(ADDRESSES);
    for (const messages of byAddress.values()) {
      expect(new Set(messages.map(({ headers }) => /^Message-ID: (.*)$/im.exec(headers)?.[1])).size).toBe(1);
    }
    expect(mails.taken).toHaveLength(ADDRESSES.length + behindTheYes.length);

    const store = await place.openStore();
    const noted = await store.asOperator((session) =>
      session.rows(
        z.strictObject({ sent: z.int(), failed: z.int() }),
        sql`SELECT emails_sent AS sent, emails_failed AS failed FROM alert_evaluations WHERE outcome = 'FIRED'`,
      ),
    );
    expect(noted).toEqual([{ sent: 2, failed: 0 }]);
    await store.close();
  });
});
