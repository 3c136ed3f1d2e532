import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { putActiveFields, putReleasedFields } from '../../../sql/org/records/connection-fields.ts';
import { putCustomFields } from '../../../sql/org/records/custom-fields.ts';
import { connect } from '../../support/connections.ts';
import { type Console, openConsole } from './console.ts';

/** Connections in documents: each side brings its half, in whatever order, and neither needs the other. */

let here: Console;
let there: Console;
beforeAll(async () => {
  [here, there] = await Promise.all([openConsole(), openConsole()]);
});
afterAll(() => Promise.all([here.close(), there.close()]));

// biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
type Json = any;

const take = (admin: Console, text: unknown, ...words: string[]): Promise<Json> =>
  admin.json(['import', '-', ...words], JSON.stringify(text));

let made = 0;
let a: { id: string; name: string; externalId: string };
let b: typeof a;
let id: string;

const AT = '2026-10-01T08:00:00.000Z';
const UNITS = ['SEE900000000001', 'SEE900000000002'] as const;

/** Makes a field of the organisation that can cross. */
const makeField = (admin: Console, organisationId: string, name: string, choices: object = {}) =>
  admin.store.asOperator((session) =>
    session.run(
      putCustomFields(organisationId, [
        {
          ...{
            id: randomUUID(),
            name,
            type: 'TEXT',
            multiple: false,
            choices: [],
            filledByPartner: false,
            shared: true,
          },
          ...{ retiredAt: null, createdAt: AT, updatedAt: AT, ...choices },
        },
      ]),
    ),
  );

/** Two organisations that are connected, each with a field that is active there, and one that is released. */
beforeEach(async () => {
  made += 1;
  const create = async (name: string) =>
    here.json(['organisations', 'create', `${name}-${made}`, '--name', `${name.toUpperCase()} ${made}`]);
  a = await create('a');
  b = await create('b');
  id = await connect(here.store, a, b, { assets: [...UNITS], at: AT });
  for (const [side, filledByPartner] of [
    [a, false],
    [b, true],
  ] as const) {
    for (const name of ['Zähler', 'Änderung']) await makeField(here, side.id, name, { filledByPartner });
    const row = { connectionId: id, at: '2026-10-01T07:00:00.000Z' };
    await here.store.asOperator(async (session) => {
      await session.run(putActiveFields(side.id, [{ ...row, field: 'Zähler' }]));
      await session.run(putReleasedFields(side.id, [{ ...row, field: 'Änderung' }]));
    });
  }
});

const exported = (admin: Console, { externalId }: { externalId: string }): Promise<Json> =>
  admin.json(`export ${externalId}`);

/** A connection in the other store, as one side exports it. */
const connectionThere = async (side: typeof a) =>
  (await exported(there, side)).connections.find((one: Json) => one.id === id);

/** Puts an organisation there, with its fields, and without its connections. */
const settle = (document: Json): Promise<Json> => take(there, { ...document, connections: [] });

test('an item tells the scope of both sides, and what is active and released of the own fields', async () => {
  const field = { field: 'Zähler', activatedAt: '2026-10-01T07:00:00.000Z' };
  const assets = UNITS.map((mastrNumber) => ({ mastrNumber, relationType: 'OPERATOR', addedAt: AT, updatedAt: AT }));
  const common = {
    ...{
      id,
      status: 'ACCEPTED',
      email: null,
      assets,
      activeFields: [field],
      createdAt: AT,
      answeredAt: AT,
      changedAt: AT,
    },
    releases: [{ field: 'Änderung', releasedAt: '2026-10-01T07:00:00.000Z' }],
  };
  expect((await exported(here, a)).connections).toEqual([
    { ...common, role: 'initiator', counterpart: { id: b.id, name: b.name } },
  ]);
  expect((await exported(here, b)).connections).toEqual([
    { ...common, role: 'invited', counterpart: { id: a.id, name: a.name } },
  ]);
});

