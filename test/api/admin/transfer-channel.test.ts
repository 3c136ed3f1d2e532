import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeThread, makeUser, putMailbox } from '../../support/channel.ts';
import { connect } from '../../support/connections.ts';
import { type Console, openConsole } from './console.ts';

/** The sections mailboxes and threads of a document. */

let here: Console;
let there: Console;

beforeAll(async () => {
  here = await openConsole();
  there = await openConsole();
});
afterAll(async () => {
  await here.close();
  await there.close();
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
type Json = any;

const take = (admin: Console, document: Json, ...words: string[]) =>
  admin.json(['import', '-', ...words], JSON.stringify(document));

const refusal = (admin: Console, document: Json): Promise<string> =>
  admin.refusal('import -', JSON.stringify(document));

const counts = (created: number, updated: number, unchanged: number) => ({ created, updated, unchanged });

let made = 0;
let name: string;
const nextName = () => {
  made += 1;
  name = `werk-${made}`;
};

describe('mailboxes', () => {
  let document: Json;

  async function fill(): Promise<void> {
    nextName();
    await here.json(`organisations create ${name} --name Werk`);
    const { organisation } = await here.json(`organisations show ${name}`);
    for (const externalId of ['anna', 'bert']) await makeUser(here.store, organisation, { externalId });
    await putMailbox(here.store, organisation, { name: 'Zentrale', general: true });
    await putMailbox(here.store, organisation, {
      name: 'Leitwarte',
      categories: ['TECHNIK', 'STOERUNG'],
      users: ['anna', 'bert'],
    });
    document = await here.json(`export ${name}`);
  }

  beforeAll(fill);

  test('move with their categories and users, and a second import changes nothing', async () => {
    expect(document.mailboxes).toMatchObject([
      { name: 'Zentrale', general: true, categories: [], users: [] },
      { name: 'Leitwarte', general: false, categories: ['TECHNIK', 'STOERUNG'], users: ['anna', 'bert'] },
    ]);
    expect((await take(there, document)).counts.mailboxes).toEqual(counts(2, 0, 0));
    expect(await there.json(`export ${name}`)).toEqual(document);
    expect((await take(there, document)).counts.mailboxes).toEqual(counts(0, 0, 2));
  });

  test('are found by name, and take what is said once and in whatever order', async () => {
    await fill();
    const mailboxes = [{ name: 'Leitwarte', categories: ['STOERUNG', 'TECHNIK', 'STOERUNG'], users: ['bert', 'anna'] }];
    expect((await take(here, { ...document, mailboxes })).counts.mailboxes).toEqual(counts(0, 0, 1));
    const fewer = [{ name: 'Leitwarte', users: [] }, { name: 'Netz' }];
    expect((await take(here, { ...document, mailboxes: fewer })).counts.mailboxes).toEqual(counts(1, 1, 0));
    expect((await here.json(`mailboxes list ${name}`)).data).toMatchObject([
      { name: 'Zentrale' },
      { name: 'Leitwarte', kategorien: ['TECHNIK', 'STOERUNG'], nutzer: [] },
      { name: 'Netz', allgemein: false, kategorien: [], nutzer: [] },
    ]);
  });

  test('exchange what they take', async () => {
    await fill();
    const mailboxes = [
      { name: 'Zentrale', general: false, categories: ['TECHNIK', 'STOERUNG'] },
      { name: 'Leitwarte', general: true, categories: [] },
    ];
    expect((await take(here, { ...document, mailboxes })).counts.mailboxes).toEqual(counts(0, 2, 0));
    expect((await here.json(`mailboxes list ${name}`)).data).toMatchObject([
      { name: 'Leitwarte', allgemein: true, kategorien: [] },
      { name: 'Zentrale', allgemein: false, kategorien: ['TECHNIK', 'STOERUNG'] },
    ]);
  });

  describe('that do not fit', () => {
    beforeAll(fill);

    test.each([
      [[{ name: 'Netz', general: true }], '#/mailboxes/0/general is true of the mailbox Zentrale in the store, too'],
      [
        [
          { name: 'Zentrale', general: true },
          { name: 'Netz', general: true },
        ],
        '#/mailboxes/1/general is true of #/mailboxes/0, too; only one may be general',
      ],
      [[{ name: 'Zentrale', general: false }], '#/mailboxes has no mailbox that is general, and neither has the store'],
      [
        [{ name: 'Netz', categories: ['TECHNIK'] }],
        '#/mailboxes/0/categories names TECHNIK, which goes to the mailbox Leitwarte in the store already',
      ],
      [
        [
          { name: 'Netz', categories: ['VERTRAG'] },
          { name: 'Recht', categories: ['VERTRAG'] },
        ],
        '#/mailboxes/1/categories names VERTRAG, which goes to #/mailboxes/0 already',
      ],
      [[{ name: 'Netz', users: ['carl'] }], '#/mailboxes/0/users names carl, who is no user of the organisation'],
      [[{ name: 'Netz', categories: ['POST'] }], '#/mailboxes/0/categories/0 must be one of ALLGEMEIN, TECHNIK'],
      [[{ name: randomUUID() }], '#/mailboxes/0/name must not look like a UUID'],
    ])('%j is refused, and nothing is taken in', async (mailboxes, message) => {
      expect(await refusal(here, { ...document, mailboxes })).toContain(message);
      expect(await here.json(`export ${name}`)).toEqual(document);
    });
  });
});

describe('threads', () => {
  let mine: Json;
  let theirs: Json;

  /** Two connected organisations with a thread, in which the second has answered. */
  async function fill(): Promise<void> {
    nextName();
    const sides = [];
    for (const externalId of [name, `partner-${made}`]) {
      await here.json(['organisations', 'create', externalId, '--name', externalId]);
      sides.push((await here.json(`organisations show ${externalId}`)).organisation);
    }
    const [own, partner] = sides as [Json, Json];
    const anna = await makeUser(here.store, own, { externalId: 'anna' });
    const connection = await connect(here.store, own, partner);
    await makeThread(here.store, connection, {
      category: 'TECHNIK',
      subject: 'Wartung im Mai',
      assets: ['SEE900000000002', 'SEE900000000001'],
      participants: [
        { user: anna.id, side: own.id },
        { user: randomUUIDv7(), side: partner.id },
      ],
      messages: ['Wann?', 'Ungültig', 'Noch offen.'],
      createdAt: '2026-05-01T08:00:00.000Z',
    });
    // The command line and the interface add the answer of a person, an edited and a deleted message.
    const document = await here.json(`export ${name}`);
    const [thread] = document.threads;
    Object.assign(thread.messages[0], {
      editedAt: '2026-05-02T08:00:00.000Z',
      attachments: [{ id: randomUUID(), name: 'Plan Süd.pdf', mediaType: 'application/pdf', bytes: 12_345 }],
    });
    Object.assign(thread.messages[1], { text: null, deletedAt: '2026-05-02T08:00:00.000Z' });
    thread.messages.push({
      ...thread.messages[2],
      id: randomUUIDv7(),
      sender: 'counterpart',
      user: thread.participants[1].user,
      person: 'Öz Muster',
      viaApi: false,
      text: 'Am 5.\nGrüße 🌬',
      writtenAt: '2026-05-03T08:00:00.000Z',
    });
    expect((await take(here, document)).counts.threads).toEqual(counts(0, 1, 0));
    mine = await here.json(`export ${name}`);
    theirs = await here.json(`export partner-${made}`);
  }
  beforeAll(fill);

  /** Both organisations in the other store, connected, but without threads. */
  async function moveConnected(): Promise<void> {
    for (const document of [mine, theirs]) await take(there, { ...document, threads: [] });
  }

  test('have the messages of both sides, as the organisation sees them', () => {
    expect(mine.threads).toMatchObject([
      {
        subject: 'Wartung im Mai',
        category: 'TECHNIK',
        assets: ['SEE900000000002', 'SEE900000000001'],
        participants: [{ side: 'own' }, { side: 'counterpart' }],
        createdAt: '2026-05-01T08:00:00.000Z',
        messages: [
          { sender: 'own', text: 'Wann?', viaApi: true, user: null, editedAt: '2026-05-02T08:00:00.000Z' },
          { sender: 'own', text: null, deletedAt: '2026-05-02T08:00:00.000Z' },
          { sender: 'own', text: 'Noch offen.', editedAt: null, deletedAt: null, attachments: [] },
          { sender: 'counterpart', text: 'Am 5.\nGrüße 🌬', viaApi: false, person: 'Öz Muster' },
        ],
      },
    ]);
    const mirrored = JSON.stringify(mine.threads).replaceAll(/"(own|counterpart)"/g, (word) =>
      word === '"own"' ? '"counterpart"' : '"own"',
    );
    expect(theirs.threads).toEqual(JSON.parse(mirrored));
  });

  test('are imported from one side, and found as they are by the document of the other', async () => {
    await fill();
    await moveConnected();
    expect((await take(there, mine)).counts.threads).toEqual(counts(1, 0, 0));
    expect((await take(there, theirs)).counts.threads).toEqual(counts(0, 0, 1));
    expect(await there.json(`export ${name}`)).toEqual(mine);
    expect(await there.json(`export partner-${made}`)).toEqual(theirs);
    expect((await take(there, mine)).counts.threads).toEqual(counts(0, 0, 1));
  });

  test('keep what an older document does not know, and go on with what a newer one adds', async () => {
    await fill();
    await moveConnected();
    const older = structuredClone(mine);
    const messages = older.threads[0].messages;
    messages.pop();
    messages[1].text = 'Ungültig';
    messages[1].deletedAt = null;
    older.threads[0].participants.pop();
    await take(there, older);
    expect((await take(there, mine)).counts.threads).toEqual(counts(0, 1, 0));
    const after = await there.json(`export ${name}`);
    expect(after.threads[0].messages).toEqual(mine.threads[0].messages);
    expect(after.threads[0].participants).toEqual(mine.threads[0].participants);
    expect((await take(there, older)).counts.threads).toEqual(counts(0, 0, 1));
    expect(await there.json(`export ${name}`)).toEqual(after);
  });

  test('let only the side that wrote a message change it', async () => {
    await fill();
    const changed = structuredClone(mine);
    for (const message of changed.threads[0].messages) message.text = 'Anders';
    changed.threads[0].messages[1].deletedAt = null;
    expect((await take(here, changed)).counts.threads).toEqual(counts(0, 1, 0));
    const { threads } = await here.json(`export ${name}`);
    expect(threads[0].messages.map(({ text }: Json) => text)).toEqual(['Anders', null, 'Anders', 'Am 5.\nGrüße 🌬']);
    expect(threads[0].updatedAt > mine.threads[0].updatedAt).toBe(true);
  });

  test('leave the count and the last activity as the messages say', async () => {
    await fill();
    const counted = async (admin: Console) =>
      (await admin.json(`threads list ${name}`)).map(({ messageCount, lastActivityAt }: Json) => [
        messageCount,
        lastActivityAt,
      ]);
    await moveConnected();
    await take(there, mine);
    expect(await counted(there)).toEqual([[4, '2026-05-03T08:00:00.000Z']]);
    expect(await counted(here)).toEqual([[4, '2026-05-03T08:00:00.000Z']]);
  });

  const faulty: readonly (readonly [string, (thread: Json) => void, string])[] = [
    ['without its id', (thread) => delete thread.id, '#/threads/0/id is required'],
    [
      'of no connection',
      (thread) => Object.assign(thread, { id: randomUUID(), connectionId: randomUUID(), messages: [message()] }),
      '#/threads/0/connectionId is none of the connections of the organisation',
    ],
    [
      'on another connection',
      (thread) => Object.assign(thread, { connectionId: randomUUID() }),
      '#/threads/0/connectionId is not that of the thread in the store',
    ],
    [
      'without a message',
      (thread) => (thread.messages = []),
      '#/threads/0/messages must have the first message at least',
    ],
    [
      'with a message of another thread',
      (thread) => (thread.id = randomUUID()),
      'which is in another thread of this store',
    ],
    [
      'with a message twice',
      (thread) => thread.messages.push(thread.messages[0]),
      '#/threads/0/messages has a message more than once',
    ],
    [
      'that has gone on elsewhere',
      (thread) => thread.messages.push({ ...message(), writtenAt: '2026-05-02T08:00:00.000Z' }),
      'which is not later than what the store has before it',
    ],
    [
      'with a message without text that was not deleted',
      (thread) => (thread.messages[0].text = null),
      '#/threads/0/messages/0 must have a text, or the time of its deletion, deletedAt',
    ],
    [
      'with a person without a user',
      (thread) => (thread.messages[0].person = 'Anna'),
      '#/threads/0/messages/0 must have both user and person, or neither',
    ],
    [
      'with an attachment that is none',
      (thread) => (thread.messages[0].attachments = [{ id: randomUUID(), name: 'a', mediaType: 'pdf', bytes: -1 }]),
      '#/threads/0/messages/0/attachments/0/mediaType must be a media type such as application/pdf',
    ],
    [
      'with an unknown category',
      (thread) => (thread.category = 'POST'),
      '#/threads/0/category must be one of ALLGEMEIN',
    ],
  ];

  /** A message of the organisation, after all others. */
  const message = () => ({
    id: randomUUIDv7(),
    sender: 'own',
    user: null,
    person: null,
    viaApi: false,
    text: 'Text',
    attachments: [],
    writtenAt: '2026-06-01T08:00:00.000Z',
    editedAt: null,
    deletedAt: null,
  });

  describe('that do not fit', () => {
    beforeAll(fill);

    test.each(faulty)('a thread %s is refused, and nothing is taken in', async (_, spoil, said) => {
      const document = structuredClone(mine);
      spoil(document.threads[0]);
      expect(await refusal(here, document)).toContain(said);
      expect(await here.json(`export ${name}`)).toEqual(mine);
    });
  });

  test('may have more messages than one statement takes', async () => {
    await fill();
    const document = structuredClone(mine);
    const [thread] = document.threads;
    const begin = Date.parse('2026-06-01T00:00:00Z');
    for (let number = 0; number < 12_000; number++) {
      thread.messages.push({ ...message(), text: `${number}`, writtenAt: new Date(begin + number).toISOString() });
    }
    expect((await take(here, document)).counts.threads).toEqual(counts(0, 1, 0));
    const { threads } = await here.json(`export ${name}`);
    expect(threads[0].messages).toEqual(thread.messages);
    expect((await take(here, document)).counts.threads).toEqual(counts(0, 0, 1));
  });
});
