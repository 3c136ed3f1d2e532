import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { sql } from '../../sql/org/statement.ts';
import { makeUser } from '../support/channel.ts';
import { connect } from '../support/connections.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectReplay } from '../support/portfolio.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveSharedFixture } from '../support/service.ts';
import { type ManagedSide, managedSide } from '../support/sides.ts';

/** Organisations invite each other, answer and end: the one that invites, the one that is invited, and a third. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

let a: ManagedSide;
let b: ManagedSide;
let c: ManagedSide;
beforeEach(async () => {
  a = await managedSide(service, 'Stadtwerke A');
  b = await managedSide(service, 'Windpark B');
  c = await managedSide(service, 'Dritte C');
});

const invite = (from: ManagedSide, to: ManagedSide) =>
  from.ask('connections', 'POST', { organisationId: to.organisation.id });
const inviteAddress = (from: ManagedSide, email: string) => from.ask('connections', 'POST', { email });
const invited = async (): Promise<string> => (await invite(a, b)).json.data.id;
const move = (side: ManagedSide, id: string, status: string) => side.ask(`connections/${id}`, 'PATCH', { status });
const statusOf = async (id: string, side = a) => (await side.ask(`connections/${id}`)).json.data?.status;
const invitations = async (side: ManagedSide): Promise<string[]> =>
  (await side.ask('connections/invitations')).json.data.map(({ id }: { id: string }) => id);

async function connected(): Promise<string> {
  const id = await invited();
  expect((await move(b, id, 'ACCEPTED')).status).toBe(200);
  return id;
}

describe('an invitation by id', () => {
  test('stands in the lists of both, each in its own light, and is unknown to a third', async () => {
    const { status, json } = await invite(a, b);
    const { id } = json.data;
    expect([status, json.data]).toEqual([
      201,
      {
        ...{ id, status: 'PENDING', rolle: 'initiator', gegenseite: { name: 'Windpark B' }, email: null },
        ...{ anlagenAnzahl: 0, beantwortetAm: null },
        ...{ angelegtAm: json.data.angelegtAm, geaendertAm: json.data.angelegtAm },
      },
    ]);
    expect((await a.ask('connections/invitations')).json.data).toEqual([json.data]);
    expect((await b.ask('connections/invitations')).json.data).toEqual([
      { ...json.data, rolle: 'eingeladen', gegenseite: { name: 'Stadtwerke A' } },
    ]);
    expect(await invitations(c)).toEqual([]);
    for (const status of ['ACCEPTED', 'DECLINED', 'REVOKED'])
      expectProblem(await move(c, id, status), 404, 'NOT_FOUND');
    expectProblem(await c.ask(`connections/${id}`), 404, 'NOT_FOUND');
    expect(await statusOf(id)).toBe('PENDING');
  });

  test('goes to nobody by external id, by a text, or by an id that nobody has; all are answered alike', async () => {
    const answers = [];
    for (const organisationId of [b.organisation.externalId, 'b', '', randomUUIDv7()]) {
      const answer = await a.ask('connections', 'POST', { organisationId });
      expectProblem(answer, 422, 'UNPROCESSABLE');
      answers.push(answer.json.detail);
    }
    expect(new Set(answers).size).toBe(1);
  });

  test('takes the id in whatever case; it is neither both nor nothing', async () => {
    const upper = await a.ask('connections', 'POST', { organisationId: b.organisation.id.toUpperCase() });
    expect(upper.status).toBe(201);
    expectProblem(await a.ask('connections', 'POST', {}), 422, 'UNPROCESSABLE');
    const both = { organisationId: c.organisation.id, email: 'a@b.example' };
    expectProblem(await a.ask('connections', 'POST', both), 422, 'UNPROCESSABLE');
  });

  test('there is one between two, whoever sends it, and none to oneself; after the end there is another one', async () => {
    const id = await invited();
    for (const answer of [await invite(a, b), await invite(b, a), await invite(a, a)])
      expectProblem(answer, 409, 'CONFLICT');
    await move(b, id, 'ACCEPTED');
    expectProblem(await invite(b, a), 409, 'CONFLICT');
    await move(b, id, 'REVOKED');
    expect((await invite(b, a)).status).toBe(201);
  });

  test('at most 100 wait for an answer', async () => {
    for (let count = 0; count < 100; count++) {
      const other = await makeOrganisation(service.store);
      await connect(service.store, a.organisation, other, { status: 'PENDING' });
    }
    const refused = await invite(a, b);
    expectProblem(refused, 422, 'UNPROCESSABLE');
    expect(refused.json.detail).toContain('at most 100');
    expect((await a.ask('connections/invitations?limit=60')).json.meta).toMatchObject({ count: 60, hasMore: true });
    const [first] = await invitations(a);
    await move(a, first!, 'REVOKED');
    expect((await invite(a, b)).status).toBe(201);
  });

  test('a dry run leaves nothing, and a repetition is the same invitation', async () => {
    const body = { organisationId: b.organisation.id };
    expect((await a.ask('connections?dryRun=true', 'POST', body)).status).toBe(201);
    expect(await invitations(b)).toEqual([]);
    const once = { 'Idempotency-Key': 'einmal' };
    const first = await a.ask('connections', 'POST', body, once);
    expectReplay(await a.ask('connections', 'POST', body, once), first);
    expect(await invitations(b)).toEqual([first.json.data.id]);
  });
});

/** What the sides may do in a state: the status afterwards, or 409. */
const MOVES = {
  PENDING: { a: { ACCEPTED: 409, DECLINED: 409, REVOKED: 200 }, b: { ACCEPTED: 200, DECLINED: 200, REVOKED: 409 } },
  ACCEPTED: { a: { ACCEPTED: 409, DECLINED: 409, REVOKED: 200 }, b: { ACCEPTED: 409, DECLINED: 409, REVOKED: 200 } },
  DECLINED: { a: { ACCEPTED: 409, DECLINED: 409, REVOKED: 409 }, b: { ACCEPTED: 409, DECLINED: 409, REVOKED: 409 } },
  REVOKED: { a: { ACCEPTED: 409, DECLINED: 409, REVOKED: 409 }, b: { ACCEPTED: 409, DECLINED: 409, REVOKED: 409 } },
} as const;

