import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { encryptionKey, newEncryptionKey } from '../../sql/org/encryption.ts';
import type { Contact } from '../../sql/org/records/contacts.ts';
import { sql } from '../../sql/org/statement.ts';
import { cases } from '../support/cases.ts';
import { contactOf, ENCRYPTION_KEY, makeContacts } from '../support/contacts.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';
import { openFresh, POSTGRES } from '../support/store-engines.ts';

/** The contact directory: interface.md, Contact and GET /v1/contacts. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveOwnFixture({ ENCRYPTION_KEYS: ENCRYPTION_KEY });
});
afterAll(() => service.stop());

interface Directory {
  readonly organisation: { readonly id: string };
  readonly key: string;
  make(choices: readonly Partial<Contact>[]): Promise<Contact[]>;
  list(query?: string): Promise<ServiceResponse>;
  names(query?: string): Promise<string[]>;
}

async function newDirectory(of: OwnSubject): Promise<Directory> {
  const organisation = await makeOrganisation(of.store);
  const { text } = await makeKey(of.store, organisation);
  const list: Directory['list'] = (query = '') => of.get(`/v1/contacts?${query}`.replace(/\?$/, ''), withKey(text));
  return {
    organisation,
    key: text,
    make: (choices) => makeContacts(of.store, organisation.id, choices),
    list,
    names: async (query) => (await list(query)).json.data.map(({ name }: { name: string }) => name),
  };
}

let directory: Directory;
beforeEach(async () => {
  directory = await newDirectory(service);
});

/** Reads all pages of a question. */
async function readPages({ list }: Directory, query: string): Promise<{ pages: ServiceResponse[]; ids: string[] }> {
  const pages: ServiceResponse[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: ServiceResponse = await list(cursor === '' ? query : `${query}&cursor=${cursor}`);
    expect(page.json.meta.count).toBe(page.json.data.length);
    expect(page.json.meta.hasMore).toBe(page.json.meta.cursor !== null);
    pages.push(page);
    cursor = page.json.meta.cursor;
  }
  return { pages, ids: pages.flatMap(({ json }) => json.data.map(({ id }: { id: string }) => id)) };
}

describe('a contact', () => {
  test('has every member, with e-mail and telephone as they were written', async () => {
    const [person] = await directory.make([
      {
        name: 'Dr. Erika Muster',
        firstName: 'Erika',
        lastName: 'Muster',
        salutation: 'FRAU',
        title: 'Dr.',
        email: 'erika@werk.example',
        telephone: '+49 30 123-0',
        company: 'Stadtwerke Musterstadt',
        position: 'Leitung',
        origin: 'VERBINDUNG',
        status: 'SUGGESTED',
      },
    ]);
    expect((await directory.list()).json).toEqual({
      data: [
        {
          id: person!.id,
          art: 'PERSON',
          name: 'Dr. Erika Muster',
          vorname: 'Erika',
          nachname: 'Muster',
          anrede: 'FRAU',
          titel: 'Dr.',
          email: 'erika@werk.example',
          telefon: '+49 30 123-0',
          firma: 'Stadtwerke Musterstadt',
          position: 'Leitung',
          herkunft: 'VERBINDUNG',
          status: 'SUGGESTED',
          angelegtAm: '2026-01-02T03:04:05.678Z',
          geaendertAm: '2026-02-03T04:05:06.789Z',
        },
      ],
      meta: { count: 1, hasMore: false, cursor: null, truncated: false },
    });
  });

  test('that is little more than a name has null for the rest', async () => {
    await directory.make([{ kind: 'FUNCTION', name: 'Leitwarte' }]);
    const [{ id, angelegtAm, geaendertAm, ...rest }] = (await directory.list()).json.data;
    const nothing = { vorname: null, nachname: null, anrede: null, titel: null, email: null, telefon: null };
    expect(rest).toEqual({
      art: 'FUNCTION',
      name: 'Leitwarte',
      ...nothing,
      firma: null,
      position: null,
      herkunft: 'MANUELL',
      status: 'CONFIRMED',
    });
  });

  test('of another organisation is not in the list', async () => {
    await makeContacts(service.store, (await makeOrganisation(service.store)).id, [{ name: 'Fremd' }]);
    expect(await directory.names()).toEqual([]);
  });

  test('whose key is missing is not shown in half: the list answers 503, and others are not affected', async () => {
    await directory.make([{ name: 'Auch lesbar' }, { name: 'Lesbar', email: 'a@werk.example' }]);
    const foreignKey = [encryptionKey(newEncryptionKey())];
    await makeContacts(service.store, directory.organisation.id, [{ name: 'Zu', email: 'z@werk.example' }], foreignKey);
    const answer = await directory.list();
    expectProblem(answer, 503, 'SERVICE_UNAVAILABLE');
    expect(answer.json.detail).toContain('the operator of the service has to bring back a key');
    expect(answer.text).not.toContain(foreignKey[0]!.id);
    expect((await directory.list('limit=1')).json.meta).toMatchObject({ count: 1, hasMore: true });
    await service.store.asOperator((session) => session.run(sql`DELETE FROM contacts WHERE name = 'Zu'`));
    expect(await directory.names()).toEqual(['Auch lesbar', 'Lesbar']);
  });
});

