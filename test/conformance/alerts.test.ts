import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeAlert } from '../support/alerts.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { entry, portfolioOf, unit } from '../support/portfolio.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { saveFilter } from '../support/saved-filters.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/** Alerts under /v1: what an organisation is told of. What they find is in alert-story.test.ts. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

let organisation: { readonly id: string };
let key: string;
beforeEach(async () => {
  const made = await makeOrganisation(service.store, {
    modules: ['api', 'analysis'],
    signals: ['neu_registriert', 'grossspeicher'],
    limits: { maxAlerts: 3 },
  });
  organisation = made;
  key = (await makeKey(service.store, made)).text;
});

const send = (method: string, path: string, body?: object, caller = key) =>
  service.send(method, `/v1/alerts${path}`, {
    headers: { ...withKey(caller), 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const list = async () => (await send('GET', '')).json;
const NEW = { name: 'Speicher', template: 'NEW_UNIT', criteria: { einheitTyp: ['storage'], leistungMinKw: 1000 } };
const create = async (body: object = NEW) => (await send('POST', '', body)).json.data;

describe('a new alert', () => {
  test('has what was sent, is evaluated from now on, and is listed', async () => {
    const { status, json } = await send('POST', '', NEW);
    expect(status).toBe(201);
    const { id, createdAt, ...members } = json.data;
    expect(members).toEqual({
      ...NEW,
      ...{ signals: [], fields: [], savedFilterId: null, enabled: true, fault: null, faultySince: null },
      ...{ enabledAt: createdAt, updatedAt: createdAt, emailCount: 0 },
    });
    expect(await list()).toEqual({ data: [{ ...json.data, emails: [] }], meta: { count: 1, sendsEmails: false } });
  });

  test('may ask every unit, by a saved filter, or wait to be enabled', async () => {
    expect((await create({ name: 'Alle', template: 'NEW_UNIT' })).criteria).toEqual({});
    const { id } = await saveFilter(service.store, organisation.id, { criteria: { einheitTyp: ['wind'] } });
    const asked = await create({ name: 'Wind', template: 'NEW_UNIT', savedFilterId: id });
    expect([asked.criteria, asked.savedFilterId]).toEqual([null, id]);
    const signals = ['grossspeicher', 'grossspeicher'];
    const waiting = await create({ name: 'S', template: 'SIGNAL_CHANGE', signals, enabled: false });
    expect([waiting.signals, waiting.enabled]).toEqual([['grossspeicher'], false]);
  });

  test('may tell of units whose values cannot be right', async () => {
    const booked = await makeOrganisation(service.store, {
      modules: ['api', 'analysis'],
      signals: ['daten_auffaellig'],
    });
    const caller = (await makeKey(service.store, booked)).text;
    const criteria = { netzbetreiber: ['SNB900000000001'] };
    const alert = { name: 'Meine', template: 'SIGNAL_CHANGE', signals: ['daten_auffaellig'], criteria };
    const { status, json } = await send('POST', '', alert, caller);
    expect([status, json.data.signals, json.data.enabled]).toEqual([201, ['daten_auffaellig'], true]);
  });

  test('may tell of fields that change, of another state, and of commissioning', async () => {
    const fields = ['betreiberMastrNummer', 'bruttoleistungKw', 'bruttoleistungKw'];
    const watching = await create({ name: 'Felder', template: 'FIELD_CHANGE', fields });
    expect([watching.template, watching.fields]).toEqual(['FIELD_CHANGE', fields.slice(0, 2)]);
    const path = `/${watching.id}`;
    expect((await send('PATCH', path, { fields: ['betriebsStatus'] })).json.data.fields).toEqual(['betriebsStatus']);
    expect((await send('PATCH', path, { template: 'STATUS_CHANGE' })).json.data).toMatchObject({ fields: [] });
    expect((await create({ name: 'Betrieb', template: 'COMMISSIONED' })).fields).toEqual([]);
  });

  test.each([
    ['fields that nothing watches', { ...NEW, fields: ['name'] }, 422, '#/fields'],
    ['no field to watch', { name: 'F', template: 'FIELD_CHANGE' }, 422, '#/fields'],
    ['signals that nothing watches', { ...NEW, signals: ['grossspeicher'] }, 422, '#/signals'],
    ['nothing to watch', { name: 'S', template: 'SIGNAL_CHANGE' }, 422, '#/signals'],
    ['criteria and a filter', { ...NEW, savedFilterId: randomUUIDv7() }, 422, '#/savedFilterId'],
    ['an unknown template', { ...NEW, template: 'NEW' }, 400, '#/template'],
    ['criteria that are none', { ...NEW, criteria: { einheitTyp: ['wint'] } }, 400, '#/criteria/einheitTyp/0'],
    ['whatever is not in the portfolio', { ...NEW, criteria: { portfolio: false } }, 400, '#/criteria/portfolio'],
    ['the name of an id', { ...NEW, name: randomUUIDv7() }, 400, '#/name'],
  ])('%s is refused with its place', async (_, body, status, pointer) => {
    const answer = await send('POST', '', body);
    expect([answer.status, answer.json.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([
      status,
      [pointer],
    ]);
    expect((await list()).meta.count).toBe(0);
  });

  test.each([
    ['a signal that is not booked', { name: 'S', template: 'SIGNAL_CHANGE', signals: ['repowering_kandidat'] }],
    ['a field that there is not', { name: 'F', template: 'FIELD_CHANGE', fields: ['nichts'] }],
    ['a field that turns with the day', { name: 'F', template: 'FIELD_CHANGE', fields: ['ibnVerspaetungTage'] }],
    ['signals as a field', { name: 'F', template: 'FIELD_CHANGE', fields: ['signals'] }],
    ['a field of a module that is not booked', { name: 'F', template: 'FIELD_CHANGE', fields: ['eegFoerderende'] }],
    ['the portfolio, whose module is not booked', { ...NEW, criteria: { portfolio: true } }],
    ['a filter of a module that is not booked', { ...NEW, criteria: { eegAbleitbarkeit: ['exakt'] } }],
    ['a saved filter that there is not', { name: 'F', template: 'NEW_UNIT', savedFilterId: randomUUIDv7() }],
  ])('%s cannot be asked', async (_, body) => {
    expectProblem(await send('POST', '', body), 422, 'UNPROCESSABLE');
  });

  test('may be about the own portfolio, for keys that read it', async () => {
    const own = await makeOrganisation(service.store, { modules: ['api', 'portfolio'] });
    const other = await makeOrganisation(service.store, { modules: ['api', 'portfolio'] });
    const caller = (await makeKey(service.store, own)).text;
    for (const [holder, number] of [
      [caller, 1],
      [(await makeKey(service.store, other)).text, 2],
    ] as const)
      await portfolioOf(service, holder).put([entry(number)]);
    const body = { name: 'Eigene', template: 'NEW_UNIT', criteria: { portfolio: true } };
    const made = await send('POST', '', body, caller);
    expect([made.status, made.json.data.criteria, made.json.data.fault]).toEqual([201, body.criteria, null]);
    const path = `/${made.json.data.id}`;
    const tried = await send('POST', `${path}/test`, { via: 'ANSWER' }, caller);
    expect(tried.json.data).toMatchObject({ matchCount: 1, matches: [{ mastrNummer: unit(1) }] });

    const scopes = ['alerts:read', 'alerts:write'];
    const limited = (await makeKey(service.store, own, { scopes })).text;
    expectProblem(await send('POST', '', { ...body, name: 'B' }, limited), 403, 'MISSING_SCOPE');
    expectProblem(await send('POST', `${path}/test`, { via: 'ANSWER' }, limited), 403, 'MISSING_SCOPE');
    expectProblem(
      await send('PATCH', path, { template: 'SIGNAL_CHANGE', signals: ['grossspeicher'] }, limited),
      403,
      'MISSING_SCOPE',
    );
    expect((await send('PATCH', path, { enabled: false }, limited)).status).toBe(200);
  });

  test('has a name of its own, and a place within the limit', async () => {
    await create();
    expectProblem(await send('POST', '', NEW), 409, 'CONFLICT');
    for (const name of ['B', 'C']) await create({ ...NEW, name });
    const refused = await send('POST', '', { ...NEW, name: 'D' });
    expectProblem(refused, 422, 'UNPROCESSABLE');
    expect(refused.json.detail).toContain('maxAlerts is 3');
  });
});

describe('units that an alert names, and that are served already', () => {
  const SERVED = ['SEE900000000001', 'SEE900000000002'];
  const hintFor = async (mastrNummern: readonly string[], more: object = {}) =>
    (await send('POST', '', { name: 'Bestimmte', template: 'NEW_UNIT', criteria: { mastrNummern }, ...more })).json
      .meta;

  test('all of them: the alert can never fire', async () => {
    expect(await hintFor(SERVED)).toEqual({
      hinweise: [
        {
          ...{ parameter: 'template', wert: 'NEW_UNIT', vorschlag: 'SIGNAL_CHANGE' },
          hinweis: expect.stringMatching(/^It can never fire: .* all 2 that it names are served already/),
        },
      ],
    });
  });

  test('some of them: it says nothing of these', async () => {
    const { hinweise } = await hintFor([...SERVED, 'SEE999999999999']);
    expect(hinweise[0].hinweis).toMatch(/^2 of the 3 units that it names are served already/);
  });

  test('by a saved filter, and after a change, too', async () => {
    const { id } = await saveFilter(service.store, organisation.id, { criteria: { mastrNummern: SERVED } });
    const alert = await create({ name: 'Alle', template: 'NEW_UNIT' });
    expect((await send('PATCH', `/${alert.id}`, { savedFilterId: id })).json.meta.hinweise).toHaveLength(1);
  });

  test('none of them, or a disabled alert: nothing to say', async () => {
    expect(await hintFor(['SEE999999999999'])).toEqual({});
    expect(await hintFor(SERVED, { name: 'Aus', enabled: false })).toEqual({});
  });
});

describe('a change', () => {
  const longAgo = '2026-01-01T00:00:00.000Z';
  const old = { enabledAt: longAgo, createdAt: longAgo, updatedAt: longAgo };

  test('of the name leaves from when on it is evaluated, and its fault', async () => {
    const { id } = await makeAlert(service.store, organisation, { ...old, fault: 'Kaputt', faultySince: longAgo });
    const { data } = (await send('PATCH', `/${id}`, { name: 'Neuer Name' })).json;
    expect(data).toMatchObject({ name: 'Neuer Name', enabledAt: longAgo, fault: 'Kaputt', faultySince: longAgo });
    expect(data.updatedAt > longAgo).toBe(true);
  });

  test('of what it asks begins anew, without its fault', async () => {
    const { id } = await makeAlert(service.store, organisation, { ...old, fault: 'Kaputt', faultySince: longAgo });
    const { data } = (await send('PATCH', `/${id}`, { criteria: { einheitTyp: ['wind'] } })).json;
    expect(data).toMatchObject({ criteria: { einheitTyp: ['wind'] }, fault: null, faultySince: null });
    expect(data.enabledAt > longAgo).toBe(true);
  });

  test('disables, also what is faulty, and enables from now on', async () => {
    const { id } = await makeAlert(service.store, organisation, {
      ...old,
      template: 'SIGNAL_CHANGE',
      signals: ['repowering_kandidat'],
    });
    const disabled = (await send('PATCH', `/${id}`, { enabled: false })).json.data;
    expect([disabled.enabled, disabled.enabledAt, disabled.fault]).toEqual([false, longAgo, expect.any(String)]);
    expectProblem(await send('PATCH', `/${id}`, { enabled: true }), 422, 'UNPROCESSABLE');
    const enabled = (await send('PATCH', `/${id}`, { enabled: true, signals: ['grossspeicher'] })).json.data;
    expect([enabled.enabled, enabled.enabledAt > longAgo]).toEqual([true, true]);
  });

  test('of nothing changes nothing', async () => {
    const alert = await makeAlert(service.store, organisation, old);
    for (const body of [{}, { name: alert.name, enabled: true, criteria: {} }])
      expect((await send('PATCH', `/${alert.id}`, body)).json.data).toMatchObject(old);
  });
});

test('a deleted alert is gone', async () => {
  const { id } = await create();
  expect((await send('DELETE', `/${id}`)).json).toEqual({ data: null, meta: { deleted: id } });
  expectProblem(await send('DELETE', `/${id}`), 404, 'NOT_FOUND');
  expect((await list()).data).toEqual([]);
});

test('an alert of another organisation, or with another id, is not found', async () => {
  const foreign = await makeAlert(service.store, await makeOrganisation(service.store));
  for (const id of [foreign.id, randomUUIDv7(), 'abc']) {
    expectProblem(await send('PATCH', `/${id}`, { enabled: false }), 404, 'NOT_FOUND');
    expectProblem(await send('DELETE', `/${id}`), 404, 'NOT_FOUND');
  }
});

test('reading and writing need scopes of their own', async () => {
  const { text: reader } = await makeKey(service.store, organisation, { scopes: ['alerts:read'] });
  expect((await send('GET', '', undefined, reader)).status).toBe(200);
  expectProblem(await send('POST', '', NEW, reader), 403, 'MISSING_SCOPE');
  const { text: writer } = await makeKey(service.store, organisation, { scopes: ['alerts:write'] });
  expectProblem(await send('GET', '', undefined, writer), 403, 'MISSING_SCOPE');
});
