import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../sql/org/statement.ts';
import { makeUser } from '../support/channel.ts';
import { connect } from '../support/connections.ts';
import {
  type Correspondent,
  type Correspondents,
  idsOf,
  makeCorrespondents,
  textsOf,
} from '../support/correspondents.ts';
import { makeOrganisation } from '../support/organisation.ts';
import { expectReplay, unit } from '../support/portfolio.ts';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/** Writing over a connection: interface.md, POST /v1/threads and POST /v1/threads/{id}/messages. */

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

const userOf = async ({ organisation }: Correspondent, name: string) =>
  (await makeUser(service.store, organisation, { name })).id;

/** Ends the connection, as the command line does. */
const end = (status = 'REVOKED', id = pair.connection) =>
  service.store.asOperator((session) =>
    session.run(sql`UPDATE connections SET status = ${status} WHERE id = ${id}::uuid`),
  );

describe('a thread', () => {
  test('is there for both sides at once, each with its own view', async () => {
    const assets = [unit(2), unit(1), unit(2)];
    const created = await ada.create({ body: 'Wann?', subject: 'Wartung', category: 'TECHNIK', assets });
    expect(created.status).toBe(200);
    const [{ id, externalId }] = created.json.data;
    expect(created.json).toEqual({
      data: [{ id: expect.any(String), externalId: expect.any(String), status: 'created' }],
      meta: { total: 1, created: 1, updated: 0, unchanged: 0, failed: 0, dryRun: false },
    });
    const [ofAda, ofBen] = [await ada.thread(id), await ben.thread(id)];
    expect(ofAda.json).toEqual({
      data: {
        id,
        connectionId: pair.connection,
        betreff: 'Wartung',
        kategorie: 'TECHNIK',
        anlagen: [unit(2), unit(1)],
        nachrichtenAnzahl: 1,
        letzteAktivitaetAm: expect.any(String),
        angelegtAm: ofAda.json.data.letzteAktivitaetAm,
        geaendertAm: ofAda.json.data.letzteAktivitaetAm,
        gegenseite: { name: 'Betriebsführung Ben' },
      },
      meta: {},
    });
    expect(ofBen.json.data).toEqual({ ...ofAda.json.data, gegenseite: { name: 'Windpark Ada' } });
    for (const [side, eigeneSeite] of [
      [ada, true],
      [ben, false],
    ] as const) {
      expect(idsOf(await side.threads())).toEqual([id]);
      expect((await side.messages(id)).json.data).toEqual([
        {
          id: externalId,
          text: 'Wann?',
          geloescht: false,
          bearbeitet: false,
          // The integration of the own side is named; how the other side writes is its own affair.
          absender: { organisation: 'Windpark Ada', eigeneSeite, person: null, viaApi: eigeneSeite },
          anhaenge: [],
          geschriebenAm: ofAda.json.data.angelegtAm,
        },
      ]);
    }
  });

  test('subject, category and units can be left out or null', async () => {
    for (const body of [{}, { subject: null, category: null, assets: [], addressUserIds: [], actingUserId: null }]) {
      const { json } = await ben.create(body);
      const { data } = (await ada.thread(json.data[0].id)).json;
      expect([data.betreff, data.kategorie, data.anlagen]).toEqual([null, null, []]);
    }
  });

  test('written as one user: the message keeps the name of that time', async () => {
    const actingUserId = await userOf(ada, 'Eva Ost');
    const { json } = await ada.create({ actingUserId });
    await service.store.asOperator((session) =>
      session.run(sql`UPDATE users SET name = 'Eva West' WHERE id = ${actingUserId}::uuid`),
    );
    const senders = async (of: Correspondent) =>
      (await of.messages(json.data[0].id)).json.data.map(({ absender }: { absender: object }) => absender);
    expect(await senders(ben)).toMatchObject([{ organisation: 'Windpark Ada', person: 'Eva Ost', viaApi: false }]);
    expect(await senders(ada)).toMatchObject([{ organisation: 'Windpark Ada', person: 'Eva Ost', viaApi: true }]);
  });

  test('who writes or is addressed sees it, whatever the routing; another colleague does not', async () => {
    const [writer, colleague, addressed, bystander] = [
      await userOf(ada, 'W'),
      await userOf(ada, 'C'),
      await userOf(ben, 'A'),
      await userOf(ben, 'B'),
    ];
    const addressUserIds = [addressed, addressed, addressed.toUpperCase()];
    const { id } = (await ada.create({ actingUserId: writer, addressUserIds })).json.data[0];
    const seenAs = async (of: Correspondent, user: string) => idsOf(await of.threads(`actingUserId=${user}`));
    expect(await seenAs(ada, writer)).toEqual([id]);
    expect(await seenAs(ada, colleague)).toEqual([]);
    expect(await seenAs(ben, addressed)).toEqual([id]);
    expect(await seenAs(ben, bystander)).toEqual([]);
    await ben.write(id, { body: 'Ich auch', actingUserId: bystander });
    expect(await seenAs(ben, bystander)).toEqual([id]);
  });
});