test.each([['initiator first'], ['invited first']])(
  'both documents one after the other give the whole: %s',
  async (order) => {
    const documents = [
      [a, await exported(here, a), false],
      [b, await exported(here, b), true],
    ] as const;
    const inOrder = order === 'initiator first' ? documents : documents.toReversed();
    for (const [, document] of inOrder) {
      await settle(document);
      await take(there, document);
      // Each side alone has what it had, whether the other is there or not.
      expect((await exported(there, document.organisation)).connections).toEqual(document.connections);
    }
    for (const [side, document] of documents) {
      expect(await connectionThere(side)).toEqual(document.connections[0]);
      expect(await there.json(`connections show ${side.externalId} ${id}`)).toEqual(
        await here.json(`connections show ${side.externalId} ${id}`),
      );
      expect((await take(there, document)).counts.connections).toEqual({ created: 0, updated: 0, unchanged: 1 });
    }
  },
);

describe('a document about a connection that the store has', () => {
  let document: Json;
  let item: Json;
  beforeEach(async () => {
    document = await exported(here, a);
    item = document.connections[0];
    await settle(document);
    await take(there, document);
  });

  const update = async (changes: object) => {
    const { counts } = await take(there, { ...document, connections: [{ ...item, ...changes }] });
    return counts.connections;
  };

  test('adds units and fields, and removes none', async () => {
    const more = { mastrNumber: 'SEE900000000003', relationType: 'LESSOR', addedAt: AT, updatedAt: AT };
    const given = { assets: [more], activeFields: [{ field: 'Änderung', activatedAt: AT }], releases: [] };
    expect(await update(given)).toMatchObject({ updated: 1 });
    const after = await connectionThere(a);
    expect(after).toMatchObject({
      assets: [...item.assets, more],
      activeFields: [...item.activeFields, given.activeFields[0]],
      releases: item.releases,
    });
    expect(after.changedAt > item.changedAt).toBe(true);
    expect(await there.json(`connections show ${a.externalId} ${id}`)).toMatchObject({ assets: 3 });
    expect(await update(given)).toMatchObject({ unchanged: 1 });
  });

  test('does not bring it back when it has ended', async () => {
    await there.json(`connections revoke ${a.externalId} ${id}`);
    const ended = await connectionThere(a);
    expect(await update({})).toMatchObject({ unchanged: 1 });
    expect(await connectionThere(a)).toEqual(ended);
  });

  test('ends it when the document has ended', async () => {
    const changedAt = '2026-10-09T08:00:00.000Z';
    expect(await update({ status: 'REVOKED', changedAt })).toMatchObject({ updated: 1 });
    expect(await connectionThere(a)).toMatchObject({ status: 'REVOKED', answeredAt: AT, changedAt });
  });

  test('follows the name of the other side as soon as that is in the store', async () => {
    await settle({ ...(await exported(here, b)), organisation: { id: b.id, externalId: b.externalId, name: 'B neu' } });
    expect(await connectionThere(a)).toMatchObject({ counterpart: { id: b.id, name: 'B neu' } });
    await there.json(['organisations', 'rename', b.externalId, 'B neuer']);
    expect(await update({})).toMatchObject({ unchanged: 1 });
    expect(await connectionThere(a)).toMatchObject({ counterpart: { name: 'B neuer' } });
  });

  test.each([
    [{ role: 'invited' }, 'role is initiator in this store'],
    [{ counterpart: { id: randomUUID(), name: 'X' } }, /counterpart\/id is [-0-9a-f]+ in this store/],
  ])('that contradicts it is refused: %j', async (changes, fault) => {
    const { code, err } = await there.run(
      'import -',
      JSON.stringify({ ...document, connections: [{ ...item, ...changes }] }),
    );
    expect(code).toBe(5);
    expect(err).toMatch(fault);
    expect(await connectionThere(a)).toEqual(item);
  });
});

test('an invitation to an e-mail address travels with the side that sent it; once it is answered, it is the answer that counts', async () => {
  await here.json(`users create ${b.externalId} anna --name Anna --email anna-${made}@b.example --role owner`);
  await here.json(`connections revoke ${a.externalId} ${id}`);
  const { data: connection } = await here.json(`connections invite ${a.externalId} --email anna-${made}@b.example`);
  const [ofA, ofB] = [await exported(here, a), await exported(here, b)];
  expect(ofA.connections.at(-1)).toMatchObject({ id: connection.id, counterpart: null, status: 'PENDING' });
  expect(ofB.connections.map((one: Json) => one.id)).toEqual([id]);
  for (const document of [ofA, ofB]) {
    await settle(document);
    await take(there, document);
  }
  await there.json(`connections accept ${b.externalId} ${connection.id}`);
  expect((await take(there, ofA)).counts.connections).toEqual({ created: 0, updated: 0, unchanged: 2 });
  expect(await there.json(`connections show ${a.externalId} ${connection.id}`)).toMatchObject({
    status: 'ACCEPTED',
    counterpart: { externalId: b.externalId },
    email: null,
  });
});

