import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../../api/operation/operation.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { makeThread, makeUser } from '../support/channel.ts';
import { connect } from '../support/connections.ts';
import { ENCRYPTION_KEY, makeContacts } from '../support/contacts.ts';
import { makeField, ownFields } from '../support/custom-fields.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { entry, listed, type Portfolio, portfolioOf, rowStatuses, unit } from '../support/portfolio.ts';
import { callOperation, NO_KEY, withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';
import { openFresh, PREPARED, written } from '../support/store-engines.ts';
import { saveFilter } from './saved-filter.ts';

/**
 * Organisations do not see, change or learn of each other (decisions.md, Tenant isolation), operation by operation. Two
 * of them have the same rights. What one asks about the other's things is answered as if they were not there.
 */

let store: OrgStore;
let service: OwnSubject;
let a: Member;
let b: Member;
beforeAll(async () => {
  store = await openFresh(PREPARED);
  service = await serveOwnFixture({ ENCRYPTION_KEYS: ENCRYPTION_KEY }, store);
});
beforeEach(async () => {
  a = await newMember('Geheimwerke Abendroth');
  b = await newMember('Stadtwerke Bellevue');
  await live(a);
});
afterAll(async () => {
  await service.stop();
  await store.close();
});

interface Member {
  readonly id: string;
  /** Its key. */
  readonly key: string;
  readonly prefix: string;
  readonly portfolio: Portfolio;
  /** Ids of its connections to a third organisation, the first of which has units in scope. */
  readonly connections: readonly string[];
  /** Id of a thread on the first of them, in which its user has written. */
  readonly thread: string;
  /** Id of a user. */
  readonly user: string;
  /** A field of its own. */
  readonly fieldId: string;
}

async function newMember(name: string): Promise<Member> {
  const organisation = await makeOrganisation(store, { name });
  const { text, row } = await makeKey(store, organisation, { name: `Schlüssel von ${name}` });
  const connections = [];
  for (const assets of [[unit(1), unit(2)], []]) {
    const partner = await makeOrganisation(store, { name: `Partner von ${name}` });
    connections.push(await connect(store, organisation, partner, { assets }));
  }
  const user = (await makeUser(store, organisation, { name: `Geheimrat von ${name}` })).id;
  const written = { subject: 'Geheimsache', messages: ['Geheim: 47110815', 'Auch geheim'] };
  const participants = [{ user, side: organisation.id }];
  const thread = await makeThread(store, connections[0]!, { ...written, participants });
  await makeThread(store, connections[0]!, written);
  const field = await makeField(store, organisation, { name: `Feld von ${name}` });
  return {
    id: organisation.id,
    key: text,
    prefix: row.prefix,
    portfolio: portfolioOf(service, text),
    connections,
    thread,
    user,
    fieldId: field.id,
  };
}

/** Makes calls that leave records: an entry, a removed one, a taken key, calls that failed. */
async function live({ id, portfolio, key, fieldId }: Member): Promise<void> {
  await makeContacts(store, id, [
    { name: 'Geheimrat Abendroth', email: 'geheim@abendroth.example' },
    { kind: 'FUNCTION', name: 'Geheimdienst Abendroth', telephone: '47110815' },
  ]);
  const externalRefs = { Geheimsystem: 'Vorgang 47110815' };
  await portfolio.put([entry(1, { externalRefs }), entry(2, { externalRefs }), entry(3)], { once: 'taken' });
  await saveFilter(store, id, { name: 'Geheimplan Abendroth', criteria: { suche: 'geheim 47110815' } });
  await ownFields(service, key).put(1, [{ defId: fieldId, text: 'Geheimakte 47110815' }]);
  await portfolio.remove([unit(2)], { once: 'taken for a removal' });
  await service.get('/v1/units?limit=geheim', withKey(key));
  await service.get('/v1/usage', withKey(key));
}

type Request = Parameters<typeof callOperation>[2] & object;

/** The same question about a record of the other organisation, and about an unknown one. */
interface Pair {
  readonly what: string;
  readonly foreign: Request;
  readonly unknown: Request;
}

async function savedFilterOf({ key }: Member): Promise<{ id: string }> {
  return (await service.get('/v1/saved-filters', withKey(key))).json.data[0];
}

/** Gets the cursor after the first entry of a list, for the caller with this key. */
async function cursorOf(list: string, key: string): Promise<string> {
  const { meta } = (await service.get(`/v1/${list}?limit=1`, withKey(key))).json;
  return (meta.page ?? meta).cursor;
}

/** A question about the connection of two others, and about none. */
const aboutConnection = (): Pair => ({
  what: 'a connection of two others',
  foreign: { path: { id: a.connections[0]! } },
  unknown: { path: { id: randomUUIDv7() } },
});

/** A question about the thread of two others, and about none. */
const aboutThread = (more: Request = {}): Pair => ({
  what: 'a thread of two others',
  foreign: { ...more, path: { id: a.thread } },
  unknown: { ...more, path: { id: randomUUIDv7() } },
});

/** A text on the own connection, with something more. */
const onOwn = (more: object) => ({ body: { connectionId: b.connections[0], body: 'Guten Tag', ...more } });

/** Requests about another organisation's records, for each operation that answers from records of an organisation. */
const PAIRS: Readonly<Record<string, () => Promise<readonly Pair[]>>> = {
  'units.search': async () => [
    {
      what: 'a saved filter of the other',
      foreign: { body: { savedFilterId: (await savedFilterOf(a)).id } },
      unknown: { body: { savedFilterId: randomUUIDv7() } },
    },
  ],
  'portfolio.list': async () => [
    {
      what: 'a cursor: of the other, and of another question',
      foreign: { query: `limit=1&cursor=${await cursorOf('portfolio', a.key)}` },
      unknown: { query: `limit=1&cursor=${await cursorOf('units', b.key)}` },
    },
  ],
  'portfolio.put': async () => [
    {
      what: 'a unit that the other has',
      foreign: { body: { entries: [entry(1)] } },
      unknown: { body: { entries: [entry(11)] } },
    },
    {
      what: 'a unit that the other has removed',
      foreign: { body: { entries: [entry(2)] } },
      unknown: { body: { entries: [entry(12)] } },
    },
    {
      what: 'the same in a dry run',
      foreign: { query: 'dryRun=true', body: { entries: [entry(3)] } },
      unknown: { query: 'dryRun=true', body: { entries: [entry(13)] } },
    },
    {
      what: 'an idempotency key that the other has used, for something else',
      foreign: { body: { entries: [entry(4)] }, headers: { 'Idempotency-Key': 'taken' } },
      unknown: { body: { entries: [entry(14)] }, headers: { 'Idempotency-Key': 'never' } },
    },
  ],
  'portfolio.remove': async () => [
    {
      what: 'a unit that the other has',
      foreign: { body: { mastrNummern: [unit(3)] } },
      unknown: { body: { mastrNummern: [unit(15)] } },
    },
    {
      what: 'an idempotency key that the other has used, for the same',
      foreign: { body: { mastrNummern: [unit(2)] }, headers: { 'Idempotency-Key': 'taken for a removal' } },
      unknown: { body: { mastrNummern: [unit(16)] }, headers: { 'Idempotency-Key': 'used by nobody so far' } },
    },
  ],
  'contacts.list': async () => {
    await makeContacts(store, b.id, [{ name: 'Bellevue 1' }, { name: 'Bellevue 2' }]);
    return [
      {
        what: 'a name that the other has',
        foreign: { query: 'suche=abendroth' },
        unknown: { query: 'suche=niemand' },
      },
      {
        what: 'a cursor: of the other, and of another question',
        foreign: { query: `kind=PERSON&cursor=${await cursorOf('contacts', a.key)}` },
        unknown: { query: `kind=PERSON&cursor=${await cursorOf('contacts', b.key)}` },
      },
    ];
  },
  'custom-fields.list': async () => [],
  'custom-fields.values': async () => [
    {
      what: 'a unit with values of the other',
      foreign: { path: { id: unit(1) } },
      unknown: { path: { id: unit(11) } },
    },
  ],
  'custom-fields.put': async () => [
    {
      what: 'a field of the other',
      foreign: { body: { values: [{ defId: a.fieldId, text: 'x' }] } },
      unknown: { body: { values: [{ defId: randomUUIDv7(), text: 'x' }] } },
    },
    {
      what: 'the same in a dry run',
      foreign: { query: 'dryRun=true', body: { values: [{ defId: a.fieldId, text: null }] } },
      unknown: { query: 'dryRun=true', body: { values: [{ defId: randomUUIDv7(), text: null }] } },
    },
  ],
  'saved-filters.list': async () => [],
  'connections.list': async () => [
    {
      what: 'a cursor: of the other, and of another question',
      foreign: { query: `limit=1&cursor=${await cursorOf('connections', a.key)}` },
      unknown: { query: `limit=1&cursor=${await cursorOf('units', b.key)}` },
    },
  ],
  'connections.show': async () => [aboutConnection()],
  'connections.assets': async () => [
    aboutConnection(),
    {
      what: 'a cursor within a connection of the other, and within one that is unknown',
      foreign: {
        ...aboutConnection().foreign,
        query: `limit=1&cursor=${await cursorOf(`connections/${a.connections[0]}/assets`, a.key)}`,
      },
      unknown: { ...aboutConnection().unknown, query: `limit=1&cursor=${await cursorOf('units', b.key)}` },
    },
  ],
  'threads.list': async () => [
    {
      what: 'a connection of two others',
      foreign: { query: `connectionId=${a.connections[0]}` },
      unknown: { query: `connectionId=${randomUUIDv7()}` },
    },
    {
      what: 'what a user of the other sees',
      foreign: { query: `actingUserId=${a.user}` },
      unknown: { query: `actingUserId=${randomUUIDv7()}` },
    },
    {
      what: 'a cursor: of the other, and of another question',
      foreign: { query: `limit=1&cursor=${await cursorOf('threads', a.key)}` },
      unknown: { query: `limit=1&cursor=${await cursorOf('units', b.key)}` },
    },
  ],
  'threads.create': async () => [
    {
      what: 'on a connection of two others',
      foreign: { body: { connectionId: a.connections[0], body: 'Guten Tag' } },
      unknown: { body: { connectionId: randomUUIDv7(), body: 'Guten Tag' } },
    },
    {
      what: 'as a user of the other',
      foreign: onOwn({ actingUserId: a.user }),
      unknown: onOwn({ actingUserId: randomUUIDv7() }),
    },
    {
      what: 'to a user of the other',
      foreign: onOwn({ addressUserIds: [a.user] }),
      unknown: onOwn({ addressUserIds: [randomUUIDv7()] }),
    },
  ],
  'shared-fields.list': async () => [aboutConnection()],
  'shared-fields.answer': async () => {
    const field = (await makeField(store, a, { name: 'Geheimfeld', filledByPartner: true })).id;
    const path = { id: b.connections[0]! };
    return [
      aboutConnection(),
      {
        what: 'a field that the other asks somebody else for',
        foreign: { path, body: { antworten: [{ anlage: unit(1), defId: field, text: 'x' }] } },
        unknown: { path, body: { antworten: [{ anlage: unit(1), defId: randomUUIDv7(), text: 'x' }] } },
      },
    ];
  },
  'threads.show': async () => [aboutThread()],
  'messages.list': async () => [
    aboutThread(),
    {
      what: 'a cursor of the other, and of another question',
      foreign: { path: { id: b.thread }, query: `cursor=${await cursorOf(`threads/${a.thread}/messages`, a.key)}` },
      unknown: { path: { id: b.thread }, query: `cursor=${await cursorOf('units', b.key)}` },
    },
  ],
  'messages.create': async () => [
    aboutThread(),
    {
      what: 'as a user of the other',
      foreign: { path: { id: b.thread }, body: { body: 'Guten Tag', actingUserId: a.user } },
      unknown: { path: { id: b.thread }, body: { body: 'Guten Tag', actingUserId: randomUUIDv7() } },
    },
  ],
  'audit.list': async () => [
    {
      what: 'the calls of a key',
      foreign: { query: `keyPrefix=${a.prefix}` },
      unknown: { query: 'keyPrefix=00000000' },
    },
    {
      what: 'a cursor: of the other, and of another question',
      foreign: { query: `limit=1&cursor=${await cursorOf('audit-log', a.key)}` },
      unknown: { query: `limit=1&cursor=${await cursorOf('units', b.key)}` },
    },
  ],
  'me.show': async () => [],
  'usage.show': async () => [],
};

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

/** MaStR numbers and ids that a request names: they stand in its answer. */
const namesIn = ({ body }: Request): readonly string[] =>
  JSON.stringify(body ?? null).match(/SEE\d{12}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];

const table = z.strictObject({ name: z.string() });
const line = z.strictObject({ row: z.string() });

/** What belongs to the two sides of a connection, with its units. */
const TWO_SIDED = [
  'connections',
  '(SELECT a.*, c.initiator_id, c.invited_id FROM connection_assets a JOIN connections c ON c.id = connection_id)',
  'threads',
  '(SELECT p.*, t.initiator_id, t.invited_id FROM thread_participants p JOIN threads t ON t.id = thread_id)',
  '(SELECT m.*, t.initiator_id, t.invited_id FROM messages m JOIN threads t ON t.id = thread_id)',
];

/** Everything that the store has of an organisation, table by table. */
async function snapshot(id: string): Promise<Record<string, string[]>> {
  const tables = await store.autocommit(
    table,
    sql`SELECT table_name::text AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name = 'organisation_id' ORDER BY 1`,
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const lines = sql`SELECT to_jsonb(t)::text AS row FROM ${written(name)} t WHERE organisation_id = ${id}::uuid ORDER BY 1`;
    rows[name] = (await store.autocommit(line, lines)).map(({ row }) => row);
  }
  for (const name of TWO_SIDED) {
    const lines = sql`SELECT to_jsonb(t)::text AS row FROM ${written(name)} t
      WHERE ${id}::uuid IN (initiator_id, invited_id) ORDER BY 1`;
    rows[name] = (await store.autocommit(line, lines)).map(({ row }) => row);
  }
  return rows;
}

/** Marks that would reveal the organisation in an answer to another one: its ids, names, references, requests. */
async function marksOf({ id, prefix }: Member): Promise<string[]> {
  const ids = Object.values(await snapshot(id)).flatMap(
    (rows) => rows.join().match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [],
  );
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
  const pairsOf = async (): Promise<readonly Pair[]> => (await PAIRS[id]?.()) ?? [];

  test('reveals nothing of the other organisation, and does not change it', async () => {
    const questions: Request[] = [{}, ...(await pairsOf()).map(({ foreign }) => foreign)];
    // Until the other's own calls are recorded.
    await sleep(200);
    const [before, marks] = [await snapshot(a.id), await marksOf(a)];
    expect(marks.length).toBeGreaterThan(15);
    for (const question of questions) {
      const { text, headers } = await asB(operation, question);
      const answer = `${text} ${JSON.stringify([...headers])}`;
      // What the question itself names is no news in its answer.
      const asked = JSON.stringify(question);
      expect(marks.filter((mark) => answer.includes(mark) && !asked.includes(mark))).toEqual([]);
    }
    await sleep(200);
    expect(await snapshot(a.id)).toEqual(before);
  });

  test('answers the same about a foreign record as about an unknown one', async () => {
    for (const { what, foreign, unknown } of await pairsOf()) {
      b = await newMember('Stadtwerke Bellevue');
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
    const c = await newMember('Dritte');
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
    const [c, d] = [await newMember('Dritte'), await newMember('Vierte')];
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
