import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CustomFieldRow } from '../../sql/org/records/custom-fields.ts';
import { insertTexts, makeField } from '../support/custom-fields.ts';
import { type OwnFields, ownFields, valuesByField } from '../support/custom-fields-client.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectReplay, rowStatuses, unit } from '../support/portfolio.ts';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveSharedFixture } from '../support/service.ts';

/** Writing values of custom fields: interface.md "CustomFieldInput". */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

let organisation: { readonly id: string };
let own: OwnFields;
beforeEach(async () => {
  organisation = await makeOrganisation(service.store);
  own = ownFields(service, (await makeKey(service.store, organisation)).text);
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

const errors = ({ json }: ServiceResponse): (string | null)[] =>
  json.data.map((row: { error?: { code: string; message: string } }) =>
    row.error === undefined ? null : `${row.error.code} ${row.error.message}`,
  );

describe('PUT /v1/units/{id}/custom-fields', () => {
  test('writes each type in its slot', async () => {
    const types = {
      TEXT: { text: ' eine Zeile ' },
      LONG_TEXT: { text: 'erste\nzweite\tZeile' },
      DROPDOWN: { text: 'a, b' },
      URL: { text: 'https://example.org/akte?id=1#x' },
      NUMBER: { zahl: -1.5e-7 },
      DATE: { datum: '2028-02-29' },
    } as const;
    const made = new Map<string, CustomFieldRow>();
    for (const type of Object.keys(types) as (keyof typeof types)[]) {
      made.set(type, await field({ type, choices: type === 'DROPDOWN' ? ['a, b'] : [] }));
    }
    const inputs = Object.entries(types).map(([type, slot]) => ({ defId: made.get(type)!.id, ...slot }));
    const written = await own.put(1, inputs);
    expect([written.status, rowStatuses(written)]).toEqual([200, inputs.map(() => 'created')]);
    const expected = Object.entries(types).map(([type, slot]) => [made.get(type)!.id, Object.values(slot)]);
    expect(valuesByField(await own.values(1))).toEqual(Object.fromEntries(expected));
  });

  test('answers a row per input, named by its field', async () => {
    const made = await field({ multiple: true });
    const written = await own.put(1, [
      { defId: made.id, text: 'a' },
      { defId: made.id, text: 'b' },
    ]);
    expect(written.json).toEqual({
      data: [
        { id: null, externalId: made.id, status: 'created' },
        { id: null, externalId: made.id, status: 'created' },
      ],
      meta: { total: 2, created: 2, updated: 0, unchanged: 0, failed: 0, dryRun: false },
    });
  });

  test('replaces the values of a named field in their order, and leaves other fields, units and writers alone', async () => {
    const [several, other] = [await field({ multiple: true }), await field()];
    await insert(several, ['partner'], { writerId: randomUUIDv7() });
    await insert(several, ['elsewhere'], { number: 2 });
    await own.put(1, [...['a', 'b', 'c'].map((text) => ({ defId: several.id, text })), { defId: other.id, text: 'x' }]);
    const changed = await own.put(
      1,
      ['c', 'a'].map((text) => ({ defId: several.id, text })),
    );
    expect(rowStatuses(changed)).toEqual(['updated', 'updated']);
    expect(valuesByField(await own.values(1))).toEqual({ [several.id]: ['c', 'a', 'partner'], [other.id]: ['x'] });
    expect(valuesByField(await own.values(2))).toEqual({ [several.id]: ['elsewhere'] });
  });

  test('what is the same already is unchanged, and keeps its time', async () => {
    const made = await field({ multiple: true });
    const inputs = ['a', 'b'].map((text) => ({ defId: made.id, text }));
    await own.put(1, inputs);
    const before = (await own.values(1)).json;
    expect(rowStatuses(await own.put(1, inputs))).toEqual(['unchanged', 'unchanged']);
    expect((await own.values(1)).json).toEqual(before);
    expect(rowStatuses(await own.put(1, inputs.toReversed()))).toEqual(['updated', 'updated']);
  });

  test.each([
    ['null', { text: null }],
    ['an empty text', { text: '' }],
    ['nothing at all', {}],
    ['a precision without a day', { datum: null, datumsgenauigkeit: 'MONTH' }],
  ])('%s clears a field, once', async (_, slot) => {
    const made = await field();
    await own.put(1, [{ defId: made.id, text: 'a' }]);
    expect(rowStatuses(await own.put(1, [{ defId: made.id, ...slot }]))).toEqual(['updated']);
    expect((await own.values(1)).json.data).toEqual([]);
    expect(rowStatuses(await own.put(1, [{ defId: made.id, ...slot }]))).toEqual(['unchanged']);
  });

  test('an empty input beside values of its field has no place among them', async () => {
    const made = await field();
    const written = await own.put(1, [
      { defId: made.id },
      { defId: made.id, text: 'a' },
      { defId: made.id, text: null },
    ]);
    expect(rowStatuses(written)).toEqual(['created', 'created', 'created']);
    expect(valuesByField(await own.values(1))).toEqual({ [made.id]: ['a'] });
  });

  test('a month is set to its first day, and is the same month whatever the day', async () => {
    const made = await field({ type: 'DATE' });
    const month = (datum: string) => own.put(1, [{ defId: made.id, datum, datumsgenauigkeit: 'MONTH' }]);
    expect(rowStatuses(await month('2027-05-31'))).toEqual(['created']);
    expect((await own.values(1)).json.data).toMatchObject([{ datum: '2027-05-01', datumsgenauigkeit: 'MONTH' }]);
    expect(rowStatuses(await month('2027-05-02'))).toEqual(['unchanged']);
    // The first of the month as a day is another statement.
    expect(rowStatuses(await own.put(1, [{ defId: made.id, datum: '2027-05-01' }]))).toEqual(['updated']);
  });

  test('a value of GET can be sent as it is', async () => {
    const made = await field({ type: 'DATE' });
    await own.put(1, [{ defId: made.id, datum: '2027-05-31' }]);
    const { text, zahl, datum, datumsgenauigkeit } = (await own.values(1)).json.data[0];
    const again = await own.put(1, [{ defId: made.id, text, zahl, datum, datumsgenauigkeit }]);
    expect(rowStatuses(again)).toEqual(['unchanged']);
  });

  test('an id in capitals names the same field', async () => {
    const made = await field({ multiple: true });
    const written = await own.put(1, [
      { defId: made.id.toUpperCase(), text: 'a' },
      { defId: made.id, text: 'b' },
    ]);
    expect(written.json.data).toEqual(
      ['created', 'created'].map((status) => ({ id: null, externalId: made.id, status })),
    );
    expect(valuesByField(await own.values(1))).toEqual({ [made.id]: ['a', 'b'] });
  });

  describe('inputs that fail', () => {
    test('leave other fields alone: these are written', async () => {
      const [good, bad] = [await field(), await field({ type: 'NUMBER' })];
      const written = await own.put(1, [
        { defId: bad.id, text: 'seven' },
        { defId: good.id, text: 'a' },
      ]);
      expect([written.status, rowStatuses(written)]).toEqual([207, ['failed', 'created']]);
      expect(valuesByField(await own.values(1))).toEqual({ [good.id]: ['a'] });
    });

    test('fail all inputs of their field, which keeps what it had', async () => {
      const made = await field({ type: 'URL', multiple: true });
      await own.put(1, [{ defId: made.id, text: 'https://example.org' }]);
      const written = await own.put(1, [
        { defId: made.id, text: 'https://example.com' },
        { defId: made.id, text: 'example.net' },
      ]);
      expect([written.status, errors(written)]).toEqual([
        207,
        [
          'UNPROCESSABLE not written, because another row about the same field has a fault',
          expect.stringContaining('UNPROCESSABLE text must be an address that begins with https:// or http://'),
        ],
      ]);
      expect(valuesByField(await own.values(1))).toEqual({ [made.id]: ['https://example.org'] });
    });

    test('also when the fault is one of form', async () => {
      const made = await field({ multiple: true });
      const written = await own.put(1, [
        { defId: made.id, text: 'a' },
        { defId: made.id, txt: 'b' },
        { defId: 7, text: 'c' },
        null,
      ]);
      expect(errors(written)).toEqual([
        'UNPROCESSABLE not written, because another row about the same field has a fault',
        'UNPROCESSABLE "txt" is not a member of a row',
        'UNPROCESSABLE defId must be a text',
        'UNPROCESSABLE the row must be an object',
      ]);
      expect(written.json.data.map(({ externalId }: { externalId: string | null }) => externalId)).toEqual([
        made.id,
        made.id,
        null,
        null,
      ]);
      expect((await own.values(1)).json.data).toEqual([]);
    });

    test('a second value of a field that takes one', async () => {
      const made = await field({ name: 'Pachtvertrag' });
      const written = await own.put(
        1,
        ['a', 'a'].map((text) => ({ defId: made.id, text })),
      );
      expect(errors(written)).toEqual([
        'UNPROCESSABLE not written, because another row about the same field has a fault',
        'UNPROCESSABLE "Pachtvertrag" takes one value, and this is another',
      ]);
    });

    test('a field of another organisation is as unknown as any: NOT_FOUND', async () => {
      const foreign = await makeField(service.store, await makeOrganisation(service.store));
      const messages = [];
      for (const defId of [foreign.id, randomUUIDv7(), 'Pachtvertrag', '']) {
        const [message] = errors(await own.put(1, [{ defId, text: 'a' }]));
        messages.push(message?.replace(`"${defId}"`, '"…"'));
      }
      expect(new Set(messages)).toEqual(
        new Set(['NOT_FOUND There is no field "…" among those that GET /v1/custom-fields lists']),
      );
    });

    test.each([
      ['retired', { retiredAt: '2026-01-01T00:00:00.000Z' }],
      ['of files', { type: 'FILE' }],
      ['of contacts', { type: 'CONTACT' }],
    ] as const)('a field that is %s: NOT_FOUND', async (_, choices) => {
      const made = await field(choices);
      expect(errors(await own.put(1, [{ defId: made.id, text: 'a' }]))).toEqual([
        expect.stringMatching(/^NOT_FOUND There is no field/),
      ]);
    });

    test('a field that the counterpart fills: the message names where it is answered', async () => {
      const made = await field({ name: 'Prüfbericht', filledByPartner: true });
      expect(errors(await own.put(1, [{ defId: made.id, text: 'a' }]))).toEqual([
        'UNPROCESSABLE "Prüfbericht" is filled by the counterpart of a connection, who answers it with POST /v1/connections/{id}/shared-fields',
      ]);
    });

    test('every row is NOT_FOUND when the register does not know the unit', async () => {
      const made = await field();
      const written = await own.put(99, [{ defId: made.id, text: 'a' }, { defId: randomUUIDv7() }, { defId: 1 }]);
      expect(errors(written)).toEqual([
        `NOT_FOUND The register has no unit ${unit(99)}`,
        `NOT_FOUND The register has no unit ${unit(99)}`,
        'UNPROCESSABLE defId must be a text',
      ]);
    });
  });

  test('a body that is wrong as a whole is a problem, and nothing is written', async () => {
    const made = await field();
    expectProblem(await own.put(1, 'a'), 400, 'INVALID_BODY');
    const many = Array.from({ length: 51 }, () => ({ defId: made.id }));
    expectProblem(await own.put(1, many), 400, 'TOO_MANY_VALUES');
    expectProblem(await own.put('SEE1', [{ defId: made.id, text: 'a' }]), 400, 'INVALID_PARAMETER');
    expect((await own.put(1, [])).json).toMatchObject({ data: [], meta: { total: 0, failed: 0 } });
  });

  test('writers of one field at the same time are all answered, and the values are those of one of them', async () => {
    const made = await field({ multiple: true });
    const texts = Array.from({ length: 10 }, (_, index) => [`a ${index}`, `b ${index}`]);
    const answers = await Promise.all(
      texts.map((both) =>
        own.put(
          1,
          both.map((text) => ({ defId: made.id, text })),
        ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200));
    expect(answers.flatMap(rowStatuses).filter((status) => status === 'created')).toHaveLength(2);
    expect(texts).toContainEqual(valuesByField(await own.values(1))[made.id]);
  });

  test('a dry run answers as the write would, and changes nothing', async () => {
    const made = await field();
    const inputs = [{ defId: made.id, text: 'a' }, { defId: randomUUIDv7() }];
    const rehearsed = await own.put(1, inputs, { query: 'dryRun=true' });
    expect((await own.values(1)).json.data).toEqual([]);
    const real = await own.put(1, inputs);
    expect(rehearsed.json).toEqual({ ...real.json, meta: { ...real.json.meta, dryRun: true } });
  });

  test('with an Idempotency-Key, a repetition is answered with the first answer and not executed', async () => {
    const made = await field();
    const first = await own.put(1, [{ defId: made.id, text: 'a' }], { once: 'k' });
    await own.put(1, [{ defId: made.id, text: 'b' }]);
    expectReplay(await own.put(1, [{ defId: made.id, text: 'a' }], { once: 'k' }), first);
    expect(valuesByField(await own.values(1))).toEqual({ [made.id]: ['b'] });
    const elsewhere = await own.put(2, [{ defId: made.id, text: 'a' }], { once: 'k' });
    expectProblem(elsewhere, 409, 'IDEMPOTENCY_KEY_REUSED');
  });

  test('the audit log has the write with its key and unit, and none of its values', async () => {
    const made = await field();
    const { row, text: key } = await makeKey(service.store, organisation);
    await ownFields(service, key).put(1, [{ defId: made.id, text: 'Geheimnis' }]);
    const log = await service.get('/v1/audit-log?limit=1', { Authorization: `Bearer ${key}` });
    expect(log.json.data[0]).toMatchObject({
      methode: 'PUT',
      pfad: `/v1/units/${unit(1)}/custom-fields`,
      status: 200,
      schluesselPraefix: row.prefix,
    });
    expect(log.text).not.toContain('Geheimnis');
  });

  test.each([
    ['custom-fields', 'GET', '/v1/custom-fields', 'custom_fields:read'],
    ['values', 'GET', `/v1/units/${unit(1)}/custom-fields`, 'custom_fields:read'],
    ['PUT', 'PUT', `/v1/units/${unit(1)}/custom-fields`, 'custom_fields:write'],
  ])('%s needs its scope and the module workspace', async (_, method, path, scope) => {
    const send = (key: string) =>
      service.send(method, path, {
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(method === 'PUT' ? { body: '{"values":[]}' } : {}),
      });
    const other = scope === 'custom_fields:read' ? 'custom_fields:write' : 'custom_fields:read';
    const narrow = await makeKey(service.store, organisation, { scopes: [other] });
    expectProblem(await send(narrow.text), 403, 'MISSING_SCOPE');
    const poor = await makeOrganisation(service.store, { modules: ['api', 'analysis', 'portfolio', 'connection'] });
    expectProblem(await send((await makeKey(service.store, poor)).text), 403, 'MISSING_MODULE');
    const enough = await makeOrganisation(service.store, { modules: ['api', 'workspace'] });
    expect((await send((await makeKey(service.store, enough, { scopes: [scope] })).text)).status).toBe(200);
  });
});