describe('is refused', () => {
  const counterpart = { id: randomUUID(), name: 'X' };
  const item = () => ({ id: randomUUID(), role: 'initiator', status: 'PENDING', counterpart });
  const twice = { mastrNumber: UNITS[0], relationType: 'OWNER' };
  test.each<[string, () => object[], string]>([
    ['without an id', () => [{ ...item(), id: undefined }], '#/connections/0/id is required'],
    [
      'without a counterpart',
      () => [{ ...item(), counterpart: null }],
      '#/connections/0 must have either a counterpart or an email',
    ],
    [
      'with the organisation itself',
      () => [{ ...item(), counterpart: { id: a.id, name: a.name } }],
      '#/connections/0/counterpart/id is the organisation itself',
    ],
    [
      'accepted without a time',
      () => [{ ...item(), status: 'ACCEPTED' }],
      '#/connections/0/answeredAt is required where',
    ],
    [
      'pending with a time',
      () => [{ ...item(), answeredAt: AT }],
      '#/connections/0/answeredAt must be null while it is PENDING',
    ],
    [
      'an e-mail that is accepted',
      () => [{ ...item(), counterpart: null, email: 'a@b.example', status: 'ACCEPTED', answeredAt: AT }],
      '#/connections/0/status is accepted by nobody',
    ],
    [
      'an e-mail of the other side',
      () => [{ ...item(), counterpart: null, email: 'a@b.example', role: 'invited' }],
      '#/connections/0/email belongs to',
    ],
    [
      'two that live with one organisation',
      () => [item(), item()],
      '#/connections/1/status is a second connection with X',
    ],
    [
      'one beside that of the store',
      () => [{ ...item(), counterpart: { id: b.id, name: 'B' } }],
      'that has not ended, beside ',
    ],
    [
      'a unit twice',
      () => [{ ...item(), assets: [twice, twice] }],
      '#/connections/0/assets has something more than once',
    ],
    [
      'an unknown field',
      () => [{ ...item(), activeFields: [{ field: 'Zaehler' }] }],
      '#/connections/0/activeFields has "Zaehler", which is no custom field',
    ],
    [
      'a field that cannot cross',
      () => [{ ...item(), releases: [{ field: 'Intern' }] }],
      '#/connections/0/releases has "Intern", which is neither shared nor',
    ],
    [
      'the id of another connection',
      () => [{ ...item(), id: foreign }],
      '#/connections/0/id is the id of something else',
    ],
  ])('%s', async (_, connections, fault) => {
    await makeField(here, a.id, 'Intern', { shared: false });
    foreign = await connect(here.store, { id: randomUUID(), name: 'C' }, { id: randomUUID(), name: 'D' });
    const before = await exported(here, a);
    const organisation = { externalId: a.externalId, name: a.name };
    const { code, err } = await here.run(
      'import -',
      JSON.stringify({ format: 1, organisation, connections: connections() }),
    );
    expect({ code, err }).toEqual({ code: 5, err: expect.stringContaining(fault) });
    expect(await exported(here, a)).toEqual(before);
  });
  let foreign: string;
});

test('what the document ends makes room for what it begins', async () => {
  const document = await exported(here, a);
  const next = { id: randomUUID(), role: 'invited', status: 'PENDING', counterpart: { id: b.id, name: b.name } };
  const ended = { ...document.connections[0], status: 'REVOKED' };
  const { counts } = await take(here, { ...document, connections: [next, ended] });
  expect(counts.connections).toEqual({ created: 1, updated: 1, unchanged: 0 });
  expect(await here.json(`connections list ${b.externalId}`)).toMatchObject([
    { id: next.id, status: 'PENDING', role: 'initiator' },
    { id, status: 'REVOKED' },
  ]);
});
