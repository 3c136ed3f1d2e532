import { randomUUIDv7 } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { execute } from '../../api/admin/execution/execute.ts';
import { readSettings } from '../../runtime/settings.ts';
import { runCommandLine } from '../api/admin/console.ts';
import { makeUser } from '../support/channel.ts';
import { type Correspondent, makeCorrespondents } from '../support/correspondents.ts';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/** A user sees threads by routing as it is now, while the operator changes mailboxes and users. */

let service: OwnSubject;
let ada: Correspondent;
let ben: Correspondent;
/** Id of Anna, a user of Ada's organisation. */
let anna: string;
let technical: string;
let plain: string;

beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service?.stop());

beforeEach(async () => {
  ({ ada, ben } = await makeCorrespondents(service, service.store));
  anna = (await makeUser(service.store, ada.organisation, { externalId: 'anna' })).id;
  technical = (await ben.create({ category: 'TECHNIK' })).json.data[0].id;
  plain = (await ben.create({})).json.data[0].id;
});

/** Runs a command for Ada's organisation, which `%` stands for. */
async function administer(line: string): Promise<void> {
  const context = { store: service.store, settings: readSettings({}), log: pino({ level: 'silent' }) };
  const words = line.replace('%', ada.organisation.externalId);
  const { code, err } = await runCommandLine(words, (command, raw) => execute(command, raw, context));
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
}

/** The threads that Anna sees, the newest first. */
const seen = async (): Promise<string[]> => {
  const { status, json } = await ada.threads(`actingUserId=${anna}`);
  expect(status).toBe(200);
  return json.data.map(({ id }: { id: string }) => id);
};

test('a change of mailboxes holds for the threads that are there', async () => {
  expect(await seen()).toEqual([]);
  await administer('mailboxes create % Zentrale');
  await administer('mailboxes create % Leitwarte --categories TECHNIK --users anna');
  expect(await seen()).toEqual([technical]);
  await administer('mailboxes change % Zentrale --users anna');
  expect(await seen()).toEqual([plain, technical]);
  await administer('mailboxes change % Leitwarte --users none');
  expect(await seen()).toEqual([plain]);
  await administer('mailboxes change % Zentrale --categories TECHNIK --take');
  expect(await seen()).toEqual([plain, technical]);
  await administer('mailboxes change % Leitwarte --general');
  expect(await seen()).toEqual([technical]);
  await administer('mailboxes delete % Zentrale');
  expect(await seen()).toEqual([]);
});

test('who was addressed or wrote keeps seeing the thread, whatever the routing', async () => {
  const addressed = (await ben.create({ addressUserIds: [anna] })).json.data[0].id;
  await ada.write(technical, { body: 'Ich auch', actingUserId: anna });
  await administer('mailboxes create % Zentrale');
  expect(await seen()).toEqual([technical, addressed]);
});

test('a removed user is answered as an unknown one, and what the user wrote stays', async () => {
  await ada.write(technical, { body: 'Ich auch', actingUserId: anna });
  await administer('mailboxes create % Zentrale --users anna');
  await administer('users remove % anna');
  const unknown = await ada.threads(`actingUserId=${randomUUIDv7()}`);
  const removed = await ada.threads(`actingUserId=${anna}`);
  for (const response of [unknown, removed]) expectProblem(response, 404, 'NOT_FOUND');
  expect(removed.json.detail).toBe(unknown.json.detail);
  expect((await ada.messages(technical)).json.data.at(-1)).toMatchObject({
    text: 'Ich auch',
    absender: { person: 'Anna Muster' },
  });
  expect((await ada.threads()).json.data).toHaveLength(2);
});
