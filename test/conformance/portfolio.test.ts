import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PortfolioRow, putPortfolio, RELATION_TYPES } from '../../sql/org/portfolio.ts';
import { cases } from '../support/cases.ts';
import { temporaryFolder } from '../support/fixture.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { entry, listed, type Portfolio, portfolioOf, rowStatuses, unit } from '../support/portfolio.ts';
import { expectProblem, UUID_V7 } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serve, serveOwnFixture } from '../support/service.ts';
import { openFresh, POSTGRES } from '../support/store-engines.ts';

/** The portfolio: interface.md, Portfolio, PortfolioEntry, PortfolioInput, WriteResponse and States. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveOwnFixture();
});
afterAll(() => service.stop());

/** Each test has an organisation of its own. */
let organisation: { readonly id: string };
let portfolio: Portfolio;
beforeEach(async () => {
  ({ organisation, portfolio } = await newPortfolio());
});

async function newPortfolio() {
  const made = await makeOrganisation(service.store);
  return { organisation: made, portfolio: portfolioOf(service, (await makeKey(service.store, made)).text) };
}

/** The entry of a unit as the list shows it. */
async function entryOf(number: number, query = 'includeDeleted=true') {
  const { json } = await portfolio.list(query);
  return json.data.find(({ mastrNummer }: { mastrNummer: string }) => mastrNummer === unit(number));
}

const meta = (counts: object) => ({
  total: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  failed: 0,
  dryRun: false,
  ...counts,
});

describe('creating and updating', () => {
  test('created, with an id; the entry is there as it was sent', async () => {
    const response = await portfolio.put([entry(1, { externalRefs: { crm: 'A-17', 'SAP 4': '0815' } })]);
    expect(response.status).toBe(200);
    expect(response.json).toEqual({
      data: [{ id: expect.stringMatching(UUID_V7), externalId: unit(1), status: 'created' }],
      meta: meta({ total: 1, created: 1 }),
    });
    const { json } = await portfolio.list();
    expect(json.data).toEqual([
      {
        id: response.json.data[0].id,
        mastrNummer: unit(1),
        relationType: 'OPERATOR',
        externalRefs: { crm: 'A-17', 'SAP 4': '0815' },
        angelegtAm: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        geaendertAm: json.data[0].angelegtAm,
        entferntAm: null,
      },
    ]);
    expect(Math.abs(Date.parse(json.data[0].angelegtAm) - Date.now())).toBeLessThan(10_000);
  });

  test('each role there is', async () => {
    const entries = RELATION_TYPES.map((relationType, index) => entry(index + 1, { relationType }));
    expect(rowStatuses(await portfolio.put(entries))).toEqual(entries.map(() => 'created'));
  });

  test('the same again is unchanged, and geaendertAm stays', async () => {
    await portfolio.put([entry(1, { externalRefs: { a: '1', b: '2' } })]);
    const before = await entryOf(1);
    const response = await portfolio.put([entry(1, { externalRefs: { b: '2', a: '1' } })]);
    expect(response.json.data).toEqual([{ id: before.id, externalId: unit(1), status: 'unchanged' }]);
    expect(response.json.meta).toEqual(meta({ total: 1, unchanged: 1 }));
    expect(await entryOf(1)).toEqual(before);
  });

  test('one entry for a unit: another role or other references update it', async () => {
    await portfolio.put([entry(1, { externalRefs: { crm: 'A' } })]);
    const first = await entryOf(1);
    const response = await portfolio.put([entry(1, { relationType: 'OWNER', externalRefs: { crm: 'B', erp: 'C' } })]);
    expect(response.json.data).toEqual([{ id: first.id, externalId: unit(1), status: 'updated' }]);
    expect(response.json.meta).toEqual(meta({ total: 1, updated: 1 }));
    const second = await entryOf(1);
    expect(second).toEqual({
      ...first,
      relationType: 'OWNER',
      externalRefs: { crm: 'B', erp: 'C' },
      geaendertAm: second.geaendertAm,
    });
    expect(second.geaendertAm > first.geaendertAm).toBe(true);
    expect(listed(await portfolio.list('includeDeleted=true'))).toEqual([1]);
  });

  test('externalRefs left out stays, {} clears', async () => {
    await portfolio.put([entry(1, { externalRefs: { crm: 'A' } }), entry(2)]);
    expect((await entryOf(2)).externalRefs).toEqual({});
    expect(rowStatuses(await portfolio.put([entry(1)]))).toEqual(['unchanged']);
    expect(rowStatuses(await portfolio.put([entry(1, { relationType: 'OWNER' })]))).toEqual(['updated']);
    expect((await entryOf(1)).externalRefs).toEqual({ crm: 'A' });
    expect(rowStatuses(await portfolio.put([entry(1, { relationType: 'OWNER', externalRefs: {} })]))).toEqual([
      'updated',
    ]);
    expect((await entryOf(1)).externalRefs).toEqual({});
  });

  test('references of the greatest length, and with every kind of character, come back unchanged', async () => {
    const externalRefs = {
      [`${'n'.repeat(99)}ß`]: 'x'.repeat(255),
      'constructor ': 'ok',
      constructor: 'own',
      '0': 'a number as a name',
      '🔌 "\\': '😀\u2028\u0001 \u{10FFFF}',
    };
    expect(rowStatuses(await portfolio.put([entry(1, { externalRefs })]))).toEqual(['created']);
    expect((await entryOf(1)).externalRefs).toEqual(externalRefs);
  });
});

