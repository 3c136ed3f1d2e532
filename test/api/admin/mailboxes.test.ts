import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeThread } from '../../support/channel.ts';
import { connect } from '../../support/connections.ts';
import { type Console, openConsole } from './console.ts';

/** The commands `mailboxes create|list|change|delete`. */

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

/** Mailboxes with what they take, the general one in capitals. */
const routing = async () =>
  Object.fromEntries(
    (await admin.json(`mailboxes list ${name}`)).map(
      (mailbox: { name: string; general: boolean; categories: string[]; users: string[] }) => [
        mailbox.general ? mailbox.name.toUpperCase() : mailbox.name,
        [...mailbox.categories, ...mailbox.users].join(),
      ],
    ),
  );

test('the first mailbox is the general one, and others take categories', async () => {
  expect(await create('Zentrale')).toMatchObject({
    organisation: name,
    mailbox: { name: 'Zentrale', general: true, categories: [], users: [] },
    taken: [],
    generalBefore: null,
  });
  await create('Leitwarte --categories STOERUNG,TECHNIK --users bert,anna');
  expect(await routing()).toEqual({ ZENTRALE: '', Leitwarte: 'TECHNIK,STOERUNG,anna,bert' });
});

test('they are listed as a table', async () => {
  expect((await admin.run(`mailboxes list ${name}`)).out).toBe('No mailboxes\n');
  const { mailbox } = await create('Zentrale --categories STOERUNG,VERTRAG --users anna');
  expect((await admin.run(`mailboxes list ${name}`)).out).toBe(
    [
      'mailbox   general  categories         users  id',
      `Zentrale  yes      VERTRAG, STOERUNG  anna   ${mailbox.id}\n`,
    ].join('\n'),
  );
});

test('another general mailbox replaces the one before, which is told', async () => {
  await create('Zentrale');
  const { out, err } = await admin.run(`mailboxes create ${name} Leitwarte --general`);
  expect(out).toMatch(
    new RegExp(`^Made a mailbox of ${name}:\nmailbox +general .*\nLeitwarte +yes +none +none +[0-9a-f-]{36}\n$`),
  );
  expect(err).toBe('The general mailbox was Zentrale before.\n');
  expect(await routing()).toEqual({ Zentrale: '', LEITWARTE: '' });
  await change('Zentrale --general');
  expect(await routing()).toEqual({ ZENTRALE: '', Leitwarte: '' });
});

describe('a category of another mailbox', () => {
  beforeEach(async () => {
    await create('Zentrale --categories TECHNIK,VERTRAG');
    await create('Leitwarte --categories STOERUNG');
  });

  test.each(['create % Netz --categories TECHNIK,STOERUNG', 'change % Leitwarte --categories TECHNIK,STOERUNG'])(
    'is refused: mailboxes %s',
    async (words) => {
      const before = await routing();
      const { code, out, err } = await admin.run(`mailboxes ${words.replace('%', name)}`);
      expect([code, out]).toEqual([5, '']);
      expect(err).toContain('TECHNIK goes to the mailbox Zentrale\n');
      expect(err).toMatch(/With --take it goes to (Netz|Leitwarte) instead\. Nothing was changed\n$/);
      expect(await routing()).toEqual(before);
    },
  );

  test('is taken with --take, and the other one loses only that', async () => {
    const { err } = await admin.run(`mailboxes change ${name} Leitwarte --categories TECHNIK --take`);
    expect(err).toBe('TECHNIK went to the mailbox Zentrale before.\n');
    expect(await routing()).toEqual({ ZENTRALE: 'VERTRAG', Leitwarte: 'TECHNIK' });
    expect((await create('Netz --categories all --take')).taken).toEqual([
      { category: 'VERTRAG', from: 'Zentrale' },
      { category: 'TECHNIK', from: 'Leitwarte' },
    ]);
  });

  test('does not count when both belong to other organisations', async () => {
    await admin.json(`organisations create other-${made} --name Other`);
    await admin.json(`mailboxes create other-${made} Zentrale --categories TECHNIK`);
    expect(await routing()).toEqual({ ZENTRALE: 'TECHNIK,VERTRAG', Leitwarte: 'STOERUNG' });
  });
});

