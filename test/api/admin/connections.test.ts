import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { putPortfolio } from '../../../sql/org/records/portfolio.ts';
import { type Console, openConsole } from './console.ts';

/** Connections by the command line, from both sides. */

let admin: Console;
beforeAll(async () => {
  admin = await openConsole();
});
afterAll(() => admin.close());

const UNITS = ['SEE900000000001', 'SEE900000000002', 'SEE900000000003'] as const;

let made = 0;
let names: { a: string; b: string; c: string };

/** Three organisations; the first has three units, the last of which it has removed. */
beforeEach(async () => {
  made += 1;
  names = { a: `a-${made}`, b: `b-${made}`, c: `c-${made}` };
  for (const [letter, name] of Object.entries(names)) {
    await admin.json(['organisations', 'create', name, '--name', `Werk ${letter} ${made}`]);
  }
  await admin.json(`users create ${names.b} anna --name Anna --email anna-${made}@b.example --role owner`);
  await take(names.a, UNITS, 'OWNER');
});

/** Puts units into the portfolio of an organisation; the third of several is one that was removed. */
async function take(name: string, units: readonly string[], relationType: 'OWNER' | 'LESSOR'): Promise<void> {
  const { organisation } = await admin.json(`organisations show ${name}`);
  const at = '2026-11-01T00:00:00.000Z';
  const rows = units.map((mastrNumber, place) => ({
    ...{ id: crypto.randomUUID(), mastrNumber, relationType, externalRefs: {}, createdAt: at, updatedAt: at },
    removedAt: place === 2 ? at : null,
  }));
  await admin.store.asOperator((session) => session.run(putPortfolio(organisation.id, rows)));
}

const invite = async (from = names.a, to = names.b): Promise<string> =>
  (await admin.json(`connections invite ${from} ${to}`)).connection.id;

async function connected(): Promise<string> {
  const id = await invite();
  await admin.json(`connections accept ${names.b} ${id}`);
  return id;
}

const show = (name: string, id: string) => admin.json(`connections show ${name} ${id}`);

const listed = async (name: string) =>
  (await admin.json(`connections list ${name}`)).map(({ id, status, role }: Record<string, string>) => [
    id,
    status,
    role,
  ]);

/** What a refused command says. */
async function refusal(words: string, input?: string): Promise<string> {
  const { code, out, err } = await admin.run(words, input);
  expect([code, out]).toEqual([5, '']);
  return err;
}