/** So many references of some length. */
const references = (count: number, length = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`system ${index}`, 'x'.repeat(length)]));

test('as many references as an entry may have', async () => {
  const externalRefs = references(50, 255);
  expect(rowStatuses(await portfolio.put([entry(1, { externalRefs })]))).toEqual(['created']);
  expect((await entryOf(1)).externalRefs).toEqual(externalRefs);
});

test('a page of entries of a megabyte, as earlier releases took them, ends early; the pages have all', async () => {
  const rows = Array.from({ length: 7 }, (_, index) => {
    const at = new Date(Date.UTC(2026, 10, 1, 8, index)).toISOString();
    const externalRefs = references(1, index === 3 ? 5_000_000 : 1_000_000);
    const times = { createdAt: at, updatedAt: at, removedAt: null };
    return { id: randomUUIDv7(), mastrNumber: unit(index + 1), relationType: 'OWNER' as const, externalRefs, ...times };
  });
  for (const row of rows) {
    await service.store.asOrganisation(organisation.id, (session) => session.run(putPortfolio(organisation.id, [row])));
  }
  const numbers: number[] = [];
  const pages: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const response = await portfolio.list(cursor === '' ? '' : `cursor=${encodeURIComponent(cursor)}`);
    expect(response.status).toBe(200);
    numbers.push(...listed(response));
    pages.push(response.json.data.length);
    expect(response.json.meta).toMatchObject({ count: response.json.data.length, truncated: false });
    cursor = response.json.meta.cursor;
  }
  expect(numbers).toEqual([7, 6, 5, 4, 3, 2, 1]);
  // Newest first: four megabytes end a page, and a row that is larger comes alone.
  expect(pages).toEqual([3, 1, 3]);
});

