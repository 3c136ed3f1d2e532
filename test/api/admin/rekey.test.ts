import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { execute } from '../../../api/admin/execution/execute.ts';
import { keyFile, openKeyring } from '../../../api/secrets/encryption-keys.ts';
import { reportMissingKeys } from '../../../api/secrets/missing-keys.ts';
import { acquireLock } from '../../../runtime/lock-file.ts';
import { readSettings } from '../../../runtime/settings.ts';
import { currentKey, newEncryptionKey } from '../../../sql/org/encryption.ts';
import { contactsOfKeys } from '../../../sql/org/records/contacts.ts';
import { sql } from '../../../sql/org/statement.ts';
import { endpointRow, endpointsOf } from '../../../sql/org/webhooks/endpoints.ts';
import { makeSecret, signingSecrets } from '../../../sql/org/webhooks/secrets.ts';
import { makeContacts } from '../../support/contacts.ts';
import { makeKey, makeOrganisation } from '../../support/organisation.ts';
import { withKey } from '../../support/requests.ts';
import { type OwnSubject, serveOwnFixture } from '../../support/service.ts';
import { drawnEngines, SILENT } from '../../support/store-engines.ts';
import { makeEndpoint } from '../../support/webhooks.ts';
import { type Console, openConsole, runCommandLine } from './console.ts';

/** Another key for what is encrypted, while the service runs. */

const [OLD_SECRET, OTHER_SECRET, NEW_SECRET] = [makeSecret(), makeSecret(), makeSecret()];
const SECRETS = [OLD_SECRET, OTHER_SECRET];

const keyRow = z.strictObject({ keyId: z.string().nullable(), contacts: z.int() });