describe('an invitation', () => {
  test('is seen by both sides, each in its own light', async () => {
    const id = await invite();
    const common = { id, status: 'PENDING', email: null, assets: 0, answeredAt: null, activeFields: 0 };
    expect(await show(names.a, id)).toMatchObject({
      ...common,
      role: 'initiator',
      counterpart: { externalId: names.b, name: `Werk b ${made}` },
    });
    expect(await show(names.b, id)).toMatchObject({
      ...common,
      role: 'invited',
      counterpart: { externalId: names.a, name: `Werk a ${made}` },
    });
    expect(await refusal(`connections show ${names.c} ${id}`)).toBe(
      `${names.c} has no connection ${id}\nThose it has: npm run admin -- connections list ${names.c}\n`,
    );
  });

  test('names the partner by its UUID, too', async () => {
    const { organisation } = await admin.json(`organisations show ${names.b}`);
    expect(
      (await admin.json(`connections invite ${names.a} ${organisation.id}`)).connection.counterpart.externalId,
    ).toBe(names.b);
  });

  test('there is one at a time between two, whoever sends it; and none to oneself', async () => {
    const id = await invite();
    for (const [from, to] of [
      [names.a, names.b],
      [names.b, names.a],
    ]) {
      expect(await refusal(`connections invite ${from} ${to}`)).toBe(
        `${names.a} has sent an invitation already: connection ${id}\n` +
          `To look at it: npm run admin -- connections show ${from} ${id}\n`,
      );
    }
    await admin.json(`connections accept ${names.b} ${id}`);
    expect(await refusal(`connections invite ${names.b} ${names.a}`)).toContain('are connected already');
    expect(await refusal(`connections invite ${names.a} ${names.a}`)).toContain('cannot be connected to itself');
  });

  test('after the end, one can invite again: that is another connection', async () => {
    const first = await connected();
    await admin.json(`connections revoke ${names.b} ${first}`);
    const second = await invite(names.b, names.a);
    expect(await listed(names.a)).toEqual([
      [second, 'PENDING', 'invited'],
      [first, 'REVOKED', 'initiator'],
    ]);
  });

  test.each([
    ['', 'Name either the organisation that is invited, or --email'],
    [' x --email x@y.example', 'Name either the organisation that is invited, or --email'],
    [' --email nobody', '--email must be an e-mail address'],
  ])('connections invite a%s is no command', async (rest, message) => {
    const { code, err } = await admin.run(`connections invite ${names.a}${rest}`);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  test('to an unknown organisation is refused with the nearest name', async () => {
    expect(await refusal(`connections invite ${names.a} ${names.b}x`)).toMatch(
      /There is no organisation .*did you mean b-/,
    );
  });
});

describe('an invitation to an e-mail address', () => {
  const address = () => `Anna-${made}@B.example`;
  const inviteAddress = async () =>
    (await admin.json(['connections', 'invite', names.a, '--email', address()])).connection.id;

  test('is accepted by an organisation with a user of that address, and is an ordinary connection then', async () => {
    const id = await inviteAddress();
    expect(await show(names.a, id)).toMatchObject({ counterpart: null, email: address() });
    expect(await listed(names.b)).toEqual([[id, 'PENDING', 'invited']]);
    expect(await listed(names.c)).toEqual([]);
    expect(await refusal(`connections accept ${names.c} ${id}`)).toContain(`${names.c} has no connection ${id}`);
    await admin.json(`connections accept ${names.b} ${id}`);
    expect(await show(names.a, id)).toMatchObject({
      status: 'ACCEPTED',
      counterpart: { externalId: names.b },
      email: null,
    });
  });

  test('can be declined, or taken back', async () => {
    const declined = await inviteAddress();
    expect((await admin.json(`connections decline ${names.b} ${declined}`)).connection.status).toBe('DECLINED');
    const revoked = await inviteAddress();
    expect((await admin.json(`connections revoke ${names.a} ${revoked}`)).connection).toMatchObject({
      status: 'REVOKED',
      counterpart: null,
      answeredAt: null,
    });
    expect(await listed(names.b)).toEqual([[declined, 'DECLINED', 'invited']]);
  });

  test('gives no rights before it is accepted', async () => {
    const id = await inviteAddress();
    expect(await refusal(`connections assets add ${names.b} ${id} ${UNITS[0]}`)).toContain('has not accepted');
    expect(await refusal(`connections revoke ${names.b} ${id}`)).toContain(`connections decline ${names.b} ${id}`);
  });

  test('there is one at a time, and none where two are connected already', async () => {
    const id = await inviteAddress();
    expect(await refusal(`connections invite ${names.a} --email ${address().toLowerCase()}`)).toContain(
      `has invited ${address().toLowerCase()} already: connection ${id}`,
    );
    await admin.json(`connections accept ${names.b} ${id}`);
    expect(await refusal(`connections invite ${names.a} --email ${address()}`)).toContain('are connected already');
    expect(await refusal(`connections invite ${names.b} --email ${address()}`)).toContain('the address of a user of');
  });

  test('is refused to an organisation that is connected to the initiator by now', async () => {
    const id = await inviteAddress();
    const direct = await invite();
    expect(await refusal(`connections accept ${names.b} ${id}`)).toContain(
      `has a connection to Werk a ${made} already: ${direct}`,
    );
    expect((await admin.json(`connections decline ${names.b} ${id}`)).connection.status).toBe('DECLINED');
  });
});

/** What each side may do in each state, and the advice where it may not. */
const STATES = {
  PENDING: async () => invite(),
  ACCEPTED: connected,
  DECLINED: async () => {
    const id = await invite();
    await admin.json(`connections decline ${names.b} ${id}`);
    return id;
  },
  REVOKED: async () => {
    const id = await connected();
    await admin.json(`connections revoke ${names.a} ${id}`);
    return id;
  },
} as const;

const ENDED = /has ended \((DECLINED|REVOKED), .*never comes back\n.*connections invite/;
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
        const before = await show(names.a, id);
        const words = `connections ${move} ${names[side]} ${id}`;
        if (typeof outcome === 'string') {
          const { connection } = await admin.json(words);
          expect(connection.status).toBe(outcome);
          expect(connection.updatedAt > before.updatedAt).toBe(true);
          expect(connection.answeredAt).toBe(move === 'revoke' ? before.answeredAt : connection.updatedAt);
        } else {
          expect(await refusal(words)).toMatch(outcome);
          expect(await show(names.a, id)).toEqual(before);
        }
      });
    }
  }

  test('is unknown to others', async () => {
    const id = await STATES[state]();
    for (const move of Object.keys(MOVES)) {
      expect(await refusal(`connections ${move} ${names.c} ${id}`)).toContain(`${names.c} has no connection ${id}`);
    }
  });
});

