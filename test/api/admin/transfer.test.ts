import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKeyCache } from '../../../api/access/api-key-cache.ts';
import { parseApiKey } from '../../../sql/org/api-key.ts';
import { putPortfolio } from '../../../sql/org/portfolio.ts';
import { putSavedFilters } from '../../../sql/org/saved-filters.ts';
import { cases } from '../../support/cases.ts';
import { type Console, openConsole } from './console.ts';
import { document, sorted } from './documents.ts';

/** The commands export and import. */

let here: Console;
let there: Console;

beforeAll(async () => {
  here = await openConsole();
  there = await openConsole();
});

afterAll(async () => {
  await here.close();
  await there.close();
});

const ENTRY = {
  mastrNumber: 'SEE900000000001',
  relationType: 'OPERATOR',
  externalRefs: { sap: '4711' },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-02-01T00:00:00.000Z',
  removedAt: null,
} as const;

const REMOVED = {
  ...ENTRY,
  mastrNumber: 'SEE900000000002',
  removedAt: '2026-02-01T00:00:00.000Z',
} as const;

const FILTER = {
  name: 'Große Windparks',
  kind: 'table',
  criteria: { einheitTyp: ['wind'], leistungMinKw: 3000 },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-02-01T00:00:00.000Z',
} as const;

/** Creates an organisation with everything. Returns the text of its key. */
async function fillOrganisation(admin: Console, name: string): Promise<string> {
  await admin.json(`organisations create ${name} --name Werk --modules all --signals all --trial-end 2090-01-31`);
  await admin.json(`organisations limits set ${name} standard=120`);
  await admin.json(`users create ${name} anna --name Anna --email anna@werk.example --role owner`);
  const { key } = await admin.json(`keys create ${name} --name Leitwarte --scopes units:read --by anna`);
  const { organisation } = await admin.json(`organisations show ${name}`);
  const entries = [ENTRY, REMOVED].map((entry) => ({ ...entry, id: randomUUID() }));
  await admin.store.asOperator((session) => session.run(putPortfolio(organisation.id, entries)));
  const filters = [{ ...FILTER, id: randomUUID() }];
  await admin.store.asOperator((session) => session.run(putSavedFilters(organisation.id, filters)));
  return key;
}

const remove = (admin: Console, name: string) =>
  admin.json(`organisations delete ${name} --yes-delete-everything-of ${name}`);

const take = (admin: Console, text: unknown, ...words: string[]) =>
  admin.json(['import', '-', ...words], JSON.stringify(text));

const NOTHING = { created: 0, updated: 0, unchanged: 0 };
const counts = (some: object) => ({ ...NOTHING, ...some });