describe('what cannot be written', () => {
  const bad = 400;

  test.each([
    ['no text', { body: undefined }, 'INVALID_BODY', '#/body'],
    ['a number for a text', { body: 7 }, 'INVALID_BODY', '#/body'],
    ['an empty text', { body: '' }, 'INVALID_PARAMETER', '#/body'],
    ['blanks and line breaks', { body: ' \n\t\u00a0\u2003\u200b\ufeff\r\n' }, 'INVALID_PARAMETER', '#/body'],
    ['5001 characters', { body: 'x'.repeat(5001) }, 'INVALID_PARAMETER', '#/body'],
    ['5001 emojis', { body: '😀'.repeat(5001) }, 'INVALID_PARAMETER', '#/body'],
    ['half of an emoji', { body: 'a\ud83d' }, 'INVALID_PARAMETER', '#/body'],
    ['NUL', { body: 'a\u0000b' }, 'INVALID_PARAMETER', '#/body'],
    ['a subject of 201 characters', { subject: 'x'.repeat(201) }, 'INVALID_PARAMETER', '#/subject'],
    ['a blank subject', { subject: ' ' }, 'INVALID_PARAMETER', '#/subject'],
    ['a subject of two lines', { subject: 'a\nb' }, 'INVALID_PARAMETER', '#/subject'],
    ['an unknown category', { category: 'Technik' }, 'INVALID_BODY', '#/category'],
    ['no connection', { connectionId: undefined }, 'INVALID_BODY', '#/connectionId'],
    ['null for a connection', { connectionId: null }, 'INVALID_BODY', '#/connectionId'],
    ['a wrong MaStR number', { assets: ['SEE1'] }, 'INVALID_BODY', '#/assets/0'],
    ['51 units', { assets: Array(51).fill(unit(1)) }, 'TOO_MANY_VALUES', '#/assets'],
    ['units as a text', { assets: unit(1) }, 'INVALID_BODY', '#/assets'],
    ['11 addressees', { addressUserIds: Array(11).fill('x') }, 'TOO_MANY_VALUES', '#/addressUserIds'],
    ['an unknown member', { kategorie: 'TECHNIK' }, 'UNKNOWN_PARAMETER', '#/kategorie'],
  ])('400: %s', async (_, body, code, pointer) => {
    const response = await ada.create(body);
    expect([response.status, response.json.errors]).toMatchObject([bad, [{ code, pointer }]]);
    expect(idsOf(await ada.threads())).toEqual([]);
  });

  test('400 for units outside the scope, each named', async () => {
    const response = await ada.create({ assets: [unit(4), unit(1), unit(5), unit(4)] });
    expectProblem(response, bad, 'INVALID_PARAMETER');
    expect(response.json.errors).toMatchObject([
      { pointer: '#/assets/0', detail: expect.stringContaining(unit(4)) },
      { pointer: '#/assets/2', detail: expect.stringContaining(unit(5)) },
    ]);
  });

  test('404 for a connection that is unknown, of two others, or no id at all', async () => {
    const others = await makeCorrespondents(service, service.store);
    for (const connectionId of [randomUUID(), others.connection, 'x', `${pair.connection}0`]) {
      const response = await ada.create({ connectionId });
      expectProblem(response, 404, 'NOT_FOUND');
      expect(response.json.detail).toContain('GET /v1/connections');
    }
  });

  test('404 for a user who is unknown, or of another organisation, as sender and as view', async () => {
    const thread = (await ada.create()).json.data[0].id;
    for (const actingUserId of [randomUUID(), await userOf(ben, 'B'), 'x']) {
      expectProblem(await ada.create({ actingUserId }), 404, 'NOT_FOUND');
      expectProblem(await ada.write(thread, { body: 'x', actingUserId }), 404, 'NOT_FOUND');
      expectProblem(await ada.threads(`actingUserId=${actingUserId}`), 404, 'NOT_FOUND');
    }
  });

  test.each(['PENDING', 'DECLINED', 'REVOKED'])('422 on a connection that is %s', async (status) => {
    await end(status);
    const response = await ada.create({ actingUserId: 'nobody' });
    expectProblem(response, 422, 'UNPROCESSABLE');
    expect(response.json.detail).toContain(status);
  });

  test('422 for addressees of neither organisation, and for the sender', async () => {
    const third = await makeOrganisation(service.store);
    const stranger = (await makeUser(service.store, third)).id;
    const actingUserId = await userOf(ada, 'A');
    const colleague = await userOf(ada, 'C');
    for (const [addressUserIds, faults] of [
      [[stranger], [0]],
      [
        [colleague, randomUUID(), 'x'],
        [1, 2],
      ],
      [[colleague, actingUserId], [1]],
      [[actingUserId.toUpperCase()], [0]],
    ] as const) {
      const response = await ada.create({ addressUserIds, actingUserId });
      expectProblem(response, 422, 'UNPROCESSABLE');
      const at = faults.map((index) => ({ pointer: `#/addressUserIds/${index}`, code: 'UNPROCESSABLE' }));
      expect(response.json.errors).toMatchObject(at);
    }
    // The integration writes here, so the user who was the sender above can be addressed.
    expect((await ada.create({ addressUserIds: [actingUserId] })).status).toBe(200);
  });

  test('404 for a thread that is unknown, of two others, or no id at all', async () => {
    const others = await makeCorrespondents(service, service.store);
    const foreign = (await others.ada.create()).json.data[0].id;
    for (const id of [randomUUID(), foreign, 'x']) {
      expectProblem(await ada.thread(id), 404, 'NOT_FOUND');
      expectProblem(await ada.messages(id), 404, 'NOT_FOUND');
      expectProblem(await ada.write(id, { body: 'x' }), 404, 'NOT_FOUND');
    }
  });
});

