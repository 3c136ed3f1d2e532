import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CustomFieldRow } from '../../sql/org/records/custom-fields.ts';
import { insertTexts, makeField } from '../support/custom-fields.ts';
import { type OwnFields, ownFields, valuesByField } from '../support/custom-fields-client.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { unit } from '../support/portfolio.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/** Reading custom fields and their values: interface.md "CustomFieldDef" and "CustomFieldValue". */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

let organisation: { readonly id: string };
let own: OwnFields;
let key: string;
beforeEach(async () => {
  organisation = await makeOrganisation(service.store);
  key = (await makeKey(service.store, organisation)).text;
  own = ownFields(service, key);
});

const field = (choices: Partial<CustomFieldRow> = {}) => makeField(service.store, organisation, choices);

/** Writes values past the API, as a partner or in other times. */
const insert = (
  { id }: CustomFieldRow,
  texts: readonly string[],
  { number = 1, writerId = organisation.id, updatedAt = '2026-01-01T00:00:00.000Z' } = {},
) =>
  insertTexts(service.store, { id, ownerId: organisation.id }, texts, {
    mastrNumber: unit(number),
    writerId,
    updatedAt,
  });

describe('GET /v1/custom-fields', () => {
  test('has every member of a definition', async () => {
    const made = await field({ type: 'DROPDOWN', multiple: true, choices: ['b', 'a, c'] });
    expect((await own.definitions()).json).toEqual({
      data: [
        {
          id: made.id,
          name: made.name,
          typ: 'DROPDOWN',
          mehrfachwerte: true,
          auswahlwerte: ['b', 'a, c'],
          vonGegenseiteBefuellt: false,
          mitGegenseiteGeteilt: true,
          angelegtAm: made.createdAt,
          geaendertAm: made.updatedAt,
        },
      ],
      meta: { count: 1, complete: true },
    });
  });

  test('is sorted by name in German order, without retired fields and those of files and contacts', async () => {
    for (const name of ['Zoo', 'Ähre', 'apfel', 'Affe']) await field({ name });
    await field({ name: 'Ruhestand', retiredAt: '2026-01-01T00:00:00.000Z' });
    await field({ name: 'Akte', type: 'FILE' });
    await field({ name: 'Ansprechpartner', type: 'CONTACT' });
    const { json } = await own.definitions();
    expect(json.data.map(({ name }: { name: string }) => name)).toEqual(['Affe', 'Ähre', 'apfel', 'Zoo']);
  });
});

