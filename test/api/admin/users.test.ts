import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Console, openConsole } from './console.ts';

let admin: Console;

beforeAll(async () => {
  admin = await openConsole();
});

afterAll(() => admin.close());

let made = 0;
let name: string;

beforeEach(async () => {
  made += 1;
  name = `werk-${made}`;
  await admin.json(`organisations create ${name} --name Werk --modules api`);
  await admin.json(`users create ${name} anna --name Anna --email anna@werk.example --role owner`);
});

test('users are made and listed, by external id, with the id that the interface knows them by', async () => {
  await admin.json(['users', 'create', name, 'adam', '--name', 'Adam Öztürk', '--role', 'member']);
  expect(await admin.json(`users list ${name}`)).toMatchObject([
    { externalId: 'adam', name: 'Adam Öztürk', email: null, role: 'member' },
    { externalId: 'anna', name: 'Anna', email: 'anna@werk.example', role: 'owner' },
  ]);
  expect((await admin.run(`users list ${name}`)).out).toMatch(
    /^user {2}name {9}e-mail {13}role {4}made {18}id\nadam {2}Adam Öztürk {2}- {18}member {2}20.* UTC {2}[-0-9a-f]{36}\n/,
  );
});

test('an external id is unique within its organisation only', async () => {
  expect(await admin.run(`users create ${name} anna --name Other --role member`)).toEqual({
    code: 5,
    out: '',
    err: `${name} has a user anna already\nTo change the role: npm run admin -- users role ${name} anna <role>\n`,
  });
  await admin.json(`organisations create other-${made} --name Other`);
  await admin.json(`users create other-${made} anna --name Anna --role member`);
});

test('a new role leaves the keys of the user working, and names them', async () => {
  const { prefix } = await admin.json(`keys create ${name} --name Leitwarte --scopes units:read --by anna`);
  expect(await admin.run(`users role ${name} anna member`)).toEqual({
    code: 0,
    out: `anna of ${name} is member (before: owner).\n`,
    err: `Keys that anna has had made go on working: ${prefix}\nTo end one: npm run admin -- keys revoke <prefix>\n`,
  });
  expect(await admin.json(`users list ${name}`)).toMatchObject([{ role: 'member', email: 'anna@werk.example' }]);
  expect((await admin.run(`users role ${name} anna member`)).out).toBe(`anna of ${name} is member as before.\n`);
});

test('the keys of a removed user count as made by the operator', async () => {
  const { prefix } = await admin.json(`keys create ${name} --name Leitwarte --scopes units:read --by anna`);
  const { err, out } = await admin.run(`users remove ${name} anna`);
  expect(out).toBe(`Removed anna from ${name}.\n`);
  expect(err).toContain(`Keys that anna has had made go on working: ${prefix}\n`);
  expect(await admin.json(`users list ${name}`)).toEqual([]);
  expect(await admin.json(`keys list ${name}`)).toMatchObject([{ prefix, createdBy: null, state: 'live' }]);
});

test.each(['users role % ana admin', 'users remove % ana', 'keys create % --name K --scopes all --by ana'])(
  '"%s" is refused for an unknown user, with the nearest name',
  async (words) => {
    expect(await admin.run(words.replace('%', name))).toEqual({
      code: 5,
      out: '',
      err: `${name} has no user ana; did you mean anna?\nThose it has: npm run admin -- users list ${name}\n`,
    });
  },
);
