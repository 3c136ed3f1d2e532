import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeThread, makeUser, putMailbox } from '../support/channel.ts';
import { connect } from '../support/connections.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/** Mailboxes: where the threads of an organisation lie. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

let organisation: Awaited<ReturnType<typeof makeOrganisation>>;
let key: string;
let users: string[];
beforeEach(async () => {
  organisation = await makeOrganisation(service.store);
  key = (await makeKey(service.store, organisation)).text;
  users = [];
  for (let count = 0; count < 2; count++) users.push((await makeUser(service.store, organisation)).externalId);
});

const list = () => service.get('/v1/mailboxes', withKey(key));
const write = (method: string, path: string, body?: object) =>
  service.send(method, `/v1/mailboxes${path}`, {
    headers: { ...withKey(key), 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const create = async (body: object) => (await write('POST', '', body)).json;

/** Mailboxes with what they take, the general one in capitals. */
const routing = async () =>
  Object.fromEntries(
    (await list()).json.data.map((mailbox: { name: string; allgemein: boolean; kategorien: string[] }) => [
      mailbox.allgemein ? mailbox.name.toUpperCase() : mailbox.name,
      mailbox.kategorien.join(),
    ]),
  );

test('the first mailbox is the general one, and others take categories, in one order', async () => {
  const { data, meta } = await create({ name: 'Zentrale', nutzer: [users[1], users[0], users[1]] });
  expect(data).toMatchObject({ name: 'Zentrale', allgemein: true, kategorien: [], nutzer: users.toSorted() });
  expect(meta).toEqual({ entzogen: [], vorherAllgemein: null });
  await create({ name: 'Leitwarte', kategorien: ['STOERUNG', 'TECHNIK'] });
  expect((await list()).json.meta).toEqual({ count: 2 });
  expect(await routing()).toEqual({ ZENTRALE: '', Leitwarte: 'TECHNIK,STOERUNG' });
});

test('a category of another mailbox is refused, and taken with uebernehmen', async () => {
  const { id: central } = (await create({ name: 'Zentrale', kategorien: ['TECHNIK', 'VERTRAG'] })).data;
  const taking = { name: 'Leitwarte', kategorien: ['TECHNIK'], allgemein: true };
  const refused = await write('POST', '', taking);
  expectProblem(refused, 409, 'CONFLICT');
  expect(refused.json.detail).toContain('TECHNIK goes to the mailbox "Zentrale"');
  expect((await create({ ...taking, uebernehmen: true })).meta).toEqual({
    entzogen: [{ kategorie: 'TECHNIK', postfach: 'Zentrale' }],
    vorherAllgemein: 'Zentrale',
  });
  expect(await routing()).toEqual({ Zentrale: 'VERTRAG', LEITWARTE: 'TECHNIK' });
  expect((await write('PATCH', `/${central}`, { allgemein: true })).json.meta.vorherAllgemein).toBe('Leitwarte');
});

test('a change replaces what is named, and a time moves only when something changes', async () => {
  const { data } = await create({ name: 'Zentrale', nutzer: users });
  expect((await write('PATCH', `/${data.id}`, { nutzer: users.toReversed() })).json.data).toEqual(data);
  const changed = (await write('PATCH', `/${data.id}`, { name: 'Empfang', nutzer: [] })).json.data;
  expect(changed).toMatchObject({ name: 'Empfang', nutzer: [], angelegtAm: data.angelegtAm });
  expect(changed.geaendertAm > data.geaendertAm).toBe(true);
});

test('one that is deleted leaves its threads to the general one, which goes last', async () => {
  const partner = await makeOrganisation(service.store);
  const central = await putMailbox(service.store, organisation, { name: 'Zentrale', general: true });
  const other = await putMailbox(service.store, organisation, { name: 'Leitwarte', categories: ['TECHNIK'] });
  const connection = await connect(service.store, organisation, partner);
  await makeThread(service.store, connection, { category: 'TECHNIK' });
  expectProblem(await write('DELETE', `/${central.id}`), 409, 'CONFLICT');
  expect((await write('DELETE', `/${other.id}`)).json).toEqual({
    data: null,
    meta: { deleted: other.id, threads: 1, postfach: 'Zentrale' },
  });
  expect((await write('DELETE', `/${central.id}`)).json.meta).toMatchObject({ threads: 1, postfach: null });
  expect(await routing()).toEqual({});
});

test('a dry run keeps nothing', async () => {
  const { status } = await write('POST', '?dryRun=true', { name: 'Zentrale' });
  expect([status, await routing()]).toEqual([201, {}]);
});

test('of many users whom the organisation does not have, fifty are named, and their names are cut', async () => {
  const nutzer = Array.from({ length: 1000 }, (_, index) => `${'x'.repeat(200)}${index}`);
  const { json, text } = await write('POST', '', { name: 'Viele', nutzer });
  expect(json.detail).toBe('1000 faults: errors has the first 50, and 950 more are not listed');
  expect(text).not.toContain('x'.repeat(101));
});

describe('is refused', () => {
  test.each<[string, object, number, string, string]>([
    ['a name that is taken', { name: 'Zentrale' }, 409, 'CONFLICT', 'has this name already'],
    ['a name like a UUID', { name: randomUUIDv7() }, 400, 'INVALID_PARAMETER', 'must not look like a UUID'],
    ['an unknown category', { name: 'x', kategorien: ['TECHNICK'] }, 400, 'INVALID_BODY', 'must be one of'],
    ['an unknown user', { name: 'x', nutzer: ['niemand'] }, 422, 'UNPROCESSABLE', 'which is no user'],
    ['no general mailbox at all', { name: 'x', allgemein: false }, 400, 'INVALID_BODY', 'must be true'],
  ])('%s', async (_, body, status, code, detail) => {
    await create({ name: 'Zentrale' });
    const response = await write('POST', '', body);
    expect([response.status, response.json.code]).toEqual([status, code]);
    expect(JSON.stringify(response.json)).toContain(detail);
    expect(await routing()).toEqual({ ZENTRALE: '' });
  });
});