describe.each(Object.entries(MOVES))('a connection that is %s', (state, sides) => {
  test.each(Object.entries(sides))('moves by %s only as its side may', async (side, outcomes) => {
    for (const [wanted, outcome] of Object.entries(outcomes)) {
      const [initiator, other] = [await managedSide(service, 'I'), await managedSide(service, 'O')];
      const id = await connect(service.store, initiator.organisation, other.organisation, {
        status: state as keyof typeof MOVES,
      });
      const before = (await initiator.ask(`connections/${id}`)).json.data;
      const answer = await move(side === 'a' ? initiator : other, id, wanted);
      expect([wanted, answer.status]).toEqual([wanted, outcome]);
      const after = (await initiator.ask(`connections/${id}`)).json.data;
      if (outcome === 409) {
        expectProblem(answer, 409, 'CONFLICT');
        expect(after).toEqual(before);
        continue;
      }
      expect(after.status).toBe(wanted);
      expect(after.geaendertAm > before.geaendertAm).toBe(true);
      expect(after.beantwortetAm).toBe(wanted === 'REVOKED' ? before.beantwortetAm : after.geaendertAm);
    }
  });
});

describe('an invitation to an address', () => {
  const address = () => `anna-${b.organisation.id}@b.example`;
  beforeEach(() => makeUser(service.store, b.organisation, { email: address().toUpperCase() }));

  test('is seen by whoever has a user of it, and tells the sender nothing of that', async () => {
    const { status, json } = await inviteAddress(a, address());
    const nobody = await inviteAddress(a, 'niemand@nirgends.example');
    expect([status, json.data.gegenseite, json.data.email]).toEqual([201, null, address()]);
    const { id: _, email: __, angelegtAm: ___, geaendertAm: ____, ...same } = nobody.json.data;
    expect(json.data).toMatchObject(same);
    expect((await b.ask('connections/invitations')).json.data).toMatchObject([
      { id: json.data.id, rolle: 'eingeladen', gegenseite: { name: 'Stadtwerke A' }, email: address() },
    ]);
    expect(await invitations(c)).toEqual([]);
    expectProblem(await move(c, json.data.id, 'ACCEPTED'), 404, 'NOT_FOUND');
  });

  test('gives no rights before it is accepted, and is an ordinary connection then', async () => {
    await a.portfolio.put([{ mastrNummer: 'SEE900000000001', relationType: 'OWNER' }]);
    const { id } = (await inviteAddress(a, address())).json.data;
    const units = { mastrNummern: ['SEE900000000001'] };
    expect((await a.ask(`connections/${id}/assets`, 'POST', units)).status).toBe(200);
    for (const path of ['', '/assets', '/fields', '/shared-fields'])
      expectProblem(await b.ask(`connections/${id}${path}`), 404, 'NOT_FOUND');
    for (const method of ['POST', 'DELETE'])
      expectProblem(await b.ask(`connections/${id}/assets`, method, units), 409, 'CONFLICT');
    expectProblem(await move(b, id, 'REVOKED'), 409, 'CONFLICT');
    expect((await b.ask('connections')).json.data).toEqual([]);
    expect((await move(b, id, 'ACCEPTED')).json.data).toMatchObject({ status: 'ACCEPTED', email: null });
    expect((await a.ask(`connections/${id}`)).json.data.gegenseite).toEqual({ name: 'Windpark B' });
    expect((await b.ask(`connections/${id}/assets`)).json.data).toHaveLength(1);
  });

  test('is declined without a word of who did', async () => {
    const { data } = (await inviteAddress(a, address())).json;
    const declined = await move(b, data.id, 'DECLINED');
    expect([declined.status, declined.json.data]).toMatchObject([
      200,
      { status: 'DECLINED', rolle: 'eingeladen', gegenseite: { name: 'Stadtwerke A' }, email: address() },
    ]);
    expect([await invitations(a), await invitations(b)]).toEqual([[], []]);
    for (const side of [a, b]) expect((await side.ask('connections?status=DECLINED')).json.data).toEqual([]);
    const again = await move(a, data.id, 'REVOKED');
    expectProblem(again, 409, 'CONFLICT');
    expect(again.text).not.toContain('Windpark');
    expectProblem(await move(b, data.id, 'ACCEPTED'), 404, 'NOT_FOUND');
    const rows = await service.store.asOrganisation(a.organisation.id, (session) =>
      session.rows(
        z.strictObject({ name: z.string().nullable(), email: z.string() }),
        sql`SELECT invited_name AS name, invited_email AS email FROM connections WHERE id = ${data.id}::uuid`,
      ),
    );
    expect(rows).toEqual([{ name: null, email: address() }]);
  });

  test('of two organisations with the address the first answers; the other knows nothing of it any more', async () => {
    await makeUser(service.store, c.organisation, { email: address() });
    const { id } = (await inviteAddress(a, address())).json.data;
    expect([await invitations(b), await invitations(c)]).toEqual([[id], [id]]);
    expect((await move(c, id, 'DECLINED')).status).toBe(200);
    expect(await invitations(b)).toEqual([]);
    expectProblem(await move(b, id, 'ACCEPTED'), 404, 'NOT_FOUND');
  });

  test('is refused where one waits already, and to the own address; a connected organisation is not told', async () => {
    await inviteAddress(a, address());
    expectProblem(await inviteAddress(a, address().toUpperCase()), 409, 'CONFLICT');
    expectProblem(await inviteAddress(b, address()), 409, 'CONFLICT');
    await connect(service.store, c.organisation, b.organisation);
    expect((await inviteAddress(c, address())).status).toBe(201);
  });

  test('is not accepted beside a connection that there is, but declined', async () => {
    const { id } = (await inviteAddress(a, address())).json.data;
    await connected();
    expectProblem(await move(b, id, 'ACCEPTED'), 409, 'CONFLICT');
    expect((await move(b, id, 'DECLINED')).status).toBe(200);
  });

  test('is taken back by its sender alone', async () => {
    const { id } = (await inviteAddress(a, address())).json.data;
    expect((await move(a, id, 'REVOKED')).json.data).toMatchObject({ status: 'REVOKED', gegenseite: null });
    expectProblem(await move(b, id, 'ACCEPTED'), 404, 'NOT_FOUND');
  });
});

