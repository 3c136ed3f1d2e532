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
    expect(
      (await admin.json(`connections invite ${partners.a} ${organisation.id}`)).connection.counterpart.externalId,
    ).toBe(partners.b);
  });

  test('there is one at a time between two, whoever sends it; and none to oneself', async () => {
    const id = await partners.invite();
    for (const [from, to, next] of [
      [partners.a, partners.b, 'To look at it: npm run admin -- connections show'],
      [partners.b, partners.a, 'To accept it: npm run admin -- connections accept'],
    ]) {
      expect(await admin.refusal(`connections invite ${from} ${to}`)).toBe(
        `${partners.a} has sent an invitation already: connection ${id}\n${next} ${from} ${id}\n`,
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
    ['', 'Name either the organisation that is invited, or --email'],
    [' x --email x@y.example', 'Name either the organisation that is invited, or --email'],
    [' --email nobody', '--email must be an e-mail address'],
  ])('connections invite a%s is no command', async (rest, message) => {
    const { code, err } = await admin.run(`connections invite ${partners.a}${rest}`);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
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
    (await admin.json(['connections', 'invite', partners.a, '--email', address()])).connection.id;

  test('is accepted by an organisation with a user of that address, and is an ordinary connection then', async () => {
    const id = await inviteAddress();
    expect(await partners.show(partners.a, id)).toMatchObject({ counterpart: null, email: address() });
    expect(await listed(partners.b)).toEqual([[id, 'PENDING', 'invited']]);
    expect(await listed(partners.c)).toEqual([]);
    expect(await admin.refusal(`connections accept ${partners.c} ${id}`)).toContain(
      `${partners.c} has no connection ${id}`,
    );
    await admin.json(`connections accept ${partners.b} ${id}`);
    expect(await partners.show(partners.a, id)).toMatchObject({
      status: 'ACCEPTED',
      counterpart: { externalId: partners.b },
      email: null,
    });
  });

  test('can be declined, or taken back', async () => {
    const declined = await inviteAddress();
    expect((await admin.json(`connections decline ${partners.b} ${declined}`)).connection.status).toBe('DECLINED');
    const revoked = await inviteAddress();
    expect((await admin.json(`connections revoke ${partners.a} ${revoked}`)).connection).toMatchObject({
      status: 'REVOKED',
      counterpart: null,
      answeredAt: null,
    });
    expect(await listed(partners.b)).toEqual([[declined, 'DECLINED', 'invited']]);
  });

  test('gives no rights before it is accepted', async () => {
    const id = await inviteAddress();
    expect(await admin.refusal(`connections assets add ${partners.b} ${id} ${UNITS[0]}`)).toContain('has not accepted');
    expect(await admin.refusal(`connections revoke ${partners.b} ${id}`)).toContain(
      `connections decline ${partners.b} ${id}`,
    );
  });

  test('there is one at a time, and none where two are connected already', async () => {
    const id = await inviteAddress();
    expect(await admin.refusal(`connections invite ${partners.a} --email ${address().toLowerCase()}`)).toContain(
      `has invited ${address().toLowerCase()} already: connection ${id}`,
    );
    await admin.json(`connections accept ${partners.b} ${id}`);
    expect(await admin.refusal(`connections invite ${partners.a} --email ${address()}`)).toContain(
      'are connected already',
    );
    expect(await admin.refusal(`connections invite ${partners.b} --email ${address()}`)).toContain(
      'the address of a user of',
    );
  });

  test('is refused to an organisation that is connected to the initiator by now', async () => {
    const id = await inviteAddress();
    const direct = await partners.invite();
    expect(await admin.refusal(`connections accept ${partners.b} ${id}`)).toContain(
      `has a connection to Werk a ${partners.number} already: ${direct}`,
    );
    expect((await admin.json(`connections decline ${partners.b} ${id}`)).connection.status).toBe('DECLINED');
  });
});

/** Makes a connection in each state. */
const STATES = {
  PENDING: async () => partners.invite(),
  ACCEPTED: () => partners.connected(),
  DECLINED: () => partners.ended('DECLINED'),
  REVOKED: () => partners.ended('REVOKED'),
} as const;

const OWN = /only the side that was invited can answer it\n.*connections revoke a-/;
const BEFORE = /was accepted before, on .*\n.*connections revoke/;

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
    PENDING: ['REVOKED', /has not answered.*\n.*connections decline b-/],
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
          const { connection } = await admin.json(words);
          expect(connection.status).toBe(outcome);
          expect(connection.updatedAt > before.updatedAt).toBe(true);
          expect(connection.answeredAt).toBe(move === 'revoke' ? before.answeredAt : connection.updatedAt);
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
        `${partners.c} has no connection ${id}`,
      );
    }
  });
});

test('for people: who, what, and what comes next', async () => {
  const invited = await admin.run(`connections invite ${partners.a} ${partners.b}`);
  const id = invited.out.trim().slice(-36);
  expect(invited.out).toBe(`${partners.a} has invited Werk b ${partners.number} (${partners.b}): connection ${id}\n`);
  expect(invited.err).toBe(`Next: npm run admin -- connections accept ${partners.b} ${id}\n`);
  const accepted = await admin.run(`connections accept ${partners.b} ${id}`);
  expect(accepted.out).toBe(`${partners.b} is connected to Werk a ${partners.number} (${partners.a}): ${id}\n`);
  expect((await admin.run(`connections assets add ${partners.a} ${id} ${UNITS[0]}`)).out).toBe(
    `Added 1 unit to ${id}. It has 1 unit.\n`,
  );
  const units = `${partners.a} ${id} ${UNITS[0]} ${UNITS[1]}`;
  expect((await admin.run(`connections assets add ${units}`)).out).toBe(
    `Added 1 unit to ${id}; 1 was in its scope before. It has 2 units.\n`,
  );
  await admin.run(`connections assets remove ${partners.a} ${id} ${UNITS[0]}`);
  expect((await admin.run(`connections assets remove ${units}`)).out).toBe(
    `Removed 1 unit from ${id}; 1 was not in its scope. It has 0 units.\n`,
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
  await admin.json(`connections assets add ${partners.a} ${id} ${UNITS[0]}`);
  await admin.json(`connections invite ${partners.a} --email somebody@else.example`);
  const lines = admin.log.slice(before);
  expect(lines.map(({ command, organisation, connection }) => ({ command, organisation, connection }))).toEqual([
    { command: 'connections invite', organisation: partners.a, connection: id },
    { command: 'connections accept', organisation: partners.b, connection: id },
    { command: 'connections assets add', organisation: partners.a, connection: id },
    { command: 'connections invite', organisation: partners.a, connection: expect.any(String) },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/Werk|example/);
});
