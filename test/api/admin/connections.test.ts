import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Console, openConsole } from './console.ts';
import { ENDED, makePartners, type Partners, UNITS } from './partners.ts';

/** Connections by the command line, from both sides. */

let admin: Console;
beforeAll(async () => {
  admin = await openConsole();
});
afterAll(() => admin.close());

let partners: Partners;
beforeEach(async () => {
  partners = await makePartners(admin);
});

const listed = async (name: string) =>
  (await admin.json(`connections list ${name}`)).map(({ id, status, role }: Record<string, string>) => [
    id,
    status,
    role,
  ]);

describe('an invitation', () => {
  test('is seen by both sides, each in its own light', async () => {
    const id = await partners.invite();
    const common = { id, status: 'PENDING', email: null, assets: 0, answeredAt: null, activeFields: 0 };
    expect(await partners.show(partners.a, id)).toMatchObject({
      ...common,
      role: 'initiator',
      counterpart: { externalId: partners.b, name: `Werk b ${partners.number}` },
    });
    expect(await partners.show(partners.b, id)).toMatchObject({
      ...common,
      role: 'invited',
      counterpart: { externalId: partners.a, name: `Werk a ${partners.number}` },
    });
    expect(await admin.refusal(`connections show ${partners.c} ${id}`)).toBe(
      `${partners.c} has no connection ${id}\nThose it has: npm run admin -- connections list ${partners.c}\n`,
    );
  });

  test('names the partner by its UUID, too', async () => {
    const { organisation } = await admin.json(`organisations show ${partners.b}`);
    expect((await admin.json(`connections invite ${partners.a} ${organisation.id}`)).data.gegenseite.name).toBe(
      `Werk b ${partners.number}`,
    );
  });

  test('there is one at a time between two, whoever sends it; and none to oneself', async () => {
    const id = await partners.invite();
    for (const [from, to, who] of [
      [partners.a, partners.b, 'The organisation'],
      [partners.b, partners.a, 'The other organisation'],
    ]) {
      expect(await admin.refusal(`connections invite ${from} ${to}`)).toBe(
        `${who} has sent an invitation already: connection ${id}\n`,
      );
    }
    await admin.json(`connections accept ${partners.b} ${id}`);
    expect(await admin.refusal(`connections invite ${partners.b} ${partners.a}`)).toContain('are connected already');
    expect(await admin.refusal(`connections invite ${partners.a} ${partners.a}`)).toContain(
      'cannot be connected to itself',
    );
  });

  test('after the end, one can invite again: that is another connection', async () => {
    const first = await partners.connected();
    await admin.json(`connections revoke ${partners.b} ${first}`);
    const second = await partners.invite(partners.b, partners.a);
    expect(await listed(partners.a)).toEqual([
      [second, 'PENDING', 'invited'],
      [first, 'REVOKED', 'initiator'],
    ]);
  });

  test.each([
    ['', 'Name either --partner, the organisation that is invited, or --email'],
    [' b --email x@y.example', 'Name either --partner, the organisation that is invited, or --email'],
    [' --email nobody', '#/email must be an e-mail address'],
  ])('connections invite a%s is refused', async (rest, message) => {
    const words = `connections invite ${partners.a}${rest.replace(' b', ` ${partners.b}`)}`;
    expect(await admin.refusal(words)).toContain(message);
  });

  test('to an unknown organisation is refused with the nearest name', async () => {
    expect(await admin.refusal(`connections invite ${partners.a} ${partners.b}x`)).toMatch(
      /There is no organisation .*did you mean b-/,
    );
  });
});

describe('an invitation to an e-mail address', () => {
  const address = () => `Anna-${partners.number}@B.example`;
  const inviteAddress = async () =>
    (await admin.json(['connections', 'invite', partners.a, '--email', address()])).data.id;

  test('is accepted by an organisation with a user of that address, and is an ordinary connection then', async () => {
    const id = await inviteAddress();
    expect(await partners.show(partners.a, id)).toMatchObject({ counterpart: null, email: address() });
    expect(await listed(partners.b)).toEqual([[id, 'PENDING', 'invited']]);
    expect(await listed(partners.c)).toEqual([]);
    expect(await admin.refusal(`connections accept ${partners.c} ${id}`)).toContain('has no connection with this id');
    await admin.json(`connections accept ${partners.b} ${id}`);
    expect(await partners.show(partners.a, id)).toMatchObject({
      status: 'ACCEPTED',
      counterpart: { externalId: partners.b },
      email: null,
    });
  });

  test('can be declined, or taken back', async () => {
    const declined = await inviteAddress();
    expect((await admin.json(`connections decline ${partners.b} ${declined}`)).data.status).toBe('DECLINED');
    const revoked = await inviteAddress();
    expect((await admin.json(`connections revoke ${partners.a} ${revoked}`)).data).toMatchObject({
      status: 'REVOKED',
      gegenseite: null,
      beantwortetAm: null,
    });
    expect(await listed(partners.b)).toEqual([]);
  });

  test('gives no rights before it is accepted', async () => {
    const id = await inviteAddress();
    expect(await admin.refusal(`connections assets add ${partners.b} ${id} ${UNITS[0]}`)).toContain('has not accepted');
    expect(await admin.refusal(`connections revoke ${partners.b} ${id}`)).toContain('it can decline');
  });

  test('there is one at a time, and none where two are connected already', async () => {
    const id = await inviteAddress();
    expect(await admin.refusal(`connections invite ${partners.a} --email ${address().toLowerCase()}`)).toContain(
      `has invited this address already: connection ${id}`,
    );
    await admin.json(`connections accept ${partners.b} ${id}`);
    expect(await admin.refusal(`connections invite ${partners.a} --email ${address()}`)).toContain(
      'are connected already',
    );
    expect(await admin.refusal(`connections invite ${partners.b} --email ${address()}`)).toContain(
      'that of a user of the organisation itself',
    );
  });

  test('is refused to an organisation that is connected to the initiator by now', async () => {
    const id = await inviteAddress();
    const direct = await partners.invite();
    expect(await admin.refusal(`connections accept ${partners.b} ${id}`)).toContain(
      `There is a connection to Werk a ${partners.number} already: ${direct}`,
    );
    expect((await admin.json(`connections decline ${partners.b} ${id}`)).data.status).toBe('DECLINED');
  });
});

