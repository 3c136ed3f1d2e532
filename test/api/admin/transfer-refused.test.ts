import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Console, openConsole } from './console.ts';
import { ENTRY, fillOrganisation } from './filled-organisation.ts';

/** Documents that the command import refuses. */

let here: Console;
beforeAll(async () => {
  here = await openConsole();
});
afterAll(() => here.close());

describe('a refused document exits with 5 and nothing of it is imported', () => {
  let exported: Awaited<ReturnType<Console['json']>>;

  beforeAll(async () => {
    await fillOrganisation(here, 'whole');
    exported = await here.json('export whole');
  });

  async function refusal(text: string): Promise<string> {
    const organisations = await here.json('organisations list');
    const message = await here.refusal('import -', text);
    expect(await here.json('export whole')).toEqual(exported);
    expect(await here.json('organisations list')).toEqual(organisations);
    return message;
  }

  test.each([
    ['', /^The document is no JSON that can be taken in: it ends early, or is empty/],
    ['{"format":1,', /^The document is no JSON that can be taken in: /],
    ['{"format":1,"__proto__":{}}', /^The document is no JSON .* it has a member "__proto__"/],
    ['[]', /\n {2}# must be an object\n$/],
    ['null', /\n {2}# must be an object\n$/],
    [
      '{"format":1,"organisation":{"externalId":7,"name":null}}',
      /externalId must be a text\n.*name must be a text\n$/s,
    ],
    ['{"format":1,"users":{}}', /\n {2}#\/users must be an array\n/],
    ['{"format":1,"customFields":[{"multiple":1}]}', /\/multiple must be true or false\n/],
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
      '#/portfolio/0/externalRefs/sap must be a text',
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
