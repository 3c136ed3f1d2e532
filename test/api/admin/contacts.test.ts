import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keyFile } from '../../../api/secrets/encryption-keys.ts';
import { newEncryptionKey } from '../../../sql/org/encryption.ts';
import { sql } from '../../../sql/org/statement.ts';
import { type Console, openConsole } from './console.ts';

/** Contacts by the command line: one at a time. */

let admin: Console;
beforeAll(async () => {
  admin = await openConsole();
});
afterAll(() => admin.close());

let made = 0;
let name: string;
beforeEach(async () => {
  made += 1;
  name = `kontakte-${made}`;
  await admin.json(`organisations create ${name} --name Werk`);
});

const ANNA = { art: 'PERSON', name: 'Anna Muster', email: 'anna@werk.example', telefon: '030 1', anrede: 'FRAU' };

const list = (more = '') => admin.json(`contacts list ${name}${more}`);

/** The contact that a command has written, as the list has it: the answer itself names nobody. */
const written = async ({ data }: { data: { id: string } }) =>
  (await list()).find(({ id }: { id: string }) => id === data.id);
const create = async (document: object) =>
  written(await admin.json(`contacts create ${name} -`, JSON.stringify(document)));
const change = async (id: string, document: object) =>
  written(await admin.json(`contacts change ${name} ${id} -`, JSON.stringify(document)));
const lastLog = () => admin.log.at(-1);

describe('contacts create', () => {
  test('makes a contact from a document, and logs its id alone', async () => {
    const contact = await create(ANNA);
    expect(contact).toMatchObject({ ...ANNA, herkunft: 'MANUELL', status: 'CONFIRMED', firma: null });
    expect(contact.geaendertAm).toBe(contact.angelegtAm);
    expect(await list()).toEqual([contact]);
    const { level, time, pid, hostname, msg, ...fields } = lastLog() ?? {};
    expect(fields).toEqual({
      command: 'contacts create',
      organisation: name,
      operation: 'contacts.create',
      of: contact.id,
    });
  });

  test('takes what the document says of origin and status', async () => {
    const contact = await create({ art: 'FUNCTION', name: 'Leitwarte', herkunft: 'REGISTER', status: 'SUGGESTED' });
    expect(contact).toMatchObject({ herkunft: 'REGISTER', status: 'SUGGESTED', email: null, telefon: null });
  });

  test.each([
    ['{"art":"PERSON"}', '#/name is required'],
    ['{"art":"FIRMA","name":"x"}', '#/art must be one of PERSON, FUNCTION'],
    ['{"art":"PERSON","name":" x"}', '#/name must not begin or end with blanks'],
    ['{"art":"PERSON","name":"x","email":"x"}', '#/email must be an e-mail address'],
    ['{"art":"PERSON","name":"x","telefon":"keines"}', '#/telefon must have digits'],
    [
      '{"art":"PERSON","name":"x","telephon":"1"}',
      '#/telephon is not a member that is known here; did you mean telefon?',
    ],
    ['{"art":"FUNCTION","name":"x","anrede":"HERR"}', '#/anrede is only for art PERSON; a FUNCTION has none'],
    ['[]', '#/ must be an object'],
    ['{"art":"PERSON","name":null}', '#/name must be a text'],
    ['{"art":"PERSON",\n"name":x}', 'The document is no JSON'],
  ])('refuses %s', async (document, message) => {
    const { code, err } = await admin.run(`contacts create ${name} -`, document);
    expect([code, err]).toEqual([5, expect.stringContaining(message)]);
    expect(await list()).toEqual([]);
  });
});