describe('texts', () => {
  test.each([
    ['5000 characters', 'x'.repeat(5000)],
    ['5000 emojis, of two UTF-16 units each', '😀'.repeat(5000)],
    ['several lines, with blanks around', '  Guten Tag,\r\n\n\tgern.\n '],
    ['combined characters and other scripts', 'e\u0301 Привет שלום 👩‍👩‍👧'],
    ['what looks like code', `'; DROP TABLE messages; -- \${x} <b>$1</b> \\u0000`],
  ])('%s come back as they were sent', async (_, text) => {
    const { id } = (await ada.create({ body: text })).json.data[0];
    await ben.write(id, { body: text });
    expect(textsOf(await ben.messages(id))).toEqual([text, text]);
  });
});

describe('a message', () => {
  test('is the last of its thread, moves it, and has its id in the answer', async () => {
    const { id } = (await ada.create()).json.data[0];
    const before = (await ada.thread(id)).json.data;
    const written = await ben.write(id, { body: 'Gern' });
    const message = (await ada.messages(id)).json.data[1];
    expect(written.json.data).toEqual([{ id: message.id, externalId: null, status: 'created' }]);
    expect(written.json.meta).toMatchObject({ total: 1, created: 1, dryRun: false });
    const after = (await ada.thread(id)).json.data;
    expect(after).toEqual({
      ...before,
      nachrichtenAnzahl: 2,
      letzteAktivitaetAm: message.geschriebenAm,
      geaendertAm: message.geschriebenAm,
    });
    expect(message.geschriebenAm > before.letzteAktivitaetAm).toBe(true);
  });

  test.each([[{}], [{ body: ' ' }], [{ body: 'x', subject: 'y' }], [{ body: 'x', actingUserId: 1 }]])(
    '400: %j',
    async (body) => {
      const { id } = (await ada.create()).json.data[0];
      expect((await ben.write(id, body)).status).toBe(400);
      expect((await ada.thread(id)).json.data.nachrichtenAnzahl).toBe(1);
    },
  );
});

