import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Console, openConsole } from './console.ts';

/** The commands `mailboxes create|list|change|delete`, which are the operations of the interface. */

let admin: Console;
let made = 0;
let name: string;

beforeAll(async () => {
  admin = await openConsole();
});
afterAll(() => admin.close());

/** Every test begins with an organisation of two users, and without mailboxes. */
beforeEach(async () => {
  made += 1;
  name = `werk-${made}`;
  await admin.json(`organisations create ${name} --name Werk`);
  for (const user of ['bert', 'anna']) await admin.json(`users create ${name} ${user} --name Muster --role member`);
});

const create = (words: string) => admin.json(`mailboxes create ${name} ${words}`);
const change = (words: string) => admin.json(`mailboxes change ${name} ${words}`);
const list = async () => (await admin.json(`mailboxes list ${name}`)).data;

/** Mailboxes with what they take, the general one in capitals. */
const routing = async () =>
  Object.fromEntries(
    (await list()).map((mailbox: { name: string; allgemein: boolean; kategorien: string[]; nutzer: string[] }) => [
      mailbox.allgemein ? mailbox.name.toUpperCase() : mailbox.name,
      [...mailbox.kategorien, ...mailbox.nutzer].join(),
    ]),
  );

test('lists of options are typed with commas; all and none are every word and no word', async () => {
  expect(await create('Zentrale')).toMatchObject({
    organisation: name,
    data: { name: 'Zentrale', allgemein: true, kategorien: [], nutzer: [] },
    meta: { entzogen: [], vorherAllgemein: null },
  });
  await create('Leitwarte --categories STOERUNG,TECHNIK --users bert,anna');
  expect(await routing()).toEqual({ ZENTRALE: '', Leitwarte: 'TECHNIK,STOERUNG,anna,bert' });
  await change('Leitwarte --users none --categories none');
  expect((await change('Zentrale --categories all')).data.kategorien).toHaveLength(6);
  expect((await routing()).Leitwarte).toBe('');
});

test('a list is a table, and a change says what it is now, and what others lost', async () => {
  expect((await admin.run(`mailboxes list ${name}`)).out).toBe('None\n');
  const { data } = await create('Zentrale --categories TECHNIK');
  expect((await admin.run(`mailboxes list ${name}`)).out).toMatch(
    /^id +name +allgemein .*\n[0-9a-f-]{36} +Zentrale +true /,
  );
  const { out } = await admin.run(`mailboxes create ${name} Leitwarte --general --take --categories TECHNIK`);
  expect(out).toMatch(/^name +Leitwarte$/m);
  expect(out).toMatch(/^vorherAllgemein +Zentrale$/m);
  expect(out).toMatch(/^entzogen +\[\{"kategorie":"TECHNIK","postfach":"Zentrale"\}\]$/m);
  expect((await change(`${data.id} --general`)).meta.vorherAllgemein).toBe('Leitwarte');
});

test('a mailbox is named by its name or its UUID, and the log has neither name nor users', async () => {
  const { data } = await create('Zentrale --users anna');
  const lines = admin.log.length;
  await change('Zentrale --users bert');
  await change(`${data.id.toUpperCase()} --name Empfang`);
  expect(await routing()).toEqual({ EMPFANG: 'bert' });
  expect(admin.log.slice(lines)).toMatchObject([
    { command: 'mailboxes change', organisation: name, operation: 'mailboxes.change', of: data.id },
    { of: data.id },
  ]);
  expect(JSON.stringify(admin.log.slice(lines))).not.toMatch(/bert|Zentrale|Empfang/);
  expect(await admin.json(`mailboxes delete ${name} Empfang`)).toMatchObject({
    data: null,
    meta: { deleted: data.id },
  });
});

test('a name of the organisation is repeated as it is, though it is the word of an option', async () => {
  await create('nutzer --categories TECHNIK');
  const { err } = await admin.run(`mailboxes create ${name} Neu --categories TECHNIK`);
  expect(err).toContain('TECHNIK goes to the mailbox "nutzer"; with --take');
});

describe('is refused', () => {
  test.each([
    ['create % Zentrale', 5, /has this name already/],
    ['create % Neu --categories TECHNIK', 5, /TECHNIK goes to the mailbox "Zentrale"; with --take/],
    [
      'change % Zentral --general',
      5,
      /^werk-\d+ has no mailbox Zentral; did you mean Zentrale\?\nThose it has: npm run admin -- mailboxes list/,
    ],
    ['change % Zentrale', 2, /^Say what to change: --name, --users, --categories, --general, --take/],
    ['delete % Post', 5, /^werk-\d+ has no mailbox Post\n/],
    ['create % Neu --users ana', 5, /names "ana", which is no user of the organisation; did you mean anna\?/],
    ['create % Neu --categories TECHNICK', 5, /#\/categories\/0 must be one of/],
    ['create % 0198a4c2-0000-7000-8000-000000000000', 5, /must not look like a UUID/],
    ['list nowhere', 5, /There is no organisation nowhere/],
  ])('"mailboxes %s"', async (words, code, message) => {
    await create('Zentrale --categories TECHNIK');
    const ended = await admin.run(`mailboxes ${words.replace('%', name)}`);
    expect(ended).toMatchObject({ code, out: '' });
    expect(ended.err).toMatch(message);
    expect(await routing()).toEqual({ ZENTRALE: 'TECHNIK' });
  });
});