describe('assets', () => {
  const units = async (name: string, id: string) =>
    (await admin.json(`connections assets list ${name} ${id}`)).map(
      ({ mastrNumber, relationType }: Record<string, string>) => `${mastrNumber} ${relationType}`,
    );

  test('either side adds and removes them, before and after the answer; both see the same', async () => {
    const id = await invite();
    await admin.json(`connections assets add ${names.a} ${id} ${UNITS[1]}`);
    await admin.json(`connections accept ${names.b} ${id}`);
    expect(await admin.json(`connections assets add ${names.b} ${id} ${UNITS[0]} ${UNITS[1]}`)).toMatchObject({
      added: 1,
      unchanged: 1,
      assets: 2,
    });
    for (const name of [names.a, names.b])
      expect(await units(name, id)).toEqual([`${UNITS[0]} OWNER`, `${UNITS[1]} OWNER`]);
    expect(await admin.json(`connections assets remove ${names.b} ${id} ${UNITS[0]} ${UNITS[2]}`)).toMatchObject({
      removed: 1,
      unchanged: 1,
      assets: 1,
    });
    expect(await show(names.a, id)).toMatchObject({ assets: 1 });
  });

  test('the role is that of the initiator when they are added, whoever adds them; it is not followed', async () => {
    const id = await connected();
    await take(names.b, [UNITS[0]], 'LESSOR');
    await admin.json(`connections assets add ${names.b} ${id} ${UNITS[0]}`);
    expect(await units(names.b, id)).toEqual([`${UNITS[0]} OWNER`]);
    await take(names.a, [UNITS[0]], 'LESSOR');
    expect(await units(names.a, id)).toEqual([`${UNITS[0]} OWNER`]);
    await admin.json(`connections assets remove ${names.a} ${id} ${UNITS[0]}`);
    await admin.json(`connections assets add ${names.a} ${id} ${UNITS[0]}`);
    expect(await units(names.a, id)).toEqual([`${UNITS[0]} LESSOR`]);
  });

  test('without a role of the initiator none is added, and nothing of the rest', async () => {
    const id = await connected();
    await take(names.b, [UNITS[2]], 'LESSOR');
    const message = await refusal(`connections assets add ${names.b} ${id} ${UNITS[0]} ${UNITS[2]} SEE900000000009`);
    expect(message).toContain(
      `Werk a ${made}, which has invited, has no role in its portfolio to ${UNITS[2]}, SEE900000000009\n`,
    );
    expect(await units(names.a, id)).toEqual([]);
  });

  test('from a file, with other arguments or without; faults are told with their lines', async () => {
    const id = await connected();
    const add = (input: string, ...more: string[]) =>
      admin.run(['connections', 'assets', 'add', names.a, id, ...more, '--file', '-', '--json'], input);
    expect(JSON.parse((await add(`\uFEFF${UNITS[0]}\r\n\r\n${UNITS[0]}\n`, UNITS[1])).out)).toMatchObject({ added: 2 });
    const { code, err } = await add(`${UNITS[0]};SEE1\n\n1234\n`, 'see900000000001');
    expect(code).toBe(5);
    expect(err.split('\n').slice(1, 4)).toEqual([
      '  "see900000000001"',
      '  line 1 of the file: "SEE1"',
      '  line 3 of the file: "1234"',
    ]);
    const nothing = await admin.run(`connections assets remove ${names.a} ${id}`);
    expect([nothing.code, nothing.err]).toEqual([2, expect.stringContaining('or a file of them with --file')]);
  });

  test('time of change moves only when there is one', async () => {
    const id = await connected();
    const changed = async () => (await show(names.b, id)).updatedAt;
    const first = await changed();
    await admin.json(`connections assets add ${names.a} ${id} ${UNITS[0]}`);
    const second = await changed();
    expect(second > first).toBe(true);
    await admin.json(`connections assets add ${names.a} ${id} ${UNITS[0]}`);
    await admin.json(`connections assets remove ${names.a} ${id} ${UNITS[1]}`);
    expect(await changed()).toBe(second);
    await admin.json(`connections assets remove ${names.a} ${id} ${UNITS[0]}`);
    expect((await changed()) > second).toBe(true);
  });

  test('at most 10,000, told before anything is added', async () => {
    const id = await connected();
    const numbers = Array.from({ length: 10_001 }, (_, index) => `SEE91${String(index).padStart(10, '0')}`);
    const at = '2026-11-01T00:00:00.000Z';
    const { organisation } = await admin.json(`organisations show ${names.a}`);
    const rows = numbers.map((mastrNumber) => ({
      ...{ id: crypto.randomUUID(), mastrNumber, relationType: 'OWNER' as const, externalRefs: {}, createdAt: at },
      ...{ updatedAt: at, removedAt: null },
    }));
    await admin.store.asOperator((session) => session.run(putPortfolio(organisation.id, rows)));
    const add = (from: number, to?: number) =>
      admin.run(
        ['connections', 'assets', 'add', names.b, id, '--file', '-', '--json'],
        numbers.slice(from, to).join('\n'),
      );
    expect((await add(0)).err).toContain('at most 10,000 units. This one has 0 units, and 10001 more were named');
    expect(JSON.parse((await add(0, 10_000)).out)).toMatchObject({ added: 10_000, assets: 10_000 });
    expect((await add(9_999)).err).toContain('This one has 10,000 units, and 1 more were named');
    expect(await units(names.a, id)).toHaveLength(10_000);
  });

  test.each(['DECLINED', 'REVOKED'] as const)('a connection that is %s has none, and takes none', async (state) => {
    const id = await STATES[state]();
    expect(await refusal(`connections assets add ${names.a} ${id} ${UNITS[0]}`)).toMatch(ENDED);
    expect(await refusal(`connections assets remove ${names.b} ${id} ${UNITS[0]}`)).toMatch(ENDED);
    expect(await units(names.a, id)).toEqual([]);
  });

  test('are not shown after the end', async () => {
    const id = await connected();
    await admin.json(`connections assets add ${names.a} ${id} ${UNITS[0]}`);
    await admin.json(`connections revoke ${names.b} ${id}`);
    expect(await units(names.a, id)).toEqual([]);
    expect(await show(names.b, id)).toMatchObject({ assets: 0 });
  });
});