describe('a move to another store', () => {
  let key: string;

  beforeAll(async () => {
    key = await fillOrganisation(here, 'werk');
  });

  test('carries everything: the new store exports the same document', async () => {
    const exported = await here.json('export werk');
    expect(exported).toMatchObject({
      format: 1,
      users: [{}],
      keys: [{ createdBy: 'anna' }],
      portfolio: [{}, {}],
      savedFilters: [FILTER],
    });
    expect(await take(there, exported)).toMatchObject({
      organisation: 'werk',
      counts: {
        organisation: counts({ created: 1 }),
        users: counts({ created: 1 }),
        keys: counts({ created: 1 }),
        portfolio: counts({ created: 2 }),
        savedFilters: counts({ created: 1 }),
      },
      dryRun: false,
    });
    expect(await there.json('export werk')).toEqual(exported);
  });

  test('keeps the key working, for the organisation with the same id', async () => {
    const parsed = parseApiKey(key)!;
    const [before, after] = await Promise.all([apiKeyCache(here.store)(parsed), apiKeyCache(there.store)(parsed)]);
    expect(after.refusal).toBe(null);
    expect(after.caller!.organisation.id).toBe(before.caller!.organisation.id);
  });

  test('changes nothing the second time and says so', async () => {
    const text = (await here.run('export werk')).out;
    const before = await there.json('export werk');
    const { out } = await there.run('import -', text);
    expect(out).toBe(
      [
        'The organisation werk is as the document says: nothing was changed.',
        '',
        '              created  updated  unchanged',
        'organisation        0        0          1',
        'users               0        0          1',
        'keys                0        0          1',
        'portfolio           0        0          2',
        'savedFilters        0        0          1',
        '',
      ].join('\n'),
    );
    expect(await there.json('export werk')).toEqual(before);
  });

  test('goes through a file that only its owner can read and that is never overwritten', async () => {
    const file = join(here.settings.STATE_DIR, 'werk.json');
    expect(await here.json(['export', 'werk', '--out', file])).toEqual({
      format: 1,
      organisation: 'werk',
      users: 1,
      keys: 1,
      portfolio: 2,
      savedFilters: 1,
      file,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(await here.json('export werk'));
    expect(await here.run(['export', 'werk', '--out', file])).toMatchObject({ code: 5, out: '' });
    expect(await there.run(['import', file])).toMatchObject({ code: 0 });
  });
});

describe('a document', () => {
  let exported: Awaited<ReturnType<Console['json']>>;

  beforeEach(async () => {
    await fillOrganisation(here, 'own');
    exported = await here.json('export own');
    return async () => {
      await remove(here, 'own');
    };
  });

  test('with few members makes an organisation with defaults', async () => {
    const organisation = { externalId: 'small', name: 'Small' };
    const users = [{ externalId: 'bob', name: 'Bob', role: 'admin' }];
    expect((await take(here, { format: 1, organisation, users })).counts).toEqual({
      organisation: counts({ created: 1 }),
      users: counts({ created: 1 }),
    });
    expect(await here.json('export small')).toMatchObject({
      organisation: { ...organisation, modules: [], limits: {}, quota: 100_000, trialEndsAt: null },
      users: [{ ...users[0], email: null }],
      keys: [],
      portfolio: [],
      savedFilters: [],
    });
    await remove(here, 'small');
  });

  test('leaves absent sections, items and members unchanged', async () => {
    const document = {
      format: 1,
      organisation: { externalId: 'own', name: 'Renamed' },
      users: [{ externalId: 'carl', name: 'Carl', role: 'member' }],
    };
    expect((await take(here, document)).counts).toEqual({
      organisation: counts({ updated: 1 }),
      users: counts({ created: 1 }),
    });
    const after = await here.json('export own');
    expect(after.organisation).toEqual({
      ...exported.organisation,
      name: 'Renamed',
      updatedAt: after.organisation.updatedAt,
    });
    expect(after.organisation.updatedAt > exported.organisation.updatedAt).toBe(true);
    expect(after.users.map((user: { externalId: string }) => user.externalId)).toEqual(['anna', 'carl']);
    expect(after).toMatchObject({ keys: exported.keys, portfolio: exported.portfolio });
  });

  test('overwrites present members except ids and times of creation', async () => {
    const changed = structuredClone(exported);
    Object.assign(changed.users[0], { id: randomUUID(), role: 'member', createdAt: '1999-01-01T00:00:00Z' });
    Object.assign(changed.keys[0], { name: 'Renamed', scopes: ['region:read'] });
    Object.assign(changed.portfolio[0], { relationType: 'OWNER', externalRefs: {} });
    expect((await take(here, changed)).counts).toMatchObject({
      organisation: { unchanged: 1 },
      users: { updated: 1 },
      keys: { updated: 1 },
      portfolio: { updated: 1, unchanged: 1 },
    });
    const after = await here.json('export own');
    const { id, createdAt } = exported.users[0];
    expect(after.users).toMatchObject([{ id, createdAt, role: 'member' }]);
    expect(after.users[0].updatedAt > exported.users[0].updatedAt).toBe(true);
    expect(after.keys).toEqual([{ ...exported.keys[0], name: 'Renamed', scopes: ['region:read'] }]);
    expect(after.portfolio[0]).toMatchObject({ relationType: 'OWNER', externalRefs: {}, createdAt: ENTRY.createdAt });
    expect(after.portfolio[0].updatedAt > ENTRY.updatedAt).toBe(true);
  });

  test('with other ids and times of creation only changes nothing', async () => {
    const other = { id: randomUUID(), createdAt: '1999-01-01T00:00:00Z', updatedAt: '2099-01-01T00:00:00Z' };
    const { organisation, users, keys, portfolio } = structuredClone(exported);
    Object.assign(organisation, other);
    Object.assign(users[0], other);
    Object.assign(keys[0], { id: randomUUID(), createdAt: '1999-01-01T00:00:00Z' });
    Object.assign(portfolio[0], other);
    await take(here, { format: 1, organisation, users, keys, portfolio });
    expect(await here.json('export own')).toEqual(exported);
  });

  test('may have times with any offset', async () => {
    const document = {
      format: 1,
      organisation: { externalId: 'own', name: 'Werk', trialEndsAt: '2030-01-01T01:00:00+01:00' },
    };
    await take(here, document);
    expect((await here.json('export own')).organisation.trialEndsAt).toBe('2030-01-01T00:00:00.000Z');
    expect((await take(here, document)).counts.organisation).toEqual(counts({ unchanged: 1 }));
  });

  test('does not revive a revoked key', async () => {
    await here.json(`keys revoke ${exported.keys[0].prefix}`);
    expect((await take(here, exported)).counts.keys).toEqual(counts({ unchanged: 1 }));
    expect(await here.json('keys list own')).toMatchObject([{ state: 'revoked' }]);
  });

  test('in a dry run reports the changes and makes none', async () => {
    const changed = structuredClone(exported);
    changed.organisation.quota = 5;
    changed.users.push({ externalId: 'carl', name: 'Carl', role: 'member' });
    const before = here.log.length;
    const report = await take(here, changed, '--dry-run');
    expect(report).toMatchObject({
      dryRun: true,
      counts: { organisation: { updated: 1 }, users: { created: 1, unchanged: 1 } },
    });
    expect(await here.json('export own')).toEqual(exported);
    expect(here.log.length).toBe(before);
    const { out } = await here.run('import - --dry-run', JSON.stringify(changed));
    expect(out).toMatch(/^The organisation own would become as the document says; nothing was changed now\.\n/);
  });

  test('may have more items than one statement writes', async () => {
    const portfolio = Array.from({ length: 12_001 }, (_, index) => ({
      mastrNumber: `SEE${String(index).padStart(12, '0')}`,
      relationType: 'OWNER',
    }));
    const document = { format: 1, organisation: { externalId: 'own', name: 'Werk' }, portfolio };
    expect((await take(here, document)).counts.portfolio).toEqual(counts({ created: 12_001 }));
    expect((await take(here, document)).counts.portfolio).toEqual(counts({ unchanged: 12_001 }));
    expect((await here.json('export own')).portfolio).toHaveLength(12_003);
  });
});

describe('a refused document exits with 5 and nothing of it is imported', () => {
  let exported: Awaited<ReturnType<Console['json']>>;

  beforeAll(async () => {
    await fillOrganisation(here, 'whole');
    exported = await here.json('export whole');
  });

  async function refusal(text: string): Promise<string> {
    const organisations = await here.json('organisations list');
    const { code, out, err } = await here.run('import -', text);
    expect({ code, out }).toEqual({ code: 5, out: '' });
    expect(await here.json('export whole')).toEqual(exported);
    expect(await here.json('organisations list')).toEqual(organisations);
    return err;
  }

  test.each([
    ['', /^The document is no JSON that can be taken in: Unexpected end/],
    ['{"format":1,', /^The document is no JSON that can be taken in: /],
    ['{"format":1,"__proto__":{}}', /^The document is no JSON .* it has a member "__proto__"/],
    ['[]', /\n {2}# is not valid: Invalid input: expected object, received array\n$/],
    ['null', /\n {2}# is not valid: Invalid input: expected object, received null\n$/],
    ['{"organisation":{"externalId":"x","name":"X"}}', /\n {2}#\/format must be 1\n$/],
    ['{"format":2,"organisation":{"externalId":"x","name":"X"}}', /\n {2}#\/format must be 1\n$/],
    ['{"format":1}', /\n {2}#\/organisation is required\n$/],
  ])('%s', async (text, said) => {
    expect(await refusal(text)).toMatch(said);
  });

  test('every fault of its form is reported with its place, unknown members with the nearest name', async () => {
    const said = await refusal(
      JSON.stringify({
        format: 1,
        organisation: {
          externalId: 'new',
          name: ' ',
          modules: ['ap', 'api', 'api'],
          limits: { standrd: 1 },
          quotta: 5,
        },
        users: [
          { externalId: 'a', role: 'chief' },
          { externalId: 'b', name: 'B\u0000', role: 'owner', mail: 'x', email: 'nobody' },
        ],
        portfolio: [{ mastrNumber: 'SEE1', relationType: 'OPERATOR', externalRefs: { sap: 1 } }],
        savedFilters: [
          { name: 'A', kind: 'list', criteria: { einheitTyp: 'wind', leistungMinKW: 3, suche: ' ' } },
          { name: 'B', criteria: { signals: ['grossspeicer'], inbetriebnahmeVon: '2026-02-30', betreiber: ['\0'] } },
          { name: 'C', criteria: { leistungMinKw: 3, leistungMaxKw: 2 } },
        ],
        userz: [],
      }),
    );
    const places = said
      .split('\n')
      .slice(1, -1)
      .map((line) => line.trim());
    expect(places).toEqual([
      '#/organisation/name must not begin or end with blanks',
      '#/organisation/modules/0 is "ap", which is none of api, analysis, workspace, portfolio, connection, ' +
        'ausschreibungen, eeg_verguetung; did you mean api?',
      '#/organisation/modules has a name more than once',
      '#/organisation/limits/standrd is not a member that is known here; did you mean standard?',
      '#/organisation/quotta is not a member that is known here; did you mean quota?',
      '#/users/0/name is required',
      '#/users/0/role must be one of owner, admin, member',
      '#/users/1/name must be one line of Unicode, without control characters',
      '#/users/1/email must be an e-mail address',
      '#/users/1/mail is not a member that is known here; did you mean email?',
      '#/portfolio/0/mastrNumber must be a MaStR number: three capital letters and twelve digits',
      '#/portfolio/0/externalRefs/sap is not valid: Invalid input: expected string, received number',
      '#/savedFilters/0/kind must be one of table, map',
      '#/savedFilters/0/criteria/einheitTyp must be an array of texts',
      '#/savedFilters/0/criteria/suche must have a word to search for',
      '#/savedFilters/0/criteria/leistungMinKW is no unit filter; did you mean leistungMinKw?',
      '#/savedFilters/1/criteria/inbetriebnahmeVon must be a calendar day YYYY-MM-DD',
      expect.stringMatching(
        /^#\/savedFilters\/1\/criteria\/signals\/0 has "grossspeicer".*did you mean grossspeicher\?$/,
      ),
      '#/savedFilters/1/criteria/betreiber/0 must be well-formed Unicode without NUL',
      '#/savedFilters/2/criteria/leistungMinKw lies beyond leistungMaxKw',
      '#/userz is not a member that is known here; did you mean users?',
    ]);
  });

  test('the first of many faults are listed, with the number of the others', async () => {
    const users = Array.from({ length: 80 }, () => ({ externalId: 'a', name: 'A', role: 'chief' }));
    const said = await refusal(JSON.stringify({ format: 1, organisation: { externalId: 'new', name: 'New' }, users }));
    expect(said.split('\n').filter((line) => line.startsWith('  #'))).toHaveLength(50);
    expect(said).toMatch(/\n {2}… and 30 more\n$/);
  });

  test.each([
    [
      'the same user, key or entry twice',
      (document: typeof exported) => {
        document.users.push(document.users[0]);
      },
      ['#/users/1/externalId is that of #/users/0, too', '#/users/1/id is that of #/users/0, too'],
    ],
    [
      'a key whose creator does not exist',
      (document: typeof exported) => {
        document.users.push({ externalId: 'carl', name: 'Carl', role: 'owner' });
        document.keys[0].createdBy = 'car';
      },
      ['#/keys/0/createdBy names car, who is no user of the organisation'],
    ],
    [
      'another secret for a key that is there',
      (document: typeof exported) => {
        document.keys[0].secretHash = '0'.repeat(64);
        document.keys[0].environment = 'test';
      },
      [
        expect.stringMatching(/^#\/keys\/0\/environment is not that of the key \w{8} which the store has/),
        expect.stringMatching(/^#\/keys\/0\/secretHash is not that of the key \w{8} which the store has/),
      ],
    ],
    [
      'an id that something else has',
      (document: typeof exported) => {
        document.users[0].name = 'Changed';
        document.portfolio.push({ ...ENTRY, mastrNumber: 'SEE900000000003', id: document.portfolio[0].id });
      },
      [
        '#/portfolio/2/id is that of #/portfolio/0, too',
        '#/portfolio/2/id is the id of something else in this store; without ids in the document, new ones are given',
      ],
    ],
  ])('%s', async (_, change, places) => {
    const document = structuredClone(exported);
    change(document);
    const said = await refusal(JSON.stringify(document));
    expect(said.split('\n')[0]).toBe('Nothing was taken in, the document is not valid:');
    expect(
      said
        .split('\n')
        .slice(1, -1)
        .map((line) => line.trim()),
    ).toEqual(places);
  });

  test('a key whose prefix another organisation has', async () => {
    const document = structuredClone(exported);
    Object.assign(document.organisation, { externalId: 'thief', id: randomUUID() });
    Object.assign(document, { users: [], portfolio: [] });
    Object.assign(document.keys[0], { id: randomUUID(), createdBy: null });
    expect(await refusal(JSON.stringify(document))).toContain(
      '  #/keys/0/prefix is the prefix of a key of another organisation, whole\n',
    );
  });

  test('an organisation under an id that another has', async () => {
    const organisation = { ...exported.organisation, externalId: 'thief' };
    expect(await refusal(JSON.stringify({ format: 1, organisation }))).toContain(
      '  #/organisation/id is the id of whole in this store; without ids in the document, new ones are given\n',
    );
  });
});

test('every document is exported as it was imported, and a second import changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(document, async (wanted) => {
      const { externalId } = wanted.organisation;
      await take(there, wanted);
      const exported = await there.json(`export ${externalId}`);
      const { counts: again } = await take(there, exported);
      await remove(there, externalId);
      expect(sorted(exported)).toEqual(sorted(wanted));
      for (const count of Object.values(again)) expect(count).toMatchObject({ created: 0, updated: 0 });
    }),
    { numRuns: cases(60) },
  );
});