/** Names that are sorted differently by bytes, by code points without language, and in German. */
const ORDERED = [
  '1. FC Beispiel',
  '3M',
  'Abel',
  'Äbel',
  'Abele',
  'Müller',
  'Mueller GmbH',
  'Muller',
  'Öl & Gas',
  'Oldenburg',
  'Ørsted',
  'straße',
  'Strasse A',
  'Straße A',
  'Strassen',
  'zeta',
  'Zeta',
  'Łódź',
  'Żory',
].toSorted(new Intl.Collator('de').compare);

describe('the order', () => {
  test('is that of a German directory, equal names by id', async () => {
    const made = await directory.make([...ORDERED.toReversed(), 'Abel', 'Abel'].map((name) => ({ name })));
    const { data } = (await directory.list()).json;
    expect(data.map(({ name }: Contact) => name)).toEqual([
      '1. FC Beispiel',
      '3M',
      'Abel',
      'Abel',
      ...ORDERED.slice(2),
    ]);
    const ids = made.filter(({ name }) => name === 'Abel').map(({ id }) => id);
    expect(data.filter(({ name }: Contact) => name === 'Abel').map(({ id }: Contact) => id)).toEqual(ids.toSorted());
  });

  test('pages of any sizes give each contact once, in the order of the whole list', async () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aAäÄbBoöÖsßzZ -.1'), minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(letters, { maxLength: 20 }),
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom('', '&suche=a', '&kind=FUNCTION'),
        async (names, limit, filter) => {
          const own = await newDirectory(service);
          if (names.length > 0) {
            await own.make(names.map((name, index) => ({ name, kind: index % 3 === 0 ? 'FUNCTION' : 'PERSON' })));
          }
          const whole = (await own.list(`limit=250${filter}`)).json.data.map(({ id }: Contact) => id);
          expect((await readPages(own, `limit=${limit}${filter}`)).ids).toEqual(whole);
        },
      ),
      { numRuns: cases(10) },
    );
  });

  test('a contact that is made or deleted between two pages moves no other one', async () => {
    const made = await directory.make(['A', 'C', 'E', 'G'].map((name) => ({ name })));
    const first = (await directory.list('limit=2')).json;
    expect(first.data.map(({ name }: Contact) => name)).toEqual(['A', 'C']);
    await directory.make([{ name: 'B' }, { name: 'D' }]);
    await service.store.asOperator((session) => session.run(sql`DELETE FROM contacts WHERE id = ${made[1]!.id}::uuid`));
    expect(await directory.names(`limit=2&cursor=${first.meta.cursor}`)).toEqual(['D', 'E']);
  });

  test.skipIf(!POSTGRES.here)('a server orders and pages alike', async () => {
    const store = await openFresh(POSTGRES);
    const other = await serveOwnFixture({ ENCRYPTION_KEYS: ENCRYPTION_KEY }, store);
    const names = [...ORDERED, ...ORDERED.map((name) => `${name} 2`), 'Abel-Werk', 'Abel Werk', 'ABEL', 'abel'];
    const contacts = names.map((name) => contactOf({ name, company: 'Größe' }));
    const both = [directory, await newDirectory(other)];
    const pages = [];
    for (const each of both) {
      await each.make(contacts.map((contact) => ({ ...contact })));
      pages.push([(await readPages(each, 'limit=7')).ids, (await readPages(each, 'limit=3&suche=grosse+2')).ids]);
    }
    expect(pages[1]).toEqual(pages[0]);
    expect(pages[0]![0]).toHaveLength(names.length);
    await other.stop();
    await store.close();
  });
});

