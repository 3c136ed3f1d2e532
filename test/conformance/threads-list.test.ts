import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../sql/org/statement.ts';
import { cases } from '../support/cases.ts';
import { makeThread, makeUser, putMailbox } from '../support/channel.ts';
import { connect } from '../support/connections.ts';
import {
  type Correspondent,
  type Correspondents,
  correspondent,
  idsOf,
  makeCorrespondents,
} from '../support/correspondents.ts';
import { makeOrganisation } from '../support/organisation.ts';
import { unit } from '../support/portfolio.ts';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveSharedFixture } from '../support/service.ts';

/** GET /v1/threads: order, filters, mailboxes, and pages that hold still while messages arrive. */

let service: OwnSubject;
let pair: Correspondents;
let ada: Correspondent;
let ben: Correspondent;
beforeAll(async () => {
  service = await serveSharedFixture();
});
beforeEach(async () => {
  pair = await makeCorrespondents(service, service.store);
  ({ ada, ben } = pair);
});
afterAll(() => service.stop());

const create = async (body: object = {}, by = ada): Promise<string> => (await by.create(body)).json.data[0].id;

/** Another partner of Ada's. */
async function makePartner(name: string): Promise<{ connection: string; partner: Correspondent }> {
  const organisation = await makeOrganisation(service.store, { name });
  const connection = await connect(service.store, organisation, ada.organisation, { assets: [unit(7)] });
  return { connection, partner: await correspondent(service, service.store, organisation, connection) };
}

describe('the list', () => {
  test('empty', async () => {
    const response = await ada.threads();
    expect(response.json).toEqual({ data: [], meta: { count: 0, hasMore: false, cursor: null, truncated: false } });
    expect(response.headers.get('link')).toBeNull();
  });

  test('the thread with the newest message comes first, whoever wrote it; each partner sees its own', async () => {
    const { partner } = await makePartner('Dritte');
    const [one, two] = [await create(), await create()];
    const three = await create({}, partner);
    expect(idsOf(await ada.threads())).toEqual([three, two, one]);
    await ben.write(one, { body: 'Gern' });
    expect(idsOf(await ada.threads())).toEqual([one, three, two]);
    expect(idsOf(await ben.threads())).toEqual([one, two]);
    expect(idsOf(await partner.threads())).toEqual([three]);
  });

  test('has only threads of accepted connections, unless it is asked for one that has ended', async () => {
    const { connection, partner } = await makePartner('Dritte');
    const [kept, ended] = [await create(), await create({}, partner)];
    await service.store.asOperator((session) =>
      session.run(sql`UPDATE connections SET status = 'REVOKED' WHERE id = ${connection}::uuid`),
    );
    expect(idsOf(await ada.threads())).toEqual([kept]);
    expect(idsOf(await ada.threads(`connectionId=${connection}`))).toEqual([ended]);
    expect(idsOf(await ada.threads(`connectionId=${pair.connection}`))).toEqual([kept]);
  });

  test('by category, by unit, and by both', async () => {
    const [both, other, none] = [
      await create({ category: 'TECHNIK', assets: [unit(1), unit(2)] }),
      await create({ category: 'VERTRAG', assets: [unit(2)] }),
      await create(),
    ];
    expect(idsOf(await ben.threads('category=TECHNIK'))).toEqual([both]);
    expect(idsOf(await ben.threads(`anlage=${unit(2)}`))).toEqual([other, both]);
    expect(idsOf(await ben.threads(`anlage=${unit(2)}&category=VERTRAG`))).toEqual([other]);
    expect(idsOf(await ben.threads(`anlage=${unit(3)}`))).toEqual([]);
    expect(idsOf(await ben.threads())).toEqual([none, other, both]);
  });

  test.each([
    ['category=technik', 'INVALID_PARAMETER'],
    ['category=', 'INVALID_PARAMETER'],
    ['anlage=SEE1', 'INVALID_PARAMETER'],
    [`anlage=${unit(1)},${unit(2)}`, 'INVALID_PARAMETER'],
    ['connectionId=', 'INVALID_PARAMETER'],
    ['actingUserId=', 'INVALID_PARAMETER'],
    ['kategorie=TECHNIK', 'UNKNOWN_PARAMETER'],
    ['limit=251', 'INVALID_PARAMETER'],
    ['cursor=x', 'INVALID_CURSOR'],
  ])('?%s: 400 %s', async (query, code) => {
    const response = await ada.threads(query);
    expect(response.json).toMatchObject({ status: 400, code, errors: [{ parameter: query.split('=')[0], code }] });
  });

  test('404 for a connection of two others, and for one that is unknown', async () => {
    const others = await makeCorrespondents(service, service.store);
    for (const id of [others.connection, 'x']) {
      expectProblem(await ada.threads(`connectionId=${id}`), 404, 'NOT_FOUND');
    }
  });

  test('a cursor belongs to its filters and its organisation', async () => {
    await create();
    await create();
    const { cursor } = (await ada.threads('limit=1')).json.meta;
    for (const response of [
      await ada.threads(`limit=1&cursor=${cursor}&connectionId=${pair.connection}`),
      await ben.threads(`limit=1&cursor=${cursor}`),
    ]) {
      expectProblem(response, 400, 'INVALID_CURSOR');
    }
    expect((await ada.threads(`limit=5&cursor=${cursor}`)).json.data).toHaveLength(1);
  });
});