for (const engine of drawnEngines(3)) {
  describe(`encryption rekey: ${engine.name}`, () => {
    let admin: Console;
    let service: OwnSubject;
    let organisation: { readonly id: string };
    let key: string;
    const endpoints: string[] = [];
    beforeAll(async () => {
      admin = await openConsole(await engine.place());
      service = await serveOwnFixture({ STATE_DIR: admin.settings.STATE_DIR }, admin.store);
      organisation = await makeOrganisation(admin.store, { externalId: 'werk' });
      key = (await makeKey(admin.store, organisation)).text;
      const contacts = Array.from({ length: 1_300 }, (_, index) => ({
        name: `Kontakt ${index}`,
        email: index % 3 === 0 ? null : `k${index}@werk.example`,
        telephone: index % 2 === 0 ? null : `030 ${index}`,
      }));
      const keys = openKeyring(admin.settings).keys();
      await makeContacts(admin.store, organisation.id, contacts, keys);
      for (const secret of SECRETS)
        endpoints.push((await makeEndpoint(admin.store, organisation.id, { secret }, keys)).id);
      // The first endpoint had another secret before.
      await service.send('POST', `/v1/webhooks/endpoints/${endpoints[0]}/secret`, {
        headers: { ...withKey(key), 'Content-Type': 'application/json' },
        body: JSON.stringify({ secret: NEW_SECRET }),
      });
    });
    afterAll(async () => {
      await service.stop();
      await admin.close();
    });

    const keysInUse = () =>
      admin.store.asOperator((session) =>
        session.rows(
          keyRow,
          sql`SELECT key_id AS "keyId", count(*) AS contacts FROM contacts GROUP BY key_id ORDER BY key_id`,
        ),
      );
    /** The secrets that sign at this moment, by endpoint, as the service reads them. */
    const signing = async () => {
      const rows = await admin.store.asOperator((session) => session.rows(endpointRow, endpointsOf(organisation.id)));
      return rows.map((row) => signingSecrets(row, openKeyring(admin.settings).keys(), new Date()));
    };
    const exported = async () => (await admin.json('export werk')).contacts;
    const currentId = () => currentKey(openKeyring(admin.settings).keys()).id;

    test('every contact gets the new key and stays the same, geaendertAm included', async () => {
      const [before, keyBefore] = [await exported(), currentId()];
      const done = await admin.json('encryption rekey');
      expect(done).toMatchObject({
        keyId: currentId(),
        contacts: 1_083,
        endpoints: 2,
        emails: 0,
        droppable: [],
        file: keyFile(admin.settings),
      });
      expect(currentId()).not.toBe(keyBefore);
      expect(await exported()).toEqual(before);
      expect((await keysInUse()).filter(({ keyId }) => keyId !== null)).toEqual([
        { keyId: currentId(), contacts: 1_083 },
      ]);
      expect(await signing()).toEqual([[NEW_SECRET, OLD_SECRET], [OTHER_SECRET]]);
      expect(readFileSync(keyFile(admin.settings), 'utf8').trim().split('\n')).toHaveLength(1);
      expect(readdirSync(admin.settings.STATE_DIR).filter((name) => name.startsWith('encryption-key'))).toEqual([
        'encryption-key',
      ]);
    });

    test('meanwhile every page is answered, and what is written then can be read afterwards', async () => {
      let over = false;
      const statuses: number[] = [];
      const reading = (async () => {
        for (let cursor = ''; !over; ) {
          const { status, json } = await service.get(`/v1/contacts?limit=50${cursor}`, withKey(key));
          statuses.push(status);
          cursor = json.meta?.cursor == null ? '' : `&cursor=${json.meta.cursor}`;
        }
      })();
      const written: string[] = [];
      const writing = (async () => {
        while (!over) {
          const email = `neu${written.length}@werk.example`;
          await admin.json('contacts create werk -', JSON.stringify({ art: 'PERSON', name: 'Neu', email }));
          written.push(email);
          // Commands of a service come over a socket, so that there is a turn between them.
          await nextTurn();
        }
      })();
      try {
        do await admin.json('encryption rekey');
        while (statuses.length < 5 || written.length < 5);
      } finally {
        over = true;
        await Promise.all([reading, writing]);
      }
      expect(new Set(statuses)).toEqual(new Set([200]));
      const addresses = (await exported()).map(({ email }: { email: string | null }) => email);
      expect(addresses).toEqual(expect.arrayContaining(written));
      expect((await keysInUse()).flatMap(({ keyId }) => keyId ?? [])).toEqual([currentId()]);
    });

    test('one that was interrupted is finished by the next', async () => {
      const file = keyFile(admin.settings);
      const [older] = readFileSync(file, 'utf8').trim().split('\n');
      writeFileSync(file, `${newEncryptionKey()}\n${older}\n`);
      await admin.json(
        'contacts create werk -',
        JSON.stringify({ art: 'PERSON', name: 'Halb', email: 'halb@werk.example' }),
      );
      expect((await keysInUse()).filter(({ keyId }) => keyId !== null)).toHaveLength(2);
      const before = await exported();
      await admin.json('encryption rekey');
      expect(await exported()).toEqual(before);
      expect((await keysInUse()).flatMap(({ keyId }) => keyId ?? [])).toEqual([currentId()]);
    });

    test('meanwhile secrets are read and rotated, and those that are made then can be read afterwards', async () => {
      let over = false;
      const statuses: number[] = [];
      const [, id] = endpoints;
      const place = `/v1/webhooks/endpoints/${id}/secret`;
      let last = '';
      const calling = (async () => {
        const headers = { ...withKey(key), 'Content-Type': 'application/json' };
        while (!over) {
          const rotated = await service.send('POST', place, { headers, body: '{}' });
          const shown = await service.get(place, withKey(key));
          statuses.push(rotated.status, shown.status);
          expect(shown.json.data?.secret).toBe(rotated.json.data?.secret);
          last = shown.json.data?.secret;
        }
      })();
      try {
        do await admin.json('encryption rekey');
        while (statuses.length < 20);
      } finally {
        over = true;
        await calling;
      }
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect((await signing())[1]![0]).toBe(last);
    });

    test('the former name of the command does the same', async () => {
      const before = currentId();
      expect(await admin.json('contacts rekey')).toMatchObject({ contacts: expect.any(Number), endpoints: 2 });
      expect(currentId()).not.toBe(before);
    });

    test('two at once are refused: each would drop the key of the other', async () => {
      const file = keyFile(admin.settings);
      const unlock = acquireLock(`${file}.lock`, 'a test', 'locked');
      expect((await admin.run('encryption rekey')).code).toBe(4);
      unlock();
      const { code, out } = await admin.run('encryption rekey');
      expect([code, out]).toEqual([0, expect.stringContaining(`. Everything has the key ${currentId()} now.\n`)]);
    });

    test('with ENCRYPTION_KEYS the first key encrypts everything, and the others are named', async () => {
      const present = readFileSync(keyFile(admin.settings), 'utf8').trim();
      const [next, unused] = [newEncryptionKey(), newEncryptionKey()];
      const settings = readSettings({
        STATE_DIR: dirname(keyFile(admin.settings)),
        ENCRYPTION_KEYS: [next, present, unused].join(),
      });
      const { out } = await runCommandLine('encryption rekey --json', (command, raw) =>
        execute(command, raw, { store: admin.store, settings, log: SILENT }),
      );
      const [first, ...others] = openKeyring(settings).keys();
      expect(JSON.parse(out)).toMatchObject({ keyId: first!.id, droppable: others.map(({ id }) => id), file: null });
      expect((await keysInUse()).flatMap(({ keyId }) => keyId ?? [])).toEqual([first!.id]);
      expect(readFileSync(keyFile(admin.settings), 'utf8').trim()).toBe(present);
      // The service, which has the file only, says at its next start what it cannot read.
      const lines: object[] = [];
      const log = { error: (fields: object) => void lines.push(fields) } as unknown as typeof SILENT;
      await reportMissingKeys(admin.store, openKeyring(admin.settings), log);
      expect(lines).toEqual([{ keyId: first!.id, contacts: expect.any(Number), endpoints: 2, emails: 0 }]);
      expect((await service.get('/v1/contacts', withKey(key))).status).toBe(503);
      writeFileSync(keyFile(admin.settings), `${next}\n`);
      await reportMissingKeys(admin.store, openKeyring(admin.settings), log);
      expect(lines).toHaveLength(1);
      expect((await service.get('/v1/contacts', withKey(key))).status).toBe(200);
    });

    test('a contact that is damaged stops it, and no key is dropped', async () => {
      const before = readFileSync(keyFile(admin.settings), 'utf8').trim();
      const damage = (email: string) =>
        admin.store.asOperator((session) => session.run(sql`UPDATE contacts SET email = ${email} WHERE name = 'Halb'`));
      await damage('AAAA');
      const { code, err } = await admin.run('encryption rekey');
      expect([code, err]).toEqual([5, expect.stringMatching(/^email of [0-9a-f-]{36} was not encrypted there/)]);
      expect(readFileSync(keyFile(admin.settings), 'utf8').trim().split('\n')).toEqual([expect.any(String), before]);
      const left = await admin.store.asOperator((session) =>
        session.rows(z.unknown(), contactsOfKeys([currentId()], 1)),
      );
      expect(left.length).toBeLessThanOrEqual(1);
    });
  });
}
