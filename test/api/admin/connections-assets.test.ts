import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { putPortfolio } from '../../../sql/org/records/portfolio.ts';
import { type Console, openConsole } from './console.ts';
import { ENDED, makePartners, type Partners, UNITS } from './partners.ts';

/** The units of a connection by the command line, from both sides. */

let admin: Console;
beforeAll(async () => {
  admin = await openConsole();
});
afterAll(() => admin.close());

let partners: Partners;
beforeEach(async () => {
  partners = await makePartners(admin);
});

const units = async (name: string, id: string) =>
  (await admin.json(`connections assets list ${name} ${id}`)).map(
    ({ mastrNumber, relationType }: Record<string, string>) => `${mastrNumber} ${relationType}`,
  );

test('either side adds and removes them, before and after the answer; both see the same', async () => {
  const id = await partners.invite();
  await admin.json(`connections assets add ${partners.a} ${id} ${UNITS[1]}`);
  await admin.json(`connections accept ${partners.b} ${id}`);
  expect(await admin.json(`connections assets add ${partners.b} ${id} ${UNITS[0]} ${UNITS[1]}`)).toMatchObject({
    data: { anlagenAnzahl: 2 },
    meta: { hinzugefuegt: 1, unveraendert: 1 },
  });
  for (const name of [partners.a, partners.b])
    expect(await units(name, id)).toEqual([`${UNITS[0]} OWNER`, `${UNITS[1]} OWNER`]);
  expect(await admin.json(`connections assets remove ${partners.b} ${id} ${UNITS[0]} ${UNITS[2]}`)).toMatchObject({
    data: { anlagenAnzahl: 1 },
    meta: { entfernt: 1, unveraendert: 1 },
  });
  expect(await partners.show(partners.a, id)).toMatchObject({ assets: 1 });
});

test('the role is that of the initiator when they are added, whoever adds them; it is not followed', async () => {
  const id = await partners.connected();
  await partners.take(partners.b, [UNITS[0]], 'LESSOR');
  await admin.json(`connections assets add ${partners.b} ${id} ${UNITS[0]}`);
  expect(await units(partners.b, id)).toEqual([`${UNITS[0]} OWNER`]);
  await partners.take(partners.a, [UNITS[0]], 'LESSOR');
  expect(await units(partners.a, id)).toEqual([`${UNITS[0]} OWNER`]);
  await admin.json(`connections assets remove ${partners.a} ${id} ${UNITS[0]}`);
  await admin.json(`connections assets add ${partners.a} ${id} ${UNITS[0]}`);
  expect(await units(partners.a, id)).toEqual([`${UNITS[0]} LESSOR`]);
});

test('without a role of the initiator none is added, and nothing of the rest', async () => {
  const id = await partners.connected();
  await partners.take(partners.b, [UNITS[2]], 'LESSOR');
  const message = await admin.refusal(
    `connections assets add ${partners.b} ${id} ${UNITS[0]} ${UNITS[2]} SEE900000000009`,
  );
  expect(message).toContain(
    `Werk a ${partners.number}, which has invited, has no role in its portfolio to ${UNITS[2]}, SEE900000000009`,
  );
  expect(await units(partners.a, id)).toEqual([]);
});

test('from a file, with other arguments or without; faults are told with their lines', async () => {
  const id = await partners.connected();
  const add = (input: string, ...more: string[]) =>
    admin.run(['connections', 'assets', 'add', partners.a, id, ...more, '--file', '-', '--json'], input);
  expect(JSON.parse((await add(`\uFEFF${UNITS[0]}\r\n\r\n${UNITS[0]}\n`, UNITS[1])).out)).toMatchObject({
    meta: { hinzugefuegt: 2 },
  });
  const { code, err } = await add(`${UNITS[0]};SEE1\n\n1234\n`, 'see900000000001');
  expect(code).toBe(5);
  expect(err.split('\n').slice(1, 4)).toEqual([
    '  "see900000000001"',
    '  line 1 of the file: "SEE1"',
    '  line 3 of the file: "1234"',
  ]);
  const nothing = await admin.run(`connections assets remove ${partners.a} ${id}`);
  expect([nothing.code, nothing.err]).toEqual([2, expect.stringContaining('or a file of them with --file')]);
});

test('time of change moves only when there is one', async () => {
  const id = await partners.connected();
  const changed = async () => (await partners.show(partners.b, id)).updatedAt;
  const first = await changed();
  await admin.json(`connections assets add ${partners.a} ${id} ${UNITS[0]}`);
  const second = await changed();
  expect(second > first).toBe(true);
  await admin.json(`connections assets add ${partners.a} ${id} ${UNITS[0]}`);
  await admin.json(`connections assets remove ${partners.a} ${id} ${UNITS[1]}`);
  expect(await changed()).toBe(second);
  await admin.json(`connections assets remove ${partners.a} ${id} ${UNITS[0]}`);
  expect((await changed()) > second).toBe(true);
});

test('at most 10,000 at once and in all, told before anything is added', async () => {
  const id = await partners.connected();
  const numbers = Array.from({ length: 10_001 }, (_, index) => `SEE91${String(index).padStart(10, '0')}`);
  const at = '2026-11-01T00:00:00.000Z';
  const { organisation } = await admin.json(`organisations show ${partners.a}`);
  const rows = numbers.map((mastrNumber) => ({
    ...{ id: crypto.randomUUID(), mastrNumber, relationType: 'OWNER' as const, externalRefs: {}, createdAt: at },
    ...{ updatedAt: at, removedAt: null },
  }));
  await admin.store.asOperator((session) => session.run(putPortfolio(organisation.id, rows)));
  const add = (from: number, to?: number) =>
    admin.run(
      ['connections', 'assets', 'add', partners.b, id, '--file', '-', '--json'],
      numbers.slice(from, to).join('\n'),
    );
  expect((await add(0)).err).toContain('must not name more than 10000 units');
  expect(JSON.parse((await add(0, 10_000)).out)).toMatchObject({ data: { anlagenAnzahl: 10_000 } });
  expect((await add(9_999)).err).toContain('This one has 10000, and 1 more were named');
  expect(await units(partners.a, id)).toHaveLength(10_000);
});

test.each(['DECLINED', 'REVOKED'] as const)('a connection that is %s has none, and takes none', async (state) => {
  const id = await partners.ended(state);
  expect(await admin.refusal(`connections assets add ${partners.a} ${id} ${UNITS[0]}`)).toMatch(ENDED);
  expect(await admin.refusal(`connections assets remove ${partners.b} ${id} ${UNITS[0]}`)).toMatch(ENDED);
  expect(await units(partners.a, id)).toEqual([]);
});

test('are not shown after the end', async () => {
  const id = await partners.connected();
  await admin.json(`connections assets add ${partners.a} ${id} ${UNITS[0]}`);
  await admin.json(`connections revoke ${partners.b} ${id}`);
  expect(await units(partners.a, id)).toEqual([]);
  expect(await partners.show(partners.b, id)).toMatchObject({ assets: 0 });
});