describe('rows that fail', () => {
  /** Message of the one row of a batch, which failed. */
  async function failure(row: unknown, code = 'UNPROCESSABLE') {
    const response = await portfolio.put([row]);
    expect(response.status).toBe(207);
    expect(response.json.meta).toEqual(meta({ total: 1, failed: 1 }));
    expect(response.json.data).toMatchObject([{ id: null, status: 'failed', error: { code } }]);
    return { message: response.json.data[0].error.message, externalId: response.json.data[0].externalId };
  }

  test('a unit that the register does not know: NOT_FOUND', async () => {
    expect(await failure(entry(99), 'NOT_FOUND')).toEqual({
      message: `The register has no unit ${unit(99)}`,
      externalId: unit(99),
    });
    expect((await failure({ ...entry(1), mastrNummer: 'ABR900000000001' }, 'NOT_FOUND')).externalId).toBe(
      'ABR900000000001',
    );
  });

  test.each([
    ['see900000000001'],
    ['SEE90000000001'],
    ['SEE9000000000011'],
    [' SEE900000000001'],
    ['SEE900000000001\n'],
    [''],
  ])('a number that none can be: %j', async (mastrNummer) => {
    expect(await failure({ ...entry(1), mastrNummer })).toEqual({
      message: expect.stringMatching(/^mastrNummer must be a MaStR number/),
      externalId: mastrNummer,
    });
  });

  test.each([
    [{ relationType: 'OPERATOR' }, 'mastrNummer must be a MaStR number'],
    [{ mastrNummer: 900000000001, relationType: 'OPERATOR' }, 'mastrNummer must be a MaStR number'],
    [{ mastrNummer: unit(1) }, 'relationType must be one of OPERATOR, OWNER, '],
    [{ mastrNummer: unit(1), relationType: 'operator' }, 'relationType must be one of OPERATOR, OWNER, '],
    [{ mastrNummer: unit(1), relationType: null }, 'relationType must be one of OPERATOR, OWNER, '],
    [entry(1, { externalRefs: { crm: 17 } }), 'externalRefs.crm must be a text'],
    [entry(1, { externalRefs: { crm: null } }), 'externalRefs.crm must be a text'],
    [entry(1, { externalRefs: { crm: ['A'] } }), 'externalRefs.crm must be a text'],
    [entry(1, { externalRefs: null }), 'externalRefs must be an object {system: id} of texts'],
    [entry(1, { externalRefs: ['A'] }), 'externalRefs must be an object {system: id} of texts'],
    [entry(1, { externalRefs: { '': 'A' } }), 'a name in externalRefs must not be empty'],
    [entry(1, { externalRefs: { ['n'.repeat(101)]: 'A' } }), 'a name in externalRefs must have at most 100'],
    [entry(1, { externalRefs: { crm: 'x'.repeat(256) } }), 'externalRefs.crm must have at most 255'],
    [entry(1, { externalRefs: references(51) }), 'externalRefs must have at most 50 members'],
    [entry(1, { externalRefs: { crm: 'a\0b' } }), 'externalRefs.crm must be well-formed Unicode without NUL'],
    [entry(1, { externalRefs: { crm: '\uD83D' } }), 'externalRefs.crm must be well-formed Unicode without NUL'],
    [entry(1, { externalRefs: { '\uDE00': 'A' } }), 'a name in externalRefs must be well-formed Unicode'],
    [entry(1, { relationTyp: 'OWNER' }), '"relationTyp" is not a member of a row'],
    [null, 'the row must be an object'],
    [unit(1), 'the row must be an object'],
    [[entry(1)], 'the row must be an object'],
  ])('%j: UNPROCESSABLE', async (row, message) => {
    const { externalId, ...told } = await failure(row);
    expect(told.message).toContain(message);
    const number = row !== null && typeof row === 'object' && 'mastrNummer' in row ? row.mastrNummer : null;
    expect(externalId).toBe(typeof number === 'string' ? number : null);
    expect(listed(await portfolio.list())).toEqual([]);
  });

  test('the message of a row has all its faults', async () => {
    const { message } = await failure({ mastrNummer: 'X', externalRefs: { crm: 1 }, more: true });
    for (const part of ['mastrNummer', 'relationType', 'externalRefs.crm', '"more"']) expect(message).toContain(part);
  });

  test('a row that fails undoes no other; the rows come back in the order of the input', async () => {
    await portfolio.put([entry(2), entry(3)]);
    const response = await portfolio.put([
      entry(99),
      entry(1),
      { relationType: 'OWNER' },
      entry(2),
      entry(3, { relationType: 'OWNER' }),
    ]);
    expect(response.status).toBe(207);
    expect(rowStatuses(response)).toEqual(['failed', 'created', 'failed', 'unchanged', 'updated']);
    expect(response.json.data.map(({ externalId }: { externalId: string }) => externalId)).toEqual([
      unit(99),
      unit(1),
      null,
      unit(2),
      unit(3),
    ]);
    expect(response.json.data.map((row: { error?: { code: string } }) => row.error?.code)).toEqual([
      'NOT_FOUND',
      undefined,
      'UNPROCESSABLE',
      undefined,
      undefined,
    ]);
    expect(response.json.meta).toEqual(meta({ total: 5, created: 1, updated: 1, unchanged: 1, failed: 2 }));
    expect(listed(await portfolio.list()).sort()).toEqual([1, 2, 3]);
  });

  test('a number that comes again in a batch: every row after the first fails, whatever became of that', async () => {
    const response = await portfolio.put([
      entry(1),
      entry(1, { relationType: 'OWNER' }),
      { mastrNummer: unit(2) },
      entry(2),
      entry(1),
      entry(99),
      entry(99),
    ]);
    expect(rowStatuses(response)).toEqual(['created', ...Array(6).fill('failed')]);
    expect(response.json.data.map((row: { error?: { code: string } }) => row.error?.code)).toEqual([
      undefined,
      'UNPROCESSABLE',
      'UNPROCESSABLE',
      'UNPROCESSABLE',
      'UNPROCESSABLE',
      'NOT_FOUND',
      'UNPROCESSABLE',
    ]);
    expect(response.json.data[3].error.message).toBe('mastrNummer came in a row before');
    expect((await entryOf(1)).relationType).toBe('OPERATOR');
    expect(await entryOf(2)).toBeUndefined();
  });
});