describe('mailboxes', () => {
  const deliveries = async (of: Correspondent) =>
    Object.fromEntries(
      (await of.threads()).json.data.map((row: { id: string; zustellung: object }) => [row.id, row.zustellung]),
    );

  test('zustellung is the mailbox of the side that asks, as routing is now', async () => {
    const [technical, plain] = [await create({ category: 'TECHNIK' }), await create()];
    const nowhere = { postfach: null, allgemein: true };
    expect(await deliveries(ada)).toEqual({ [technical]: nowhere, [plain]: nowhere });
    const central = await putMailbox(service.store, ada.organisation, { name: 'Zentrale', general: true });
    const workshop = await putMailbox(service.store, ada.organisation, { name: 'Werkstatt', categories: ['TECHNIK'] });
    const general = { postfach: { id: central.id, name: 'Zentrale' }, allgemein: true };
    const own = { postfach: { id: workshop.id, name: 'Werkstatt' }, allgemein: false };
    expect(await deliveries(ada)).toEqual({ [technical]: own, [plain]: general });
    expect(await deliveries(ben)).toEqual({ [technical]: nowhere, [plain]: nowhere });
    await putMailbox(service.store, ada.organisation, { ...workshop, categories: ['VERTRAG'] });
    expect(await deliveries(ada)).toEqual({ [technical]: general, [plain]: general });
  });

  test('a user sees what lies in the own mailboxes, and what the user takes part in', async () => {
    const { store } = service;
    const [inWorkshop, inCentral, addressed] = [
      await makeUser(store, ada.organisation),
      await makeUser(store, ada.organisation),
      await makeUser(store, ada.organisation),
    ];
    await putMailbox(store, ada.organisation, { general: true, users: [inCentral.externalId] });
    const workshop = { categories: ['TECHNIK' as const], users: [inWorkshop.externalId] };
    await putMailbox(store, ada.organisation, workshop);
    const technical = await create({ category: 'TECHNIK' }, ben);
    const plain = await create({ addressUserIds: [addressed.id] }, ben);
    const contract = await create({ category: 'VERTRAG' }, ben);
    const seenAs = async (user: { id: string }, query = '') =>
      idsOf(await ada.threads(`actingUserId=${user.id}${query}`));
    expect(await seenAs(inWorkshop)).toEqual([technical]);
    expect(await seenAs(inCentral)).toEqual([contract, plain]);
    expect(await seenAs(addressed)).toEqual([plain]);
    expect(await seenAs(inCentral, '&category=VERTRAG')).toEqual([contract]);
    expect(idsOf(await ada.threads())).toEqual([contract, plain, technical]);
  });
});

/** Pages of Ada's list after a first one. */
async function rest(first: ServiceResponse, query: string, between: () => Promise<unknown>): Promise<string[]> {
  const ids = idsOf(first);
  for (let { cursor } = first.json.meta; cursor !== null; ) {
    await between();
    const page: ServiceResponse = await ada.threads(`${query}&cursor=${cursor}`);
    expect(page.status).toBe(200);
    ids.push(...idsOf(page));
    ({ cursor } = page.json.meta);
  }
  return ids;
}

