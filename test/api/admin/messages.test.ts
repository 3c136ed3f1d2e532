import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../sql/org/statement.ts';
import { makeThread, makeUser } from '../../support/channel.ts';
import { connect } from '../../support/connections.ts';
import { type Console, openConsole } from './console.ts';

/** The commands `threads list|show` and `messages edit|delete|attach`. */

let admin: Console;
/** Ids of what every test finds. */
let connection: string;
let thread: string;
let first: string;
let second: string;
let answer: string;
let begun: string;

beforeAll(async () => {
  admin = await openConsole();
  for (const name of ['werk', 'partner']) await admin.json(['organisations', 'create', name, '--name', `Der ${name}`]);
  await admin.json('mailboxes create werk Zentrale');
});
afterAll(() => admin.close());

const organisationOf = async (name: string) => (await admin.json(`organisations show ${name}`)).organisation;

beforeEach(async () => {
  const [own, partner] = [await organisationOf('werk'), await organisationOf('partner')];
  await admin.store.asOperator((session) => session.run(sql`DELETE FROM connections`));
  connection = await connect(admin.store, own, partner);
  thread = await makeThread(admin.store, connection, {
    category: 'TECHNIK',
    subject: 'Wartung',
    assets: ['SEE900000000001'],
    messages: ['Wann?', 'Und wer?', 'Wir.'],
    createdAt: '2026-05-01T08:00:00.000Z',
  });
  const shown = await show();
  [first, second, answer] = shown.messages.map(({ id }: { id: string }) => id);
  await admin.store.asOperator((session) =>
    session.run(sql`UPDATE messages SET sender_id = ${partner.id}, via_api = false WHERE id = ${answer}::uuid`),
  );
  begun = shown.thread.updatedAt;
});

const show = (organisation = 'werk') => admin.json(`threads show ${organisation} ${thread}`);

const refusal = async (words: string, input?: string): Promise<string> => {
  const before = await show();
  const message = await admin.refusal(words, input);
  expect(await show()).toEqual(before);
  return message;
};

describe('threads', () => {
  test('are listed for each side, by last message, with the mailbox of that side', async () => {
    const later = await makeThread(admin.store, connection);
    expect(await admin.json('threads list werk')).toMatchObject([
      { id: later, subject: null, category: null },
      {
        id: thread,
        connectionId: connection,
        connectionStatus: 'ACCEPTED',
        counterpart: 'Der partner',
        mailbox: 'Zentrale',
        messageCount: 3,
        lastActivityAt: '2026-05-01T08:00:02.000Z',
      },
    ]);
    expect(await admin.json('threads list partner --limit 1')).toMatchObject([
      { id: later, counterpart: 'Der werk', mailbox: null },
    ]);
    expect(await admin.json(`threads list werk --connection ${connection}`)).toHaveLength(2);
    expect(await admin.json(`threads list werk --connection ${randomUUID()}`)).toEqual([]);
    const { out } = await admin.run('threads list werk');
    expect(out).toContain(`${thread}  Der partner  Wartung  TECHNIK   Zentrale         3  2026-05-01 08:00 UTC\n`);
  });

  test('of an ended connection are listed and shown, too', async () => {
    await admin.store.asOperator((session) => session.run(sql`UPDATE connections SET status = 'REVOKED'`));
    expect(await admin.json('threads list werk')).toMatchObject([{ id: thread, connectionStatus: 'REVOKED' }]);
    expect(await show()).toMatchObject({ thread: { connectionStatus: 'REVOKED' } });
  });

  test('are shown with who takes part and with messages, as text for people', async () => {
    const [own, partner] = [await organisationOf('werk'), await organisationOf('partner')];
    const anna = await makeUser(admin.store, own, { externalId: `anna-${randomUUID()}` });
    const stranger = randomUUID();
    await admin.store.asOperator(async (session) => {
      await session.run(sql`INSERT INTO thread_participants VALUES (${thread}::uuid, ${anna.id}::uuid, ${own.id}::uuid),
        (${thread}::uuid, ${stranger}::uuid, ${partner.id}::uuid)`);
      await session.run(
        sql`UPDATE messages SET person = 'Öz Muster', user_id = ${stranger}::uuid WHERE id = ${answer}::uuid`,
      );
    });
    await admin.json(`messages delete werk ${second}`);
    const { out } = await admin.run(`threads show werk ${thread}`);
    expect(out).toBe(
      [
        `thread      ${thread}`,
        'with        Der partner',
        `connection  ${connection} (ACCEPTED)`,
        'subject     Wartung',
        'category    TECHNIK',
        'units       SEE900000000001',
        'mailbox     Zentrale',
        `takes part  ${anna.externalId}, ${stranger} (counterpart)`,
        'messages    3',
        '',
        `1. werk via API, 2026-05-01 08:00 UTC (${first})`,
        '  Wann?',
        '',
        `2. werk via API, 2026-05-01 08:00 UTC (${second})`,
        '  (deleted)',
        '',
        `3. Öz Muster of Der partner, 2026-05-01 08:00 UTC (${answer})`,
        '  Wir.\n',
      ].join('\n'),
    );
    const newest = await admin.json(`threads show werk ${thread} --limit 1`);
    expect(newest.messages).toMatchObject([{ id: answer, number: 3, sender: 'counterpart' }]);
  });

  test('of others are not shown', async () => {
    await admin.run('organisations create third --name Dritte');
    const { code, err } = await admin.run(`threads show third ${thread}`);
    expect([code, err]).toEqual([
      5,
      `third has no thread ${thread}\nThose it has: npm run admin -- threads list third\n`,
    ]);
    expect((await admin.run('threads list third')).out).toBe('No threads\n');
  });
});