describe('kind', () => {
  test('selects individuals, or roles and departments', async () => {
    await directory.make([{ name: 'Anna' }, { name: 'Leitwarte', kind: 'FUNCTION' }]);
    expect(await directory.names('kind=PERSON')).toEqual(['Anna']);
    expect(await directory.names('kind=FUNCTION')).toEqual(['Leitwarte']);
  });

  test.each(['kind=person', 'kind=PERSON,FUNCTION', 'kind=', 'kind=PERSON&kind=PERSON'])(
    '%s is refused',
    async (query) => {
      expectProblem(await directory.list(query), 400, 'INVALID_PARAMETER');
    },
  );
});

describe('suche', () => {
  beforeEach(async () => {
    await directory.make([
      { name: 'Müller, Jörg', company: 'Stadtwerke Größe', email: 'jm@geheim.example', position: 'Vorstand' },
      { name: 'Maier', company: 'Windpark Süd', title: 'Vorstand' },
      { name: 'Leitwarte', kind: 'FUNCTION', company: null, telephone: '0301234567' },
    ]);
  });

  test.each([
    ['muller', ['Müller, Jörg']],
    ['ÜLL', ['Müller, Jörg']],
    ['groesse', []],
    ['grosse', ['Müller, Jörg']],
    ['SUD', ['Maier']],
    ['jorg+stadt', ['Müller, Jörg']],
    ['jorg+wind', []],
    ['er', ['Maier', 'Müller, Jörg']],
    ['er+er', ['Maier', 'Müller, Jörg']],
    ['%25', []],
    ['_', []],
  ])('%s finds %j', async (text, names) => {
    expect(await directory.names(`suche=${text}`)).toEqual(names);
  });

  test.each(['geheim', '0301234567', 'vorstand'])(
    '%s, which is neither name nor company, finds nobody',
    async (text) => {
      expect(await directory.names(`suche=${text}`)).toEqual([]);
    },
  );

  test('and kind go together', async () => {
    expect(await directory.names('suche=le&kind=PERSON')).toEqual(['Müller, Jörg']);
  });

  test('without a word, with too many or too long is refused', async () => {
    expectProblem(await directory.list('suche=%20'), 400, 'INVALID_PARAMETER');
    expectProblem(await directory.list(`suche=${'abcdefghijk'.split('').join('+')}`), 400, 'TOO_MANY_VALUES');
    expectProblem(await directory.list(`suche=${'a'.repeat(201)}`), 400, 'INVALID_PARAMETER');
  });

  test('finds the last of more contacts than are looked at at once, of few and of many that match', async () => {
    const rows = Array.from({ length: 10_050 }, (_, index) => ({ name: `Kontakt ${String(index).padStart(5, '0')}` }));
    await directory.make([...rows, { name: 'Zuletzt' }]);
    expect(await directory.names('suche=zuletzt')).toEqual(['Zuletzt']);
    expect(await directory.names('suche=niemand')).toEqual([]);
    expect(await directory.names('suche=kontakt&limit=2')).toEqual(['Kontakt 00000', 'Kontakt 00001']);
    expect(await directory.names('suche=kontakt+1004&limit=12')).toEqual(
      [1_004, ...Array.from({ length: 10 }, (_, index) => 10_040 + index)].map((index) => rows[index]!.name),
    );
  });
});