describe('batches', () => {
  test('none at all is answered with no rows', async () => {
    for (const response of [await portfolio.put([]), await portfolio.remove([])]) {
      expect([response.status, response.json]).toEqual([200, { data: [], meta: meta({}) }]);
    }
  });

  test('500 rows are taken, 501 are not', async () => {
    const rows = (count: number) => Array.from({ length: count }, (_, index) => entry(index + 1));
    const full = await portfolio.put(rows(500));
    expect(full.json.meta).toEqual(meta({ total: 500, created: 36, failed: 464 }));
    const numbers = rows(501).map(({ mastrNummer }) => mastrNummer);
    expect((await portfolio.remove(numbers.slice(0, 500))).json.meta).toEqual(
      meta({ total: 500, updated: 36, unchanged: 464 }),
    );
    for (const [response, pointer] of [
      [await portfolio.put(rows(501)), '#/entries'],
      [await portfolio.remove(numbers), '#/mastrNummern'],
    ] as const) {
      expectProblem(response, 400, 'TOO_MANY_VALUES');
      expect(response.json.errors).toMatchObject([{ pointer, code: 'TOO_MANY_VALUES' }]);
    }
  });

  test.each([
    ['POST', '{}', '#/entries', 'INVALID_BODY'],
    ['POST', '{"entries":{}}', '#/entries', 'INVALID_BODY'],
    ['POST', '{"entries":null}', '#/entries', 'INVALID_BODY'],
    ['POST', '{"entries":[],"dryRun":true}', '#/dryRun', 'UNKNOWN_PARAMETER'],
    ['POST', '[]', '#', 'INVALID_BODY'],
    ['POST', 'null', '#', 'INVALID_BODY'],
    ['DELETE', '{}', '#/mastrNummern', 'INVALID_BODY'],
    ['DELETE', '{"mastrNummern":"SEE900000000001"}', '#/mastrNummern', 'INVALID_BODY'],
    ['DELETE', '{"mastrNummern":[],"entries":[]}', '#/entries', 'UNKNOWN_PARAMETER'],
  ])('%s %s: a fault of the body as a whole, at %s', async (method, body, pointer, code) => {
    const response = await service.send(method, '/v1/portfolio', {
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect(response.status).toBe(400);
    expect(response.json).toMatchObject({ code, errors: [{ pointer, code }] });
  });

  test.each([
    ['levels without end', `{"entries":[${'['.repeat(400_000)}${']'.repeat(400_000)}]}`],
    ['a member that JavaScript would lose', '{"entries":[{"externalRefs":{"__proto__":"x"}}]}'],
  ])('%s: 400', async (_, body) => {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUIDv7() };
    expectProblem(await service.send('POST', '/v1/portfolio', { headers, body }), 400, 'INVALID_BODY');
  });

  test('nasty texts anywhere are no fault of the service', async () => {
    const long = 'x'.repeat(1024 * 1024 - 200);
    const nasty = ['\0', '\uD83D', '😀'.repeat(1000), '\u202E', '%00', "'; DROP TABLE portfolio_entries; --", long];
    for (const text of nasty) {
      for (const row of [{ mastrNummer: text, relationType: 'OWNER' }, entry(1, { externalRefs: { a: text } }), text]) {
        const response = await portfolio.put([row], { once: randomUUIDv7() });
        expect([200, 207]).toContain(response.status);
      }
      expect((await portfolio.put([{ ...entry(1), [text]: 1 }], { once: randomUUIDv7() })).status).toBe(207);
      for (const number of [text, { [text]: 1 }]) {
        expect((await portfolio.remove([number], { once: randomUUIDv7() })).status).toBe(207);
      }
    }
  });
});

describe('removal', () => {
  test('updated; the entry stays, readable with includeDeleted', async () => {
    await portfolio.put([entry(1, { externalRefs: { crm: 'A' } }), entry(2)]);
    const before = await entryOf(1);
    const response = await portfolio.remove([unit(1)]);
    expect(response.status).toBe(200);
    expect(response.json).toEqual({
      data: [{ id: before.id, externalId: unit(1), status: 'updated' }],
      meta: meta({ total: 1, updated: 1 }),
    });
    expect(listed(await portfolio.list())).toEqual([2]);
    expect(listed(await portfolio.list('includeDeleted=false'))).toEqual([2]);
    const after = await entryOf(1);
    expect(after).toEqual({ ...before, geaendertAm: after.entferntAm, entferntAm: expect.any(String) });
    expect(after.entferntAm > before.geaendertAm).toBe(true);
  });

  test('an unknown or already removed entry is unchanged', async () => {
    const { json } = await portfolio.put([entry(1)]);
    await portfolio.remove([unit(1)]);
    const before = await entryOf(1);
    const response = await portfolio.remove([unit(1), unit(2), unit(99)]);
    expect(response.status).toBe(200);
    expect(response.json.data).toEqual([
      { id: json.data[0].id, externalId: unit(1), status: 'unchanged' },
      { id: null, externalId: unit(2), status: 'unchanged' },
      { id: null, externalId: unit(99), status: 'unchanged' },
    ]);
    expect(await entryOf(1)).toEqual(before);
  });

  test('a number twice in one call: the second is unchanged', async () => {
    await portfolio.put([entry(1)]);
    expect(rowStatuses(await portfolio.remove([unit(1), unit(2), unit(1), unit(1)]))).toEqual([
      'updated',
      'unchanged',
      'unchanged',
      'unchanged',
    ]);
  });

  test('a malformed number fails its row, the others are removed', async () => {
    await portfolio.put([entry(1)]);
    const response = await portfolio.remove(['SEE1', unit(1), 7, null]);
    expect(response.status).toBe(207);
    expect(response.json.data).toMatchObject([
      { externalId: 'SEE1', status: 'failed', error: { code: 'UNPROCESSABLE' } },
      { externalId: unit(1), status: 'updated' },
      { externalId: null, status: 'failed' },
      { externalId: null, status: 'failed' },
    ]);
    expect(response.json.meta).toEqual(meta({ total: 4, updated: 1, failed: 3 }));
  });

  test('created again after removal: the same entry, with its age and its references', async () => {
    await portfolio.put([entry(1, { externalRefs: { crm: 'A' } })]);
    const first = await entryOf(1);
    await portfolio.remove([unit(1)]);
    const removed = await entryOf(1);
    const response = await portfolio.put([entry(1)]);
    expect(response.json.data).toEqual([{ id: first.id, externalId: unit(1), status: 'updated' }]);
    const again = await entryOf(1);
    expect(again).toEqual({ ...first, geaendertAm: again.geaendertAm });
    expect(again.geaendertAm > removed.geaendertAm).toBe(true);
  });
});

describe('the list', () => {
  test('newest first; what changes keeps its place', async () => {
    for (const number of [1, 2, 3]) await portfolio.put([entry(number)]);
    await portfolio.put([entry(1, { relationType: 'OWNER' })]);
    await portfolio.remove([unit(2)]);
    expect(listed(await portfolio.list())).toEqual([3, 1]);
    expect(listed(await portfolio.list('includeDeleted=true'))).toEqual([3, 2, 1]);
    await portfolio.put([entry(2)]);
    expect(listed(await portfolio.list())).toEqual([3, 2, 1]);
  });

  test('empty', async () => {
    const response = await portfolio.list();
    expect(response.json).toEqual({ data: [], meta: { count: 0, hasMore: false, cursor: null, truncated: false } });
    expect(response.headers.get('link')).toBeNull();
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('relationType: one role or several', async () => {
    await portfolio.put([entry(1), entry(2, { relationType: 'OWNER' }), entry(3, { relationType: 'LESSOR' })]);
    expect(listed(await portfolio.list('relationType=OWNER'))).toEqual([2]);
    expect(listed(await portfolio.list('relationType=LESSOR,OPERATOR')).sort()).toEqual([1, 3]);
    expect(listed(await portfolio.list('relationType=INVESTOR'))).toEqual([]);
  });

  test.each([
    ['relationType=OWNR', 'INVALID_PARAMETER', /did you mean|OWNER/],
    ['relationType=', 'INVALID_PARAMETER', /no value/],
    ['relationType=OWNER,', 'INVALID_PARAMETER', /empty/],
    ['includeDeleted=1', 'INVALID_PARAMETER', /true or false/],
    ['includeDeleted=TRUE', 'INVALID_PARAMETER', /true or false/],
    ['limit=0', 'INVALID_PARAMETER', /1 to 250/],
    ['limit=251', 'INVALID_PARAMETER', /1 to 250/],
    ['limit=10x', 'INVALID_PARAMETER', /1 to 250/],
    ['cursor=abc', 'INVALID_CURSOR', /not issued/],
    ['includeDelete=true', 'UNKNOWN_PARAMETER', /includeDeleted/],
    ['dryRun=true', 'UNKNOWN_PARAMETER', /dryRun/],
  ])('?%s: 400 %s', async (query, code, detail) => {
    const response = await portfolio.list(query);
    expect(response.json).toMatchObject({ status: 400, code, errors: [{ parameter: query.split('=')[0], code }] });
    expect(response.json.errors[0].detail).toMatch(detail);
  });

  test('Link: next while there is a page, first on all but the first, every parameter kept', async () => {
    await portfolio.put([entry(1), entry(2), entry(3)]);
    const query = 'relationType=OPERATOR%2COWNER&limit=2&includeDeleted=true';
    const first = await portfolio.list(query);
    const address = `${service.url}/v1/portfolio?${query}`;
    const { cursor } = first.json.meta;
    expect(first.json.meta).toEqual({ count: 2, hasMore: true, cursor: expect.any(String), truncated: false });
    expect(first.headers.get('link')).toBe(`<${address}&cursor=${cursor}>; rel="next"`);
    const second = await portfolio.list(`${query}&cursor=${cursor}`);
    expect(second.json.meta).toEqual({ count: 1, hasMore: false, cursor: null, truncated: false });
    expect(second.headers.get('link')).toBe(`<${address}>; rel="first"`);
  });

  test('a cursor belongs to its organisation and its filters', async () => {
    await portfolio.put([entry(1), entry(2)]);
    const { cursor } = (await portfolio.list('limit=1')).json.meta;
    const other = (await newPortfolio()).portfolio;
    await other.put([entry(1), entry(2)]);
    for (const response of [
      await other.list(`limit=1&cursor=${cursor}`),
      await portfolio.list(`limit=1&includeDeleted=true&cursor=${cursor}`),
      await portfolio.list(`limit=1&relationType=OPERATOR&cursor=${cursor}`),
    ]) {
      expectProblem(response, 400, 'INVALID_CURSOR');
    }
    // The size of the page may change on the way.
    expect(listed(await portfolio.list(`limit=7&cursor=${cursor}`))).toHaveLength(1);
  });
});

/** Entries made past the API, for what would take too long through it. */
async function insert(rows: readonly Partial<PortfolioRow>[]): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z';
  const complete = rows.map(
    (row, index): PortfolioRow => ({
      id: randomUUIDv7(),
      mastrNumber: unit(index),
      relationType: 'OWNER',
      externalRefs: {},
      createdAt: at,
      updatedAt: at,
      removedAt: null,
      ...row,
    }),
  );
  await service.store.asOrganisation(organisation.id, (session) =>
    session.run(putPortfolio(organisation.id, complete)),
  );
}

/** Walks through a list by its cursors. */
async function readPages(query: string): Promise<{ pages: ServiceResponse[]; numbers: number[] }> {
  const pages = [await portfolio.list(query)];
  for (let cursor = pages[0]!.json.meta.cursor; cursor !== null; cursor = pages.at(-1)!.json.meta.cursor) {
    pages.push(await portfolio.list(`${query}&cursor=${cursor}`));
  }
  return { pages, numbers: pages.flatMap(listed) };
}

describe('paging', () => {
  test('whatever the page size, and however many entries are of one age: each comes once, newest first', async () => {
    const ages = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 0, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(ages, fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), async (drawn, sizes) => {
        ({ organisation, portfolio } = await newPortfolio());
        const createdAt = (age: number) => `2026-01-0${age + 1}T00:00:00.000Z`;
        await insert(drawn.map((age) => ({ createdAt: createdAt(age), updatedAt: createdAt(age) })));
        const whole = await portfolio.list();
        const seen: number[] = [];
        let cursor: string | null = '';
        for (let page = 0; cursor !== null; page++) {
          const limit = sizes[page % sizes.length]!;
          const answer: ServiceResponse = await portfolio.list(
            `limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
          );
          expect(answer.json.meta.count).toBe(answer.json.data.length);
          seen.push(...listed(answer));
          cursor = answer.json.meta.cursor;
          expect(answer.json.meta.hasMore).toBe(cursor !== null);
        }
        expect(seen).toEqual(listed(whole));
        expect(seen.toSorted((a, b) => a - b)).toEqual(drawn.map((_, index) => index));
        expect(seen.map((index) => drawn[index]!)).toEqual(drawn.toSorted((a, b) => b - a));
      }),
      { numRuns: cases(30) },
    );
  });

  test('pages end at 10,000 rows, and say so', async () => {
    await insert(Array.from({ length: 10_001 }, () => ({})));
    const { pages, numbers } = await readPages('limit=240');
    expect(new Set(numbers).size).toBe(10_000);
    const last = pages.at(-1)!;
    expect(last.json.meta).toEqual({ count: 160, hasMore: false, cursor: null, truncated: true });
    expect(last.headers.get('link')).not.toContain('rel="next"');
    await portfolio.remove([unit(0)]);
    const complete = await readPages('limit=250');
    expect(complete.numbers).toHaveLength(10_000);
    expect(complete.pages.at(-1)!.json.meta.truncated).toBe(false);
  });
});

test('before a dataset is published, 503 and nothing is written', async () => {
  const empty = temporaryFolder();
  const early = await serve(empty.path);
  const response = await portfolioOf(early).put([entry(1)], { once: 'early' });
  expectProblem(response, 503, 'DATASET_NOT_READY');
  expect((await portfolioOf(early).remove([unit(1)], { once: 'early' })).status).toBe(200);
  await early.stop();
  empty.remove();
});

test('geaendertAm grows with every change, also where the clock stands still or goes back', async () => {
  await portfolio.put([entry(1)]);
  // A server whose clock was ahead has written before us.
  const ahead = new Date(Date.now() + 60_000).toISOString();
  await insert([{ mastrNumber: unit(2), createdAt: ahead, updatedAt: ahead }]);
  let before = ahead;
  for (const relationType of RELATION_TYPES.slice(1, 6)) {
    await portfolio.put([entry(1, { relationType })]);
    const { geaendertAm } = await entryOf(1);
    expect(geaendertAm > before).toBe(true);
    before = geaendertAm;
  }
});

describe.skipIf(!POSTGRES.here)(`parallel writers: ${POSTGRES.name}`, () => {
  let shared: OwnSubject;
  let second: OwnSubject;
  beforeAll(async () => {
    const store = await openFresh(POSTGRES);
    shared = await serveOwnFixture({}, store);
    second = await serveOwnFixture({}, store);
  });
  afterAll(async () => {
    await Promise.all([shared?.stop(), second?.stop()]);
    await shared?.store.close();
  });

  test('a client that reads entries newer than the newest it saw misses no change', async () => {
    const { text } = await makeKey(shared.store, await makeOrganisation(shared.store));
    const writers = [portfolioOf(shared, text), portfolioOf(second, text)];
    const reader = portfolioOf(second, text);
    let writing = true;
    const follow = async () => {
      let newest = '';
      const seen = new Map<string, string>();
      const read = async () => {
        const { data } = (await reader.list('includeDeleted=true&limit=250')).json;
        const changed = data.filter(({ geaendertAm }: { geaendertAm: string }) => geaendertAm > newest);
        for (const { mastrNummer, geaendertAm, relationType, entferntAm } of changed) {
          seen.set(mastrNummer, `${geaendertAm} ${relationType} ${entferntAm}`);
          if (geaendertAm > newest) newest = geaendertAm;
        }
      };
      while (writing) await read();
      await read();
      return seen;
    };
    const following = follow();
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let round = 0; round < 12; round++) {
          const numbers = [1, 2, 3].map((offset) => ((writer * 5 + round * 3 + offset) % 36) + 1);
          const driver = writers[writer % 2]!;
          const relationType = RELATION_TYPES[(writer + round) % RELATION_TYPES.length];
          const answer =
            round % 4 === 3
              ? await driver.remove(numbers.map(unit))
              : await driver.put(numbers.map((number) => entry(number, { relationType })));
          expect(answer.status).toBe(200);
        }
      }),
    );
    writing = false;
    const seen = await following;
    const { data } = (await reader.list('includeDeleted=true&limit=250')).json;
    const real = data.map(
      (row: { mastrNummer: string; geaendertAm: string; relationType: string; entferntAm: string | null }) =>
        [row.mastrNummer, `${row.geaendertAm} ${row.relationType} ${row.entferntAm}`] as const,
    );
    expect(new Map([...seen].sort())).toEqual(new Map(real.sort()));
  });

  test('many calls that create the same entries at once: one entry for each unit, created once', async () => {
    const { text } = await makeKey(shared.store, await makeOrganisation(shared.store));
    const entries = Array.from({ length: 30 }, (_, index) => entry(index + 1));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        portfolioOf(index % 2 === 0 ? shared : second, text).put(index % 3 === 0 ? entries : entries.toReversed()),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const created = answers.reduce((sum, { json }) => sum + json.meta.created, 0);
    expect(created).toBe(30);
    expect(listed(await portfolioOf(shared, text).list())).toHaveLength(30);
  });
});