describe('an edited message', () => {
  test('has the new text for both sides, and the thread a new time of change but its place', async () => {
    const { out } = await admin.run(`messages edit werk ${second} -`, 'Und wer kommt?\nGrüße\n');
    expect(out).toBe(`Edited the message ${second} of werk.\n`);
    for (const side of ['werk', 'partner']) {
      const { messages, thread: shown } = await show(side);
      expect(messages[1]).toMatchObject({
        text: 'Und wer kommt?\nGrüße',
        editedAt: expect.any(String),
        deletedAt: null,
      });
      expect(shown.updatedAt > begun).toBe(true);
      expect(shown.lastActivityAt).toBe('2026-05-01T08:00:02.000Z');
    }
  });

  test('with the same text stays as it is, and nothing is logged', async () => {
    const before = await show();
    const lines = admin.log.length;
    expect((await admin.run(`messages edit werk ${second} -`, 'Und wer?')).out).toBe(
      `The message ${second} is as before.\n`,
    );
    expect(await show()).toEqual(before);
    expect(admin.log.length).toBe(lines);
  });

  test('is logged by its id, never with its text', async () => {
    const lines = admin.log.length;
    await admin.json(`messages edit werk ${second} -`, 'Geheim');
    expect(admin.log.slice(lines)).toMatchObject([{ command: 'messages edit', organisation: 'werk', message: second }]);
    expect(JSON.stringify(admin.log.slice(lines))).not.toContain('Geheim');
  });

  test.each([
    ['', /^The text must have a character that can be seen\. Nothing was changed\n$/],
    [' \n\n', /must have a character that can be seen/],
    ['x'.repeat(5001), /must have at most 5000 characters/],
    ['a\0b', /NUL/],
  ])('is refused for %j', async (text, said) => {
    expect(await refusal(`messages edit werk ${second} -`, text)).toMatch(said);
  });
});

describe('a deleted message', () => {
  test('stays without text and attachments', async () => {
    await attach([{ name: 'a.pdf', mediaType: 'application/pdf', bytes: 1 }]);
    expect((await admin.run(`messages delete werk ${first}`)).out).toBe(`Deleted the message ${first} of werk.\n`);
    const { messages, thread: shown } = await show('partner');
    expect(messages[0]).toMatchObject({ text: null, attachments: [], deletedAt: expect.any(String) });
    expect([shown.messageCount, shown.updatedAt > begun]).toEqual([3, true]);
  });

  test('is deleted once, and neither edited nor attached to', async () => {
    await admin.json(`messages delete werk ${first}`);
    const before = await show();
    expect(await admin.json(`messages delete werk ${first}`)).toMatchObject({ changed: false });
    expect(await show()).toEqual(before);
    expect(await refusal(`messages edit werk ${first} -`, 'Doch')).toMatch(
      /was deleted on 20[-\d]+ [:\d]+ UTC, and stays so\n$/,
    );
    expect(await refusal(`messages attach werk ${first} -`, '[]')).toMatch(/was deleted on/);
  });
});