/** Makes a connection in each state. */
const STATES = {
  PENDING: async () => partners.invite(),
  ACCEPTED: () => partners.connected(),
  DECLINED: () => partners.ended('DECLINED'),
  REVOKED: () => partners.ended('REVOKED'),
} as const;

const OWN = /only the side that was invited can answer it; it can be revoked/;
const BEFORE = /was accepted before, on .*; it can be revoked/;

/** The status afterwards, or why not: for the initiator, and for the invited side. */
const MOVES: Readonly<
  Record<string, Readonly<Record<keyof typeof STATES, readonly [string | RegExp, string | RegExp]>>>
> = {
  accept: { PENDING: [OWN, 'ACCEPTED'], ACCEPTED: [BEFORE, BEFORE], DECLINED: [ENDED, ENDED], REVOKED: [ENDED, ENDED] },
  decline: {
    PENDING: [OWN, 'DECLINED'],
    ACCEPTED: [BEFORE, BEFORE],
    DECLINED: [ENDED, ENDED],
    REVOKED: [ENDED, ENDED],
  },
  revoke: {
    PENDING: ['REVOKED', /has not answered; it can decline/],
    ACCEPTED: ['REVOKED', 'REVOKED'],
    DECLINED: [ENDED, ENDED],
    REVOKED: [ENDED, ENDED],
  },
};

describe.each(Object.keys(STATES) as (keyof typeof STATES)[])('a connection that is %s', (state) => {
  for (const [move, outcomes] of Object.entries(MOVES)) {
    for (const [place, side] of (['a', 'b'] as const).entries()) {
      const outcome = outcomes[state][place]!;
      test(`${move} by ${side === 'a' ? 'the initiator' : 'the invited side'}: ${outcome}`, async () => {
        const id = await STATES[state]();
        const before = await partners.show(partners.a, id);
        const words = `connections ${move} ${partners[side]} ${id}`;
        if (typeof outcome === 'string') {
          const { data } = await admin.json(words);
          expect(data.status).toBe(outcome);
          expect(data.geaendertAm > before.updatedAt).toBe(true);
          expect(data.beantwortetAm).toBe(move === 'revoke' ? before.answeredAt : data.geaendertAm);
        } else {
          expect(await admin.refusal(words)).toMatch(outcome);
          expect(await partners.show(partners.a, id)).toEqual(before);
        }
      });
    }
  }

  test('is unknown to others', async () => {
    const id = await STATES[state]();
    for (const move of Object.keys(MOVES)) {
      expect(await admin.refusal(`connections ${move} ${partners.c} ${id}`)).toContain(
        'has no connection with this id',
      );
    }
  });
});

test('for people: members one by one', async () => {
  const invited = await admin.run(`connections invite ${partners.a} ${partners.b}`);
  expect(invited.out).toMatch(/^status +PENDING$/m);
  expect(invited.out).toMatch(new RegExp(`^gegenseite +.*Werk b ${partners.number}`, 'm'));
  const [, id = ''] = /^id +(\S+)$/m.exec(invited.out) ?? [];
  expect((await admin.run(`connections accept ${partners.b} ${id}`)).out).toMatch(/^status +ACCEPTED$/m);
  const units = `${partners.a} ${id} ${UNITS[0]} ${UNITS[1]}`;
  expect((await admin.run(`connections assets add ${units}`)).out).toBe(
    `id             ${id}\nanlagenAnzahl  2\nhinzugefuegt   2\nunveraendert   0\n`,
  );
  expect((await admin.run(`connections assets remove ${units}`)).out).toBe(
    `id             ${id}\nanlagenAnzahl  0\nentfernt       2\nunveraendert   0\n`,
  );
  expect((await admin.run(`connections show ${partners.a} ${id}`)).out).toMatch(/^with +Werk b/m);
  expect((await admin.run(`connections list ${partners.a} --status PENDING`)).out).toBe('No connections\n');
  expect((await admin.run(`connections list ${partners.a}`)).out).toContain(
    `${id}  ACCEPTED  initiator  Werk b ${partners.number} (${partners.b})`,
  );
});

test('the log has ids, and neither names nor addresses', async () => {
  const before = admin.log.length;
  const id = await partners.connected();
  await admin.json(`connections assets add ${partners.a} ${id} ${UNITS[0]}`);
  await admin.json(`connections invite ${partners.a} --email somebody@else.example`);
  const lines = admin.log.slice(before);
  expect(lines.map(({ command, organisation, of }) => ({ command, organisation, of }))).toEqual([
    { command: 'connections invite', organisation: partners.a, of: id },
    { command: 'connections accept', organisation: partners.b, of: id },
    { command: 'connections assets add', organisation: partners.a, of: id },
    { command: 'connections invite', organisation: partners.a, of: expect.any(String) },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/Werk|example/);
});