describe('at the same moment', () => {
  const succeeded = (answers: readonly ServiceResponse[]) => {
    for (const { status } of answers) expect([200, 201, 409]).toContain(status);
    return answers.filter(({ status }) => status < 300).length;
  };

  test('both invite: one invitation', async () => {
    expect(succeeded(await Promise.all([invite(a, b), invite(b, a), invite(a, b)]))).toBe(1);
    expect(await invitations(a)).toHaveLength(1);
  });

  test('accept and decline, twice each: one of them', async () => {
    const id = await invited();
    const moves = ['ACCEPTED', 'DECLINED', 'ACCEPTED', 'DECLINED'];
    expect(succeeded(await Promise.all(moves.map((status) => move(b, id, status))))).toBe(1);
  });

  test('accept and take back: it has ended', async () => {
    const id = await invited();
    await Promise.all([move(b, id, 'ACCEPTED'), move(a, id, 'REVOKED')]);
    expect(await statusOf(id)).toBe('REVOKED');
  });

  test('three organisations with one address accept: one of them', async () => {
    const email = `zentrale-${a.organisation.id}@x.example`;
    for (const side of [b, c]) await makeUser(service.store, side.organisation, { email });
    const { id } = (await inviteAddress(a, email)).json.data;
    const answers = await Promise.all([b, c].map((side) => move(side, id, 'ACCEPTED')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});

test('a key needs connections:manage: answering fields is another right', async () => {
  const id = await invited();
  const { text } = await makeKey(service.store, b.organisation, { scopes: ['connections:read', 'connections:write'] });
  const answer = await service.send('PATCH', `/v1/connections/${id}`, {
    headers: { ...withKey(text), 'Content-Type': 'application/json' },
    body: '{"status":"ACCEPTED"}',
  });
  expectProblem(answer, 403, 'MISSING_SCOPE');
  expect(await statusOf(id)).toBe('PENDING');
});

test('a change is in the audit log of the organisation that made it, and of no other', async () => {
  const id = await invited();
  const { headers } = await move(b, id, 'ACCEPTED');
  const rows = await service.store.autocommit(
    z.strictObject({ organisation: z.uuid() }),
    sql`SELECT organisation_id AS organisation FROM audit_log WHERE request_id = ${headers.get('x-request-id')}::uuid`,
  );
  expect(rows).toEqual([{ organisation: b.organisation.id }]);
});
