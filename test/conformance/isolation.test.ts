import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../../api/operation/operation.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { type StoreStatement, sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { ENCRYPTION_KEY } from '../support/contacts.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { entry, listed, rowStatuses, unit } from '../support/portfolio.ts';
import { callOperation, NO_KEY, withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';
import { ANYWHERE, openFresh, written } from '../support/store-engines.ts';
import { live, type Member, newMember } from './isolation-members.ts';
import { PAIRS, type Pair, type Request } from './isolation-pairs.ts';

/**
 * Organisations do not see, change or learn of each other (decisions.md, Tenant isolation), operation by operation. Two
 * of them have the same rights. What one asks about the other's things is answered as if they were not there.
 */

let store: OrgStore;
let service: OwnSubject;
let a: Member;
let b: Member;
/** The one that asks what changes nothing. */
let reader: Member;
beforeAll(async () => {
  store = await openFresh(ANYWHERE);
  service = await serveOwnFixture({ ENCRYPTION_KEYS: ENCRYPTION_KEY }, store);
  // One for all tests: that nothing another organisation asks changes it is what they prove.
  a = await newMember(store, service, 'Geheimwerke Abendroth');
  await live(store, service, a);
  reader = await newMember(store, service, 'Stadtwerke Bellevue');
});
beforeEach(() => {
  b = reader;
});
afterAll(async () => {
  await service.stop();
  await store.close();
});

/** Operations that answer any two organisations of equal rights alike, beside those of the register. */
const ALIKE = ['units.fields'];

const isPublic = ({ access }: Operation) => access === 'public';
const isAlike = (operation: Operation) =>
  !isPublic(operation) && (operation.source === 'register' || ALIKE.includes(operation.id));

/** Headers that differ from answer to answer for every caller. */
const VARYING = ['x-request-id', 'date', 'ratelimit', 'server-timing'];

/** An answer without what differs from call to call: ids, moments, and how long an answer took. */
function shapeOf({ status, headers, text }: ServiceResponse, names: readonly string[] = []) {
  const body = text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<moment>')
    .replaceAll(/"dauerMs":\d+/g, '"dauerMs":0');
  return {
    status,
    headers: [...headers].filter(([name]) => !VARYING.includes(name)),
    body: names.reduce((all, name) => all.replaceAll(name, '<name>'), body),
  };
}

/** MaStR numbers, addresses and ids that a request names: they stand in its answer. */
const namesIn = ({ body }: Request): readonly string[] =>
  JSON.stringify(body ?? null).match(/SEE\d{12}|[\w.-]+@[\w.-]+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];

const table = z.strictObject({ name: z.string() });
const line = z.strictObject({ table: z.string(), row: z.string() });

/** Rows that belong to both sides of a connection, with the columns that name the sides. */
const TWO_SIDED = [
  'connections',
  '(SELECT a.*, c.initiator_id, c.invited_id FROM connection_assets a JOIN connections c ON c.id = connection_id)',
  'threads',
  '(SELECT p.*, t.initiator_id, t.invited_id FROM thread_participants p JOIN threads t ON t.id = thread_id)',
  '(SELECT m.*, t.initiator_id, t.invited_id FROM messages m JOIN threads t ON t.id = thread_id)',
];

/** Everything that the store has of an organisation, by table, in one statement: it is asked before and after each operation. */
async function snapshot(id: string): Promise<Snapshot> {
  everything ??= await statementOfAll();
  return store.autocommit(line, everything(id));
}

type Snapshot = readonly z.infer<typeof line>[];

let everything: ((id: string) => StoreStatement) | undefined;

async function statementOfAll(): Promise<(id: string) => StoreStatement> {
  const tables = await store.autocommit(
    table,
    sql`SELECT table_name::text AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name = 'organisation_id' ORDER BY 1`,
  );
  const rowsOf = (name: string, condition: string) =>
    `SELECT '${name}' AS table, to_jsonb(t)::text AS row FROM ${name} t, asked WHERE ${condition}`;
  const all = written(
    [
      ...tables.map(({ name }) => rowsOf(name, 'organisation_id = asked.id')),
      ...TWO_SIDED.map((name) => rowsOf(name, 'asked.id IN (initiator_id, invited_id)')),
    ].join(' UNION ALL '),
  );
  return (id) => sql`WITH asked AS (SELECT ${id}::uuid AS id) ${all} ORDER BY 1, 2`;
}

/** Marks that would reveal the organisation in an answer to another one: its ids, names, references, requests. */
function marksOf({ prefix }: Member, rows: Snapshot): string[] {
  const ids = rows.flatMap(({ row }) => row.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []);
  // The number is long enough not to be a part of a UUID by chance.
  return [...new Set([...ids, prefix, 'Geheim', 'geheim', '47110815', 'Abendroth'])];
}

test('every operation that is not public has a proof', () => {
  const open = OPERATIONS.filter((operation) => !isPublic(operation) && !isAlike(operation)).map(({ id }) => id);
  expect(Object.keys(PAIRS).sort()).toEqual(open.sort());
});

/** An operation with its name, for tests that are made for each. */
const named = (chosen: (operation: Operation) => boolean) =>
  OPERATIONS.filter(chosen).map((operation) => [operation.id, operation] as const);

const asB = (operation: Operation, request: Request = {}): Promise<ServiceResponse> =>
  callOperation(service, operation, { ...request, headers: { ...withKey(b.key), ...request.headers } });

describe.each(named((operation) => !isPublic(operation)))('%s', (id, operation) => {
  const pairsOf = async (): Promise<readonly Pair[]> => (await PAIRS[id]?.({ store, service, a, b })) ?? [];

  /** What changes something is asked by an organisation of which nothing was asked before. */
  const changeAsker = async () => {
    if (operation.cost === 'mutation') b = await newMember(store, service, 'Stadtwerke Bellevue');
  };
  beforeEach(changeAsker);

  test('reveals nothing of the other organisation, and does not change it', async () => {
    const questions: Request[] = [{}, ...(await pairsOf()).map(({ foreign }) => foreign)];
    // Until the other's own calls are recorded.
    await sleep(200);
    const before = await snapshot(a.id);
    const marks = marksOf(a, before);
    expect(marks.length).toBeGreaterThan(15);
    for (const question of questions) {
      const { text, headers } = await asB(operation, question);
      const answer = `${text} ${JSON.stringify([...headers])}`;
      // An answer may repeat what the question itself names.
      const asked = JSON.stringify(question);
      expect(marks.filter((mark) => answer.includes(mark) && !asked.includes(mark))).toEqual([]);
    }
    await sleep(200);
    expect(await snapshot(a.id)).toEqual(before);
  });

  test('answers the same about a foreign record as about an unknown one', async () => {
    const { length } = await pairsOf();
    for (let index = 0; index < length; index++) {
      if (index > 0) await changeAsker();
      // Made anew: questions name what the asker has.
      const { what, foreign, unknown } = (await pairsOf())[index]!;
      const [aboutForeign, aboutUnknown] = [await asB(operation, foreign), await asB(operation, unknown)];
      expect(shapeOf(aboutForeign, namesIn(foreign)), what).toEqual(shapeOf(aboutUnknown, namesIn(unknown)));
      expect(aboutForeign.headers.get('idempotency-replayed')).toBeNull();
    }
  });
});

test.each(named(isAlike))(
  '%s answers equal rights alike: it does not depend on the organisation',
  async (_, operation) => {
    const forA = await callOperation(service, operation, { headers: withKey(a.key) });
    expect(shapeOf(await asB(operation))).toEqual(shapeOf(forA));
  },
);

test.each(named(isPublic))('%s answers every caller alike, with or without a key', async (_, operation) => {
  const answers: ServiceResponse[] = [];
  for (const headers of [withKey(a.key), withKey(b.key), NO_KEY]) {
    answers.push(await callOperation(service, operation, { headers }));
  }
  const [first, ...others] = answers.map((response) => shapeOf(response));
  expect(others).toEqual([first, first]);
});

describe('side by side', () => {
  test('both have the same unit, each its own entry', async () => {
    const c = await newMember(store, service, 'Dritte');
    const response = await c.portfolio.put([entry(1, { relationType: 'LESSOR' })]);
    expect(rowStatuses(response)).toEqual(['created']);
    expect(listed(await c.portfolio.list('includeDeleted=true'))).toEqual([1]);
    const ofA = (await a.portfolio.list()).json.data.find(
      (row: { mastrNummer: string }) => row.mastrNummer === unit(1),
    );
    expect(ofA).toMatchObject({ relationType: 'OPERATOR', externalRefs: { Geheimsystem: 'Vorgang 47110815' } });
    expect(ofA.id).not.toBe(response.json.data[0].id);
    await c.portfolio.remove([unit(1)]);
    expect(listed(await a.portfolio.list())).toContain(1);
  });

  test('an audit log holds the calls of its organisation and no others', async () => {
    const [c, d] = [await newMember(store, service, 'Dritte'), await newMember(store, service, 'Vierte')];
    const calls = { [c.id]: [] as string[], [d.id]: [] as string[] };
    for (let round = 0; round < 3; round++) {
      for (const member of [c, d]) {
        const response = await service.get('/v1/me', withKey(member.key));
        calls[member.id]!.push(response.headers.get('x-request-id')!);
      }
    }
    await sleep(200);
    for (const member of [c, d]) {
      const { data } = (await service.get('/v1/audit-log', withKey(member.key))).json;
      expect(data.map((row: { requestId: string }) => row.requestId).reverse()).toEqual(calls[member.id]);
    }
  });

  test('a limit is used up for one organisation only', async () => {
    const [c, d] = await Promise.all(
      ['Dritte', 'Vierte'].map(async (name) => {
        const made = await makeOrganisation(store, { name, quota: 3, limits: { standard: 5 } });
        return (await makeKey(store, made)).text;
      }),
    );
    for (let call = 0; call < 4; call++) await service.get('/v1/portfolio', withKey(c!));
    expect((await service.get('/v1/portfolio', withKey(c!))).status).toBe(429);
    const response = await service.get('/v1/portfolio', withKey(d!));
    expect([response.status, response.headers.get('ratelimit')]).toEqual([
      200,
      expect.stringMatching(/^"standard";r=4;/),
    ]);
  });

  test('an entity tag depends on the booked modules: the tag of a caller with other rights does not match', async () => {
    const tagOf = async (key: string) => (await service.get('/v1/units', withKey(key))).headers.get('etag') ?? '';
    const less = await makeKey(store, await makeOrganisation(store, { modules: ['api', 'analysis'] }));
    const tag = await tagOf(a.key);
    const response = await service.get('/v1/units', { ...withKey(less.text), 'If-None-Match': tag });
    expect([response.status, response.headers.get('etag') === tag]).toEqual([200, false]);
    // Equal rights have equal answers: the tag reveals nothing that its holder does not know.
    expect(await tagOf(b.key)).toBe(tag);
  });

  test('a key gives no access to another organisation, whatever else is sent', async () => {
    const headers = { Authorization: `Bearer ${b.key}`, 'X-API-Key': a.key, 'X-Organisation': a.id };
    expect((await service.get('/v1/portfolio', headers)).status).toBe(401);
    const response = await service.get('/v1/me', {
      ...withKey(b.key),
      'X-Organisation': a.id,
      'X-Request-Id': randomUUIDv7(),
    });
    expect(response.json.data.organization.id).toBe(b.id);
    for (const parameter of ['organisationId', 'organisation_id', 'organization']) {
      expect((await service.get(`/v1/portfolio?${parameter}=${a.id}`, withKey(b.key))).status).toBe(400);
    }
  });
});