describe('pages hold still while messages arrive', () => {
  test('a thread that moves up is neither skipped nor repeated; what is new is in the next list', async () => {
    const threads = [];
    for (let count = 0; count < 5; count++) threads.push(await create());
    const [oldest, , , , newest] = threads;
    const first = await ada.threads('limit=2');
    const between = async () => {
      await ben.write(oldest!, { body: 'Nach oben' });
      await ada.write(newest!, { body: 'Noch einmal' });
      await create();
    };
    expect(await rest(first, 'limit=2', between)).toEqual(threads.toReversed());
    expect(idsOf(await ada.threads('limit=10')).slice(0, 3)).toEqual([expect.any(String), newest, oldest]);
  });

  test('a row shows its thread as it is now, at its place of then', async () => {
    const [first, second] = [await create(), await create()];
    const { cursor } = (await ada.threads('limit=1')).json.meta;
    await ben.write(first, { body: '2' });
    await ben.write(first, { body: '3' });
    const [row] = (await ada.threads(`limit=1&cursor=${cursor}`)).json.data;
    expect([row.id, row.nachrichtenAnzahl]).toEqual([first, 3]);
    expect(idsOf(await ada.threads())).toEqual([first, second]);
  });

  test('whatever is written between two pages: each thread of the beginning comes once, in its order', async () => {
    const { partner } = await makePartner('Dritte');
    const actions = fc.array(
      fc.record({ what: fc.constantFrom('create', 'write', 'write twice'), of: fc.nat(100), by: fc.nat(2) }),
      { maxLength: 3 },
    );
    const writers = [ada, ben, partner];
    const all: { id: string; sides: readonly Correspondent[] }[] = [];
    for (let count = 0; count < 6; count++) {
      const by = writers[count % 3]!;
      all.push({ id: await create({}, by), sides: by === partner ? [ada, partner] : [ada, ben] });
    }
    await fc.assert(
      fc.asyncProperty(fc.array(actions, { minLength: 1 }), fc.integer({ min: 1, max: 4 }), async (turns, limit) => {
        const expected = idsOf(await ada.threads('limit=250'));
        const remaining = [...turns];
        const between = async () => {
          for (const { what, of, by } of remaining.shift() ?? []) {
            const { id, sides } = all[of % all.length]!;
            if (what === 'create' && all.length < 30) {
              const creator = writers[by]!;
              all.push({ id: await create({}, creator), sides: creator === partner ? [ada, partner] : [ada, ben] });
            }
            for (let times = what === 'write' ? 1 : 2; what !== 'create' && times > 0; times--) {
              await sides[by % 2]!.write(id, { body: 'x' });
            }
          }
        };
        const first = await ada.threads(`limit=${limit}`);
        expect(await rest(first, `limit=${limit}`, between)).toEqual(expected);
      }),
      { numRuns: cases(8) },
    );
  });

  test('a message that comes at the very time of the newest is later', async () => {
    // A clock that was set back: the newest message lies in the future.
    const future = new Date(Date.now() + 3_600_000).toISOString();
    const ahead = await makeThread(service.store, pair.connection, { createdAt: future });
    const [one, two] = [await create(), await create()];
    const times = (await ada.threads()).json.data.map((row: { letzteAktivitaetAm: string }) => row.letzteAktivitaetAm);
    expect(idsOf(await ada.threads())).toEqual([two, one, ahead]);
    expect(times.map((at: string) => Date.parse(at) - Date.parse(future))).toEqual([2, 1, 0]);
  });
});

test('10,000 threads end the list, as every list', async () => {
  await service.store.asOperator((session) =>
    session.run(sql`
      INSERT INTO threads (id, connection_id, initiator_id, invited_id, assets, message_count, last_activity_at,
        created_at, updated_at)
      SELECT gen_random_uuid(), id, initiator_id, invited_id, '{}', 0, at, at, at
      FROM connections, LATERAL (SELECT now() - n * interval '1 second' AS at FROM generate_series(1, 10001) AS n) AS times
      WHERE id = ${pair.connection}::uuid`),
  );
  const first = await ada.threads('limit=250');
  const ids = await rest(first, 'limit=250', async () => {});
  expect(new Set(ids).size).toBe(10_000);
});