describe('after the connection has ended', () => {
  test('its threads can be read, and are listed for that connection; writing is 422', async () => {
    const { id } = (await ada.create()).json.data[0];
    await end();
    for (const side of [ada, ben]) {
      expect((await side.thread(id)).status).toBe(200);
      expect(textsOf(await side.messages(id))).toEqual(['Guten Tag']);
      expect(idsOf(await side.threads())).toEqual([]);
      expect(idsOf(await side.threads(`connectionId=${pair.connection}`))).toEqual([id]);
      const refused = await side.write(id, { body: 'Noch etwas' });
      expectProblem(refused, 422, 'UNPROCESSABLE');
      expect(refused.json.detail).toContain('has ended');
    }
  });

  test('a new connection of the two has threads of its own', async () => {
    const { id } = (await ada.create()).json.data[0];
    await end();
    const connectionId = await connect(service.store, ben.organisation, ada.organisation);
    const next = (await ada.create({ connectionId })).json.data[0].id;
    expect(idsOf(await ben.threads())).toEqual([next]);
    expectProblem(await ada.write(id, { body: 'x' }), 422, 'UNPROCESSABLE');
    expect((await ben.write(next, { body: 'x' })).status).toBe(200);
  });
});

describe('dry run and repetition', () => {
  test('a dry run checks all and writes nothing', async () => {
    const { id } = (await ada.create()).json.data[0];
    const query = 'dryRun=true';
    const tried = [await ada.create({ body: 'x' }, { query }), await ben.write(id, { body: 'x' }, { query })];
    for (const { status, json } of tried) {
      expect([status, json.data[0].status, json.meta.dryRun]).toEqual([200, 'created', true]);
    }
    expectProblem(await ada.create({ assets: [unit(9)] }, { query }), 400, 'INVALID_PARAMETER');
    expect(idsOf(await ada.threads())).toEqual([id]);
    expect((await ada.thread(id)).json.data.nachrichtenAnzahl).toBe(1);
    expectProblem(await ada.thread(tried[0]!.json.data[0].id), 404, 'NOT_FOUND');
  });

  test('the same call with its key again gets the first answer, and writes nothing', async () => {
    const create = () => ada.create({ body: 'x' }, { once: 'thread' });
    const first = await create();
    const { id } = first.json.data[0];
    const write = () => ben.write(id, { body: 'y' }, { once: 'message' });
    const second = await write();
    expectReplay(await create(), first);
    expectReplay(await write(), second);
    expect(idsOf(await ada.threads())).toEqual([id]);
    expect(textsOf(await ada.messages(id))).toEqual(['x', 'y']);
    expectProblem(await ben.write(id, { body: 'z' }, { once: 'message' }), 409, 'IDEMPOTENCY_KEY_REUSED');
  });
});