describe('a cursor', () => {
  test('holds the name of nobody that could be read', async () => {
    await directory.make([{ name: 'Geheimrat Abendroth' }, { name: 'Zoll' }]);
    const answer = await directory.list('limit=1');
    const { cursor } = answer.json.meta;
    expect(answer.headers.get('link')).toContain(`/v1/contacts?limit=1&cursor=${cursor}>; rel="next"`);
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toMatch(/Geheim|Abendroth|name/);
    expect((await directory.list('limit=1')).json.meta.cursor).not.toBe(cursor);
    expect(await directory.names(`limit=1&cursor=${cursor}`)).toEqual(['Zoll']);
  });

  test('belongs to its question and its organisation, and cannot be altered', async () => {
    await directory.make([{ name: 'A' }, { name: 'B' }]);
    const { cursor } = (await directory.list('limit=1')).json.meta;
    const altered = `${cursor.slice(0, -2)}${cursor.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const query of [`kind=PERSON&cursor=${cursor}`, `suche=b&cursor=${cursor}`, `cursor=${altered}`, 'cursor=x']) {
      expectProblem(await directory.list(query), 400, 'INVALID_CURSOR');
    }
    expectProblem(await (await newDirectory(service)).list(`cursor=${cursor}`), 400, 'INVALID_CURSOR');
    const { cursor: ofUnits } = (await service.get('/v1/units?limit=1')).json.meta.page;
    expectProblem(await directory.list(`cursor=${ofUnits}`), 400, 'INVALID_CURSOR');
  });
});

test('needs module workspace and scope contacts:read', async () => {
  const bare = await makeOrganisation(service.store, { modules: ['api', 'analysis', 'portfolio'] });
  const withoutModule = await makeKey(service.store, bare);
  expectProblem(await service.get('/v1/contacts', withKey(withoutModule.text)), 403, 'MISSING_MODULE');
  const { text } = await makeKey(service.store, directory.organisation, { scopes: ['units:read'] });
  expectProblem(await service.get('/v1/contacts', withKey(text)), 403, 'MISSING_SCOPE');
});

describe('writing', () => {
  const ANNA = { art: 'PERSON', name: 'Anna Muster', email: 'anna@werk.example', telefon: '030 1', anrede: 'FRAU' };

  const write = (method: string, path: string, body?: object, headers: object = {}) =>
    service.send(method, `/v1/contacts${path}`, {
      headers: { ...withKey(directory.key), 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const listed = async () => (await directory.list()).json.data;

  test('a new contact is in the directory, and its answer names nobody', async () => {
    const { status, json, text } = await write('POST', '', ANNA, { 'Idempotency-Key': 'anna' });
    expect(status).toBe(201);
    expect(json.data).toEqual({
      id: expect.any(String),
      angelegtAm: expect.any(String),
      geaendertAm: json.data.angelegtAm,
    });
    expect(text).not.toMatch(/Anna|werk\.example|030/);
    expect(await listed()).toMatchObject([
      { ...json.data, ...ANNA, herkunft: 'MANUELL', status: 'CONFIRMED', firma: null },
    ]);
    expect((await write('POST', '', ANNA, { 'Idempotency-Key': 'anna' })).json).toEqual(json);
    expect(await listed()).toHaveLength(1);
  });

  test('nothing that is kept of a write has a person in it, but for the directory', async () => {
    await write('POST', '', ANNA, { 'Idempotency-Key': 'kept' });
    const kept = await service.store.asOperator((session) =>
      session.rows(
        z.strictObject({ text: z.string() }),
        sql`SELECT row_to_json(k)::text AS text FROM idempotency_keys k WHERE organisation_id = ${directory.organisation.id}::uuid
          UNION ALL SELECT row_to_json(a)::text FROM audit_log a WHERE organisation_id = ${directory.organisation.id}::uuid`,
      ),
    );
    expect(kept.length).toBeGreaterThan(0);
    expect(JSON.stringify(kept)).not.toMatch(/Muster|werk\.example|030 1/);
  });

  test('a change names some members, empties others, and moves the time only when something changes', async () => {
    const { id } = (await write('POST', '', { ...ANNA, status: 'SUGGESTED' })).json.data;
    const [before] = await listed();
    expect((await write('PATCH', `/${id}`, { name: ANNA.name })).json.data.geaendertAm).toBe(before.geaendertAm);
    const { geaendertAm } = (await write('PATCH', `/${id}`, { status: 'CONFIRMED', telefon: null })).json.data;
    expect(await listed()).toEqual([{ ...before, status: 'CONFIRMED', telefon: null, geaendertAm }]);
    expect(geaendertAm > before.geaendertAm).toBe(true);
  });

  test('one that is deleted is gone, and unknown from then on', async () => {
    const { id } = (await write('POST', '', ANNA)).json.data;
    expect((await write('DELETE', `/${id.toUpperCase()}?dryRun=true`)).status).toBe(200);
    expect((await write('DELETE', `/${id}`)).json).toEqual({ data: null, meta: { deleted: id } });
    for (const path of [`/${id}`, '/keine']) expectProblem(await write('DELETE', path), 404, 'NOT_FOUND');
    expect(await listed()).toEqual([]);
  });

  test.each<[object, number, string]>([
    [{ art: 'PERSON' }, 400, 'INVALID_BODY'],
    [{ art: 'FIRMA', name: 'x' }, 400, 'INVALID_BODY'],
    [{ art: 'PERSON', name: 'x', email: 'x' }, 400, 'INVALID_BODY'],
    [{ art: 'PERSON', name: 'x', telephon: '1' }, 400, 'UNKNOWN_PARAMETER'],
    [{ art: 'FUNCTION', name: 'x', anrede: 'HERR' }, 422, 'UNPROCESSABLE'],
  ])('%j is refused', async (body, status, code) => {
    const response = await write('POST', '', body);
    expect([response.status, response.json.code]).toEqual([status, code]);
    expect(await listed()).toEqual([]);
  });
});