describe('contacts change', () => {
  test('changes what the document names, and moves geaendertAm', async () => {
    const before = await create(ANNA);
    const contact = await change(before.id, { telefon: null, email: 'a@werk.example', position: 'Leitung' });
    expect(contact).toEqual({
      ...before,
      telefon: null,
      email: 'a@werk.example',
      position: 'Leitung',
      geaendertAm: contact.geaendertAm,
    });
    expect(contact.geaendertAm > before.geaendertAm).toBe(true);
    expect(await list()).toEqual([contact]);
  });

  test('to what it is already changes nothing, geaendertAm included', async () => {
    const before = await create(ANNA);
    expect(await change(before.id, { name: ANNA.name, email: ANNA.email })).toEqual(before);
  });

  test('each change is later than every one before, also where another server has had a clock that is ahead', async () => {
    const { id } = await create({ ...ANNA, status: 'SUGGESTED' });
    await admin.store.asOperator((session) =>
      session.run(sql`UPDATE contacts SET updated_at = '2090-01-01T00:00:00Z' WHERE id = ${id}::uuid`),
    );
    const newest = async (): Promise<string> =>
      (await list())
        .map(({ geaendertAm }: { geaendertAm: string }) => geaendertAm)
        .toSorted()
        .at(-1);
    const organisation = { externalId: name, name: 'Werk' };
    const document = { format: 1, organisation, contacts: [{ kind: 'FUNCTION', name: 'Zoll' }] };
    const times = [await newest()];
    for (const step of [
      () => change(id, { position: 'Leitung' }),
      () => create({ art: 'FUNCTION', name: 'Leitwarte' }),
      () => admin.json(`contacts confirm ${name} ${id}`),
      () => admin.json(`contacts import ${name} -`, 'art,name\nFUNCTION,Zentrale\n'),
      () => admin.json('import -', JSON.stringify(document)),
    ]) {
      await step();
      times.push(await newest());
    }
    expect(times[0]).toBe('2090-01-01T00:00:00.000Z');
    expect(times).toEqual([...new Set(times)].toSorted());
  });

  test('cannot empty what every contact has, nor give a FUNCTION a salutation', async () => {
    const { id } = await create(ANNA);
    for (const document of [{ name: null }, { art: null }, { status: null }, { art: 'FUNCTION' }]) {
      expect((await admin.run(`contacts change ${name} ${id} -`, JSON.stringify(document))).code).toBe(5);
    }
    expect(await change(id, { art: 'FUNCTION', anrede: null })).toMatchObject({ art: 'FUNCTION', anrede: null });
  });

  test('of a contact of another organisation, or of none, is refused', async () => {
    const { id } = await create(ANNA);
    await admin.json(`organisations create andere-${made} --name Andere`);
    for (const [whose, unknown] of [
      [`andere-${made}`, id],
      [name, randomUUID()],
    ]) {
      const { code, err } = await admin.run(`contacts change ${whose} ${unknown} -`, '{"firma":"x"}');
      expect([code, err]).toEqual([5, expect.stringContaining('no contact')]);
    }
  });
});

describe('contacts confirm', () => {
  test('confirms suggestions once, and leaves others as they are', async () => {
    const suggested = await create({ ...ANNA, status: 'SUGGESTED' });
    const confirmed = await create({ art: 'FUNCTION', name: 'Zoll' });
    const ids = `${suggested.id} ${confirmed.id}`;
    expect(await admin.json(`contacts confirm ${name} ${ids}`)).toMatchObject({ confirmed: 1 });
    const [first, second] = await list();
    expect(first).toEqual({ ...suggested, status: 'CONFIRMED', geaendertAm: first.geaendertAm });
    expect(first.geaendertAm > confirmed.geaendertAm).toBe(true);
    expect(second).toEqual(confirmed);
    expect(await admin.json(`contacts confirm ${name} ${ids}`)).toMatchObject({ confirmed: 0 });
    expect(await list()).toEqual([first, second]);
  });
});

describe('contacts delete', () => {
  test('deletes all that are named, or none', async () => {
    const [one, other] = [await create(ANNA), await create({ art: 'FUNCTION', name: 'Zoll' })];
    const { code } = await admin.run(`contacts delete ${name} ${one.id} ${randomUUID()}`);
    expect([code, (await list()).length]).toEqual([5, 2]);
    expect(await admin.json(`contacts delete ${name} ${one.id}`)).toMatchObject({ deleted: 1 });
    expect(await list()).toEqual([other]);
  });
});

test('contacts list is sorted by name, and can be narrowed', async () => {
  const zoll = await create({ art: 'FUNCTION', name: 'Zoll', status: 'SUGGESTED' });
  const ohm = await create({ art: 'PERSON', name: 'Öhm', email: 'o@werk.example' });
  await create({ art: 'PERSON', name: 'Pohl' });
  expect((await list()).map((contact: { name: string }) => contact.name)).toEqual(['Öhm', 'Pohl', 'Zoll']);
  expect(await list(' --status SUGGESTED')).toEqual([zoll]);
  expect((await list(' --kind PERSON'))[0]).toEqual(ohm);
  expect((await admin.run(`contacts list ${name}`)).out).toMatch(/^name {2}art .*\nÖhm {3}PERSON .* o@werk\.example /);
});

describe('with another key than that of the store', () => {
  test('nothing is written, and the message names the missing key', async () => {
    const { id } = await create(ANNA);
    const file = keyFile(admin.settings);
    const right = readFileSync(file, 'utf8');
    writeFileSync(file, `${newEncryptionKey()}\n`);
    for (const words of [`contacts create ${name} -`, `contacts change ${name} ${id} -`, 'contacts rekey']) {
      const { code, err } = await admin.run(words, JSON.stringify({ art: 'PERSON', name: 'x' }));
      expect([code, err]).toEqual([
        5,
        expect.stringMatching(/encrypted with keys that are not here:\n {2}[0-9a-f]{12}: \d+ contact/),
      ]);
    }
    expect(await admin.run(`contacts list ${name}`)).toMatchObject({
      code: 5,
      err: expect.stringMatching(/^The encryption key [0-9a-f]{12} is missing: bring it back/),
    });
    // Requests that need no key still work, and all do once the key is there as well.
    writeFileSync(file, readFileSync(file, 'utf8') + right);
    expect(await list()).toHaveLength(1);
    writeFileSync(file, right);
    expect(await admin.json(`contacts delete ${name} ${id}`)).toMatchObject({ deleted: 1 });
  });
});