const attach = async (document: unknown, message = first) =>
  (await admin.json(`messages attach werk ${message} -`, JSON.stringify(document))).message.attachments;

describe('attachments', () => {
  const PLAN = { name: 'Plan Süd.pdf', mediaType: 'application/pdf', bytes: 48_213 };
  const IMAGE = { name: 'Foto.jpg', mediaType: 'image/jpeg', bytes: 0 };

  test('are those of the document, and keep their ids', async () => {
    const [plan] = await attach([PLAN]);
    expect(plan).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), ...PLAN });
    const both = await attach([IMAGE, PLAN]);
    expect(both).toEqual([{ id: expect.any(String), ...IMAGE }, plan]);
    const twice = await attach([PLAN, PLAN]);
    expect(new Set(twice.map(({ id }: { id: string }) => id)).size).toBe(2);
    expect(await attach([])).toEqual([]);
  });

  test('do not make a message an edited one', async () => {
    await attach([PLAN]);
    const { messages, thread: shown } = await show('partner');
    expect(messages[0]).toMatchObject({ text: 'Wann?', editedAt: null, attachments: [PLAN] });
    expect(shown.updatedAt > begun).toBe(true);
    expect((await admin.run(`threads show werk ${thread}`)).out).toContain(
      '\n  Wann?\n  [Plan Süd.pdf, application/pdf, 48213 bytes]\n',
    );
  });

  test.each([
    ['[', /^The document is no JSON that can be taken in: /],
    ['{}', /# must be a list: \[\{name, mediaType, bytes\}\]/],
    [
      '[{"name":"a","mediaType":"pdf","bytes":-1}]',
      /#\/0\/mediaType must be a media type such as application\/pdf\n.*#\/0\/bytes must not be negative/,
    ],
    ['[{"name":"a","mediaType":"a/b","size":1}]', /#\/0\/bytes is required\n {2}#\/0\/size is not a member/],
    [JSON.stringify(Array.from({ length: 21 }, () => IMAGE)), /# must have at most 20 attachments/],
  ])('are refused as %s', async (document, said) => {
    expect(await refusal(`messages attach werk ${first} -`, document)).toMatch(said);
  });
});

describe.each([
  ['edit', 'Anders'],
  ['delete', ''],
  ['attach', '[]'],
])('messages %s', (verb, input) => {
  const file = verb === 'delete' ? '' : ' -';

  test('is for the side that wrote the message', async () => {
    expect(await refusal(`messages ${verb} werk ${answer}${file}`, input)).toBe(
      `Der partner wrote the message ${answer}, and only that side changes it\n`,
    );
    expect(await refusal(`messages ${verb} partner ${first}${file}`, input)).toContain('Der werk wrote the message');
  });

  test('says where ids are found when there is no such message', async () => {
    const unknown = randomUUID();
    expect(await refusal(`messages ${verb} werk ${unknown}${file}`, input)).toBe(
      `werk has no message ${unknown} in its threads\n` +
        'Its threads: npm run admin -- threads list werk; their messages: npm run admin -- threads show werk <thread>\n',
    );
    await admin.run('organisations create third --name Dritte');
    expect(await refusal(`messages ${verb} third ${first}${file}`, input)).toContain('third has no message');
  });
});

test('on an ended connection a message can be deleted, but nothing else', async () => {
  await admin.store.asOperator((session) => session.run(sql`UPDATE connections SET status = 'REVOKED'`));
  for (const words of [`messages edit werk ${first} -`, `messages attach werk ${first} -`]) {
    expect(await refusal(words, '[]')).toBe(
      'The connection of the thread has ended (REVOKED), so nothing is written any more. The message can still be deleted\n',
    );
  }
  expect(await admin.json(`messages delete werk ${first}`)).toMatchObject({ changed: true });
});