describe('a change', () => {
  let id: string;

  beforeEach(async () => {
    id = (await create('Zentrale --categories TECHNIK --users anna')).mailbox.id;
  });

  test('replaces what is named and leaves the rest, by name or UUID', async () => {
    await change('Zentrale --users bert');
    expect(await routing()).toEqual({ ZENTRALE: 'TECHNIK,bert' });
    await change(`${id} --categories VERTRAG`);
    expect(await routing()).toEqual({ ZENTRALE: 'VERTRAG,bert' });
    await change('Zentrale --name Empfang --users none --categories none');
    expect(await routing()).toEqual({ EMPFANG: '' });
  });

  test('to what holds already changes nothing and is not logged', async () => {
    const before = await admin.json(`mailboxes list ${name}`);
    const lines = admin.log.length;
    const { code, out } = await admin.run(`mailboxes change ${name} Zentrale --users anna --general`);
    expect([code, out.split('\n')[0]]).toEqual([0, `Nothing was changed about the mailbox of ${name}:`]);
    expect(await admin.json(`mailboxes list ${name}`)).toEqual(before);
    expect(admin.log.length).toBe(lines);
  });

  test('moves the time of change, and that of a mailbox that loses something', async () => {
    await create('Leitwarte');
    const [before] = await admin.json(`mailboxes list ${name}`);
    await change('Leitwarte --categories TECHNIK --take');
    const [after] = await admin.json(`mailboxes list ${name}`);
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(after.createdAt).toBe(before.createdAt);
  });

  test('is logged without names', async () => {
    const lines = admin.log.length;
    await change('Zentrale --users bert');
    expect(admin.log.slice(lines)).toMatchObject([{ command: 'mailboxes change', organisation: name, mailbox: id }]);
    expect(JSON.stringify(admin.log.slice(lines))).not.toMatch(/bert|Zentrale/);
  });

  test('without anything to change is told what there is', async () => {
    expect(await admin.run(`mailboxes change ${name} Zentrale --take`)).toEqual({
      code: 2,
      out: '',
      err:
        'mailboxes change needs --name, --users, --categories or --general\n' +
        'Help: npm run admin -- mailboxes change --help\n',
    });
  });
});

describe('a mailbox that is deleted', () => {
  test('leaves its threads to the general one', async () => {
    await create('Zentrale');
    await create('Leitwarte --categories TECHNIK');
    const { organisation } = await admin.json(`organisations show ${name}`);
    const connection = await connect(admin.store, organisation, { id: crypto.randomUUID(), name: 'Partner' });
    await makeThread(admin.store, connection, { category: 'TECHNIK' });
    await makeThread(admin.store, connection, { category: 'VERTRAG' });
    expect((await admin.run(`mailboxes delete ${name} Leitwarte`)).out).toBe(
      `Removed the mailbox Leitwarte from ${name}; 1 thread that lay there now lies in Zentrale.\n`,
    );
    expect(await admin.json(`mailboxes delete ${name} Zentrale`)).toMatchObject({ threads: 2, generalMailbox: null });
    expect(await routing()).toEqual({});
  });

  test('is not the general one while there are others', async () => {
    await create('Zentrale');
    await admin.json(['mailboxes', 'create', name, 'Leitwarte Nord']);
    expect(await admin.run(`mailboxes delete ${name} Zentrale`)).toEqual({
      code: 5,
      out: '',
      err:
        'Zentrale is the general mailbox, in which everything lies that no other takes. Make another one general first:\n' +
        `npm run admin -- mailboxes change ${name} "Leitwarte Nord" --general\n`,
    });
  });
});

test.each([
  ['create % Zentrale', 5, /^werk-\d+ has a mailbox Zentrale already\n/],
  ['change % Zentral --general', 5, /^werk-\d+ has no mailbox Zentral; did you mean Zentrale\?\nThose it has: npm run/],
  ['delete % Post', 5, /^werk-\d+ has no mailbox Post\n/],
  ['create % Neu --users ana,carl', 5, /^werk-\d+ has no user ana; did you mean anna\?\nwerk-\d+ has no user carl\n/],
  ['create % Neu --categories TECHNICK', 2, /--categories .*TECHNICK.*did you mean TECHNIK\?/],
  ['create % 0198a4c2-0000-7000-8000-000000000000', 2, /must not look like a UUID/],
  ['list nowhere', 5, /There is no organisation nowhere/],
])('"mailboxes %s" is refused', async (words, code, message) => {
  await create('Zentrale');
  const ended = await admin.run(`mailboxes ${words.replace('%', name)}`);
  expect(ended).toMatchObject({ code, out: '' });
  expect(ended.err).toMatch(message);
  expect(await routing()).toEqual({ ZENTRALE: '' });
});