test('for people: who, what, and what comes next', async () => {
  const invited = await admin.run(`connections invite ${names.a} ${names.b}`);
  const id = invited.out.trim().slice(-36);
  expect(invited.out).toBe(`${names.a} has invited Werk b ${made} (${names.b}): connection ${id}\n`);
  expect(invited.err).toBe(`Next: npm run admin -- connections accept ${names.b} ${id}\n`);
  const accepted = await admin.run(`connections accept ${names.b} ${id}`);
  expect(accepted.out).toBe(`${names.b} is connected to Werk a ${made} (${names.a}): ${id}\n`);
  expect((await admin.run(`connections assets add ${names.a} ${id} ${UNITS[0]}`)).out).toBe(
    `Added 1 unit to ${id}. It has 1 unit.\n`,
  );
  expect((await admin.run(`connections show ${names.a} ${id}`)).out).toMatch(/^with +Werk b/m);
  expect((await admin.run(`connections list ${names.a} --status PENDING`)).out).toBe('No connections\n');
  expect((await admin.run(`connections list ${names.a}`)).out).toContain(
    `${id}  ACCEPTED  initiator  Werk b ${made} (${names.b})`,
  );
});

test('the log has ids, and neither names nor addresses', async () => {
  const before = admin.log.length;
  const id = await connected();
  await admin.json(`connections assets add ${names.a} ${id} ${UNITS[0]}`);
  await admin.json(`connections assets add ${names.a} ${id} ${UNITS[0]}`);
  await admin.json(`connections invite ${names.a} --email somebody@else.example`);
  const lines = admin.log.slice(before);
  expect(lines.map(({ command, organisation, connection }) => ({ command, organisation, connection }))).toEqual([
    { command: 'connections invite', organisation: names.a, connection: id },
    { command: 'connections accept', organisation: names.b, connection: id },
    { command: 'connections assets add', organisation: names.a, connection: id },
    { command: 'connections invite', organisation: names.a, connection: expect.any(String) },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/Werk|example/);
});
