import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RELATION_TYPES } from '../../sql/org/records/portfolio.ts';
import { temporaryFolder } from '../support/fixture.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { entry, listed, portfolioOf, rowStatuses, unit } from '../support/portfolio.ts';
import { expectProblem, UUID_V7 } from '../support/requests.ts';
import { type OwnSubject, serve, serveOwnFixture } from '../support/service.ts';
import { openFresh, POSTGRES } from '../support/store-engines.ts';
import { references, servePortfolio, writeMeta } from './served-portfolio.ts';

/** Writing the portfolio: interface.md, Portfolio, PortfolioEntry, PortfolioInput, WriteResponse and States. */

const subject = servePortfolio();
const { entryOf, insert, portfolio } = subject;

describe('creating and updating', () => {
  test('created, with an id; the entry is there as it was sent', async () => {
    const response = await portfolio.put([entry(1, { externalRefs: { crm: 'A-17', 'SAP 4': '0815' } })]);
    expect(response.status).toBe(200);
    expect(response.json).toEqual({
      data: [{ id: expect.stringMatching(UUID_V7), externalId: unit(1), status: 'created' }],
      meta: writeMeta({ total: 1, created: 1 }),
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
    expect(response.json.meta).toEqual(writeMeta({ total: 1, unchanged: 1 }));
    expect(await entryOf(1)).toEqual(before);
  });

  test('one entry for a unit: another role or other references update it', async () => {
    await portfolio.put([entry(1, { externalRefs: { crm: 'A' } })]);
    const first = await entryOf(1);
    const response = await portfolio.put([entry(1, { relationType: 'OWNER', externalRefs: { crm: 'B', erp: 'C' } })]);
    expect(response.json.data).toEqual([{ id: first.id, externalId: unit(1), status: 'updated' }]);
    expect(response.json.meta).toEqual(writeMeta({ total: 1, updated: 1 }));
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

test('as many references as an entry may have', async () => {
  const externalRefs = references(50, 255);
  expect(rowStatuses(await portfolio.put([entry(1, { externalRefs })]))).toEqual(['created']);
  expect((await entryOf(1)).externalRefs).toEqual(externalRefs);
});

describe('batches', () => {
  test('none at all is answered with no rows', async () => {
    for (const response of [await portfolio.put([]), await portfolio.remove([])]) {
      expect([response.status, response.json]).toEqual([200, { data: [], meta: writeMeta({}) }]);
    }
  });

  test('500 rows are taken, 501 are not', async () => {
    const rows = (count: number) => Array.from({ length: count }, (_, index) => entry(index + 1));
    const full = await portfolio.put(rows(500));
    expect(full.json.meta).toEqual(writeMeta({ total: 500, created: 36, failed: 464 }));
    const numbers = rows(501).map(({ mastrNummer }) => mastrNummer);
    expect((await portfolio.remove(numbers.slice(0, 500))).json.meta).toEqual(
      writeMeta({ total: 500, updated: 36, unchanged: 464 }),
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
    const response = await subject.service.send(method, '/v1/portfolio', {
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
    expectProblem(await subject.service.send('POST', '/v1/portfolio', { headers, body }), 400, 'INVALID_BODY');
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
      meta: writeMeta({ total: 1, updated: 1 }),
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
    expect(response.json.meta).toEqual(writeMeta({ total: 4, updated: 1, failed: 3 }));
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