describe('making and changing fields', () => {
  const send = (method: string, path: string, body: object, caller = key) =>
    service.send(method, `/v1/custom-fields${path}`, {
      headers: { ...withKey(caller), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const create = async (body: object) => (await send('POST', '', body)).json.data;
  const names = async () => (await own.definitions()).json.data.map(({ name }: { name: string }) => name);

  test('a new field is listed, and takes values', async () => {
    const made = await send('POST', '', { name: 'Zustand', typ: 'DROPDOWN', auswahlwerte: ['gut', 'schlecht'] });
    expect(made.status).toBe(201);
    const { angelegtAm, id, ...members } = made.json.data;
    expect(members).toEqual({
      ...{ name: 'Zustand', typ: 'DROPDOWN', mehrfachwerte: false, auswahlwerte: ['gut', 'schlecht'] },
      ...{ vonGegenseiteBefuellt: false, mitGegenseiteGeteilt: false, geaendertAm: angelegtAm },
    });
    expect((await own.definitions()).json.data).toEqual([made.json.data]);
    expect((await own.put(1, [{ defId: id, text: 'gut' }])).status).toBe(200);
  });

  test.each([
    [{ name: 'Z', typ: 'DROPDOWN' }, 422, '#/auswahlwerte'],
    [{ name: 'Z', typ: 'TEXT', auswahlwerte: ['a'] }, 422, '#/auswahlwerte'],
    [{ name: 'Z', typ: 'DROPDOWN', auswahlwerte: ['a', 'a'] }, 400, '#/auswahlwerte'],
    [{ name: 'Z', typ: 'FILE' }, 400, '#/typ'],
    [{ name: '', typ: 'TEXT' }, 400, '#/name'],
    [{ name: 'Z', typ: 'TEXT', mehrfachwerte: 'ja' }, 400, '#/mehrfachwerte'],
  ])('%j is refused with %i at %s', async (body, status, pointer) => {
    const answer = await send('POST', '', body);
    expect([answer.status, answer.json.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([
      status,
      [pointer],
    ]);
    expect(await names()).toEqual([]);
  });

  test('a name belongs to one field, a retired one included', async () => {
    const { id } = await create({ name: 'Vertrag', typ: 'TEXT' });
    await send('PATCH', `/${id}`, { inBenutzung: false });
    expect(await names()).toEqual([]);
    const refused = await send('POST', '', { name: 'Vertrag', typ: 'TEXT' });
    expectProblem(refused, 409, 'CONFLICT');
    expect(refused.json.detail).toContain(id);
    const back = (await send('PATCH', `/${id}`, { inBenutzung: true })).json;
    expect([back.meta, await names()]).toEqual([{ inBenutzung: true }, ['Vertrag']]);
  });

  test('a change keeps what it leaves out, and what units have', async () => {
    const { id } = await create({
      name: 'Zustand',
      typ: 'DROPDOWN',
      auswahlwerte: ['gut', 'schlecht'],
      mehrfachwerte: true,
    });
    await own.put(1, [{ defId: id, text: 'gut' }]);
    const { json } = await send('PATCH', `/${id}`, { auswahlwerte: ['mittel', 'gut'] });
    expect(json.data).toMatchObject({ name: 'Zustand', auswahlwerte: ['mittel', 'gut'], mehrfachwerte: true });
    const refused = await send('PATCH', `/${id}`, { auswahlwerte: ['mittel'] });
    expectProblem(refused, 422, 'UNPROCESSABLE');
    expect(refused.json.errors).toMatchObject([
      { pointer: '#/auswahlwerte', detail: expect.stringContaining('1 unit') },
    ]);
    const unchanged = (await send('PATCH', `/${id}`, {})).json.data;
    expect(unchanged).toEqual(json.data);
  });

  test('a field of another organisation, of files, or with another id is not found', async () => {
    const foreign = await makeField(service.store, await makeOrganisation(service.store));
    const files = await field({ type: 'FILE' });
    for (const id of [foreign.id, files.id, randomUUIDv7(), 'abc'])
      expectProblem(await send('PATCH', `/${id}`, { name: 'Fremd' }), 404, 'NOT_FOUND');
  });

  test('needs the scope custom_fields:define', async () => {
    const { text } = await makeKey(service.store, organisation, { scopes: ['custom_fields:write'] });
    expectProblem(await send('POST', '', { name: 'Z', typ: 'TEXT' }, text), 403, 'MISSING_SCOPE');
  });
});

describe('GET /v1/units/{id}/custom-fields', () => {
  test('has every member of a value', async () => {
    const made = await field();
    await insert(made, ['P-2031']);
    expect((await own.values(1)).json).toEqual({
      data: [
        {
          defId: made.id,
          text: 'P-2031',
          zahl: null,
          datum: null,
          datumsgenauigkeit: 'DAY',
          schreiber: 'eigen',
          reihenfolge: 0,
          geaendertAm: '2026-01-01T00:00:00.000Z',
        },
      ],
      meta: { count: 1, complete: true },
    });
  });

  test('is sorted by name of the field, own values before the answers of partners, in their order', async () => {
    const [z, a] = [await field({ name: 'Z', multiple: true }), await field({ name: 'Ä' })];
    await insert(z, ['partner 0', 'partner 1'], { writerId: '00000000-0000-7000-8000-000000000000' });
    await insert(z, ['own 0', 'own 1']);
    await insert(a, ['first']);
    const { json } = await own.values(1);
    expect(
      json.data.map(({ text, schreiber, reihenfolge }: Record<string, unknown>) => [text, schreiber, reihenfolge]),
    ).toEqual([
      ['first', 'eigen', 0],
      ['own 0', 'eigen', 0],
      ['own 1', 'eigen', 1],
      ['partner 0', 'gegenseite', 0],
      ['partner 1', 'gegenseite', 1],
    ]);
  });

  test('values of a retired field are kept, but not shown', async () => {
    const made = await field();
    await insert(made, ['kept']);
    await field({ ...made, retiredAt: '2026-01-01T00:00:00.000Z' });
    expect((await own.values(1)).json.data).toEqual([]);
    await field(made);
    expect(valuesByField(await own.values(1))).toEqual({ [made.id]: ['kept'] });
  });

  test('values of a unit that the register does not have are readable, and there may be none', async () => {
    const made = await field();
    await insert(made, ['gone'], { number: 99 });
    expect(valuesByField(await own.values(99))).toEqual({ [made.id]: ['gone'] });
    const { status, json } = await own.values(98);
    expect([status, json]).toEqual([200, { data: [], meta: { count: 0, complete: true } }]);
  });

  test('more values than an answer has room for are cut off, and the answer says so', async () => {
    const long = await field({ type: 'LONG_TEXT', multiple: true });
    await insert(
      long,
      Array.from({ length: 100 }, () => 'x'.repeat(10_000)),
    );
    const partners = Array.from({ length: 4 }, () => randomUUIDv7());
    for (const writerId of partners)
      await insert(
        long,
        Array.from({ length: 100 }, () => 'y'.repeat(10_000)),
        { writerId },
      );
    const { json, text } = await own.values(1);
    expect(json.meta).toEqual({ count: json.data.length, complete: false });
    expect(text.length).toBeGreaterThan(4_000_000);
    expect(text.length).toBeLessThan(4_300_000);
  });

  test('400 for what can be no number of a unit', async () => {
    expectProblem(await own.values('SEE1'), 400, 'INVALID_PARAMETER');
  });
});
