import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isSecret } from '../../sql/org/webhooks/secrets.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectProblem, UUID_V7 } from '../support/requests.ts';
import type { ServiceResponse } from '../support/service.ts';
import { ALLOWED_HOST, makeEndpoint } from '../support/webhooks.ts';
import { address, ENDPOINTS, OWN_SECRET, serveEndpoints } from './served-endpoints.ts';

/** Webhook endpoints over HTTP: interface.md, Events, webhooks; decisions.md, 5 and 8. */

const served = serveEndpoints();
const { ask, list, create, change, secretOf, stored, created } = served;

/** A refusal that names one member of the body. */
function expectFault(
  response: ServiceResponse,
  status: number,
  code: Parameters<typeof expectProblem>[2],
  member: string,
) {
  expectProblem(response, status, code);
  expect(response.json.errors).toMatchObject([{ pointer: expect.stringMatching(`^#/${member}(/|$)`), code }]);
}

describe('POST /v1/webhooks/endpoints', () => {
  test('creates an endpoint for all types, and shows a secret that it made', async () => {
    const { status, json } = await create({ url: address('mastr') });
    expect(status).toBe(201);
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(UUID_V7),
        url: address('mastr'),
        description: '',
        eventTypes: ['alert.triggered'],
        schemaVersion: 1,
        disabled: false,
        createdAt: expect.any(String),
        updatedAt: json.data.createdAt,
        secret: expect.any(String),
      },
      meta: { secretShownOnce: true },
    });
    expect(isSecret(json.data.secret)).toBe(true);
    expect(await secretOf(json.data.id)).toBe(json.data.secret);
    expect(await stored()).toMatchObject([{ eventTypes: null, previousSecret: null }]);
  });

  test('takes a description, a selection and a secret of the caller', async () => {
    const body = {
      url: address('x'),
      description: 'Leitwarte\nNord',
      eventTypes: ['alert.triggered'],
      schemaVersion: 2,
      secret: OWN_SECRET,
    };
    const { json } = await create(body);
    expect(json.data).toMatchObject(body);
    expect(await secretOf(json.data.id)).toBe(OWN_SECRET);
    expect(await stored()).toMatchObject([{ eventTypes: ['alert.triggered'] }]);
  });

  test('chooses the form of its events, and another later', async () => {
    const { json } = await create({ url: address('form'), schemaVersion: 2 });
    const { id } = json.data;
    const formAfter = async (body: object) => (await change(id, body)).json.data.schemaVersion;
    expect([
      json.data.schemaVersion,
      await formAfter({ description: 'x' }),
      await formAfter({ schemaVersion: 1 }),
    ]).toEqual([2, 2, 1]);
    expect((await create({ url: address('three'), schemaVersion: 3 })).status).toBe(400);
  });

  test('keeps a url as URLs are normalised', async () => {
    const { json } = await create({ url: `HTTPS://${ALLOWED_HOST.toUpperCase()}:443/a/../b?q=ä` });
    expect(json.data.url).toBe(address('b?q=%C3%A4'));
  });

  test('422: an address that is not https', async () => {
    for (const url of [
      'http://hooks.example.org/x',
      'ftp://hooks.example.org',
      'javascript:alert(1)',
      'localhost:8080',
    ]) {
      expectFault(await create({ url }), 422, 'UNPROCESSABLE', 'url');
    }
  });

  test('422: an address with user, password or fragment', async () => {
    for (const url of [`https://u@${ALLOWED_HOST}/`, `https://u:p@${ALLOWED_HOST}/`, address('#'), address('x#y')]) {
      expectFault(await create({ url }), 422, 'UNPROCESSABLE', 'url');
    }
  });

  test('422: an address that leads into a network that is not public, or nowhere', async () => {
    const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:10.0.0.1]'];
    for (const host of [...hosts, '[fd00::1]', '100.64.0.1', '224.0.0.1', 'localhost', 'printer', 'nas.local', '0']) {
      expectFault(await create({ url: `https://${host}/x` }), 422, 'UNPROCESSABLE', 'url');
    }
    expect(await stored()).toEqual([]);
  });

  test('400: what is no address', async () => {
    const none = [
      '',
      'hooks',
      'https://',
      'hooks.example.org/x',
      '//x.example',
      ` ${address()}`,
      `${address()}\n`,
      5,
      null,
    ];
    for (const url of none) {
      const { status, json } = await create({ url });
      expect([url, status, json.errors?.[0]?.pointer]).toEqual([url, 400, '#/url']);
    }
    expectFault(await create({ url: address('x'.repeat(2_000)) }), 400, 'INVALID_PARAMETER', 'url');
    // Longer only once it is written as URLs are.
    expectFault(await create({ url: address('ä'.repeat(400)) }), 400, 'INVALID_PARAMETER', 'url');
    expect((await create({ url: address('x'.repeat(2_000 - address().length)) })).status).toBe(201);
    expect((await create({})).json.errors).toMatchObject([{ pointer: '#/url' }]);
  });

  test('422: a type that does not exist; 400: none, or no list', async () => {
    const url = address();
    const unknown = await create({ url, eventTypes: ['alert.triggered', 'alert.triggerd'] });
    expectFault(unknown, 422, 'UNPROCESSABLE', 'eventTypes');
    expect(unknown.json.detail).toContain('alert.triggered');
    expectFault(await create({ url, eventTypes: [] }), 400, 'INVALID_PARAMETER', 'eventTypes');
    for (const eventTypes of ['alert.triggered', null, [1], ['']]) {
      expect((await create({ url, eventTypes })).status).toBe(400);
    }
  });

  test('a type that is named twice counts once', async () => {
    await created({ eventTypes: ['alert.triggered', 'alert.triggered'] });
    expect(await stored()).toMatchObject([{ eventTypes: ['alert.triggered'] }]);
  });

  test('400: a description of more than 500 characters, or with what cannot be stored', async () => {
    const url = address();
    for (const description of ['x'.repeat(501), 'a\0b', '\ud800', 1, null]) {
      expect((await create({ url, description })).status).toBe(400);
    }
    expect((await create({ url, description: 'x'.repeat(500) })).status).toBe(201);
  });

  test('400: a secret that is none, and the answer does not repeat it', async () => {
    const secret = `whsec_${Buffer.alloc(23, 9).toString('base64')}`;
    const response = await create({ url: address(), secret });
    expectFault(response, 400, 'INVALID_PARAMETER', 'secret');
    expect(response.text).not.toContain(secret.slice(6));
    for (const other of ['', 'whsec_', 'geheim', OWN_SECRET.slice(6), 7, null]) {
      expect((await create({ url: address(), secret: other })).status).toBe(400);
    }
  });

  test('409: a url that another endpoint has, however it is written', async () => {
    const { id } = await created({ url: address('mastr') });
    for (const url of [address('mastr'), `https://${ALLOWED_HOST.toUpperCase()}:443/./mastr`]) {
      const response = await create({ url });
      expectProblem(response, 409, 'CONFLICT');
      expect(response.json.detail).toContain(id);
    }
  });

  test('422: the twenty-first', async () => {
    for (let index = 0; index < 20; index++) await makeEndpoint(served.service.store, served.organisation);
    expectProblem(await create({ url: address('21') }), 422, 'UNPROCESSABLE');
    const [{ id }] = (await list()).json.data;
    await ask('DELETE', `${ENDPOINTS}/${id}`);
    expect((await create({ url: address('21') })).status).toBe(201);
  });

  test('of many at once, one has the url, and no more than twenty are there', async () => {
    const same = await Promise.all(Array.from({ length: 8 }, () => create({ url: address('one') })));
    expect(same.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    const others = await Promise.all(Array.from({ length: 25 }, (_, index) => create({ url: address(`${index}`) })));
    expect(others.map(({ status }) => status).sort()).toEqual([...Array(19).fill(201), ...Array(6).fill(422)]);
    expect(await stored()).toHaveLength(20);
  });
});

describe('GET /v1/webhooks/endpoints', () => {
  test('lists all endpoints, the oldest first, with the types there are and without secrets', async () => {
    expect((await list()).json).toEqual({ data: [], meta: { count: 0, knownEventTypes: ['alert.triggered'] } });
    const [first, second] = [await created(), await created()];
    const { json, text } = await list();
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([first.id, second.id]);
    expect(json.meta).toEqual({ count: 2, knownEventTypes: ['alert.triggered'] });
    expect(Object.keys(json.data[0])).toEqual([
      'id',
      'url',
      'description',
      'eventTypes',
      'schemaVersion',
      'disabled',
      'createdAt',
      'updatedAt',
    ]);
    expect(text).not.toContain('whsec_');
  });
});

describe('GET /v1/webhooks/endpoints/{id}', () => {
  test('shows the same as the list', async () => {
    const { id } = await created();
    const { json } = await ask('GET', `${ENDPOINTS}/${id}`);
    expect(json).toEqual({ data: (await list()).json.data[0], meta: {} });
    expect((await ask('GET', `${ENDPOINTS}/${id.toUpperCase()}`)).json).toEqual(json);
  });

  test.each([
    ['GONE', 'GONE'],
    ['FAILING', 'FAILING'],
    ['MANUAL', undefined],
  ] as const)('says why it is disabled only where the service did it: %s', async (disabledReason, shown) => {
    const disabledAt = new Date().toISOString();
    const { id } = await makeEndpoint(served.service.store, served.organisation, {
      disabled: true,
      disabledReason,
      disabledAt,
    });
    const { data } = (await ask('GET', `${ENDPOINTS}/${id}`)).json;
    expect([data.disabled, data.disabledReason]).toEqual([true, shown]);
  });
});

describe('PATCH /v1/webhooks/endpoints/{id}', () => {
  test('changes what is named, and nothing else', async () => {
    const { id, secret } = await created({ description: 'alt' });
    const before = (await ask('GET', `${ENDPOINTS}/${id}`)).json.data;
    const { status, json } = await change(id, { description: 'neu' });
    expect([status, json]).toEqual([
      200,
      { data: { ...before, description: 'neu', updatedAt: expect.any(String) }, meta: {} },
    ]);
    expect(json.data.updatedAt > before.updatedAt).toBe(true);
    const moved = (await change(id, { url: address('anders'), eventTypes: ['alert.triggered'] })).json.data;
    expect(moved).toMatchObject({ description: 'neu', url: address('anders'), eventTypes: ['alert.triggered'] });
    expect(await stored()).toMatchObject([{ eventTypes: ['alert.triggered'] }]);
    expect(await secretOf(id)).toBe(secret);
  });

  test('leaves everything as it is, updatedAt included, where nothing changes', async () => {
    const { id } = await created();
    const before = (await ask('GET', `${ENDPOINTS}/${id}`)).json;
    const url = before.data.url;
    for (const body of [{}, { url }, { description: '', disabled: false }]) {
      expect((await change(id, body)).json).toEqual(before);
    }
  });

  test('disables and enables; endpoint and secret stay', async () => {
    const { id, secret } = await created();
    expect((await change(id, { disabled: true })).json.data).toMatchObject({ disabled: true });
    expect(await stored()).toMatchObject([{ disabledReason: 'MANUAL', disabledAt: expect.any(String) }]);
    expect((await change(id, { disabled: false })).json.data).toMatchObject({ disabled: false });
    expect(await stored()).toMatchObject([{ disabledReason: null, disabledAt: null }]);
    expect(await secretOf(id)).toBe(secret);
  });

  test('enables what the service had disabled, and what failed before no longer counts', async () => {
    const at = new Date().toISOString();
    const gone = { disabled: true, disabledReason: 'FAILING', disabledAt: at, failingSince: at } as const;
    const { id } = await makeEndpoint(served.service.store, served.organisation, gone);
    const { data } = (await change(id, { disabled: false })).json;
    expect([data.disabled, 'disabledReason' in data]).toEqual([false, false]);
    expect(await stored()).toMatchObject([{ failingSince: null }]);
  });

  test('what failed at another address does not count at a new one', async () => {
    const { id } = await makeEndpoint(served.service.store, served.organisation, {
      failingSince: new Date().toISOString(),
    });
    await change(id, { description: 'x' });
    expect(await stored()).toMatchObject([{ failingSince: expect.any(String) }]);
    await change(id, { url: address('neu') });
    expect(await stored()).toMatchObject([{ failingSince: null }]);
  });

  test('400 and 422 for the same faults as a new endpoint, and then nothing is changed', async () => {
    const { id } = await created();
    const other = await makeEndpoint(served.service.store, served.organisation);
    const before = await stored();
    const faults: [object, number, string][] = [
      [{ url: 'https://10.1.2.3/' }, 422, 'url'],
      [{ url: 'http://hooks.example.org/' }, 422, 'url'],
      [{ url: other.url }, 422, 'url'],
      [{ url: 'hooks' }, 400, 'url'],
      [{ eventTypes: ['x'] }, 422, 'eventTypes'],
      [{ eventTypes: [] }, 400, 'eventTypes'],
      [{ description: null }, 400, 'description'],
      [{ disabled: 'true' }, 400, 'disabled'],
      [{ secret: OWN_SECRET }, 400, 'secret'],
      [{ disabledReason: 'MANUAL' }, 400, 'disabledReason'],
    ];
    for (const [body, status, member] of faults) {
      const response = await change(id, { description: 'neu', ...body });
      expect([body, response.status]).toEqual([body, status]);
      expect(response.json.errors[0].pointer).toMatch(`#/${member}`);
    }
    expect(await stored()).toEqual(before);
  });

  test('of several at once that want one url, one gets it', async () => {
    const ids = (await Promise.all(Array.from({ length: 6 }, () => created()))).map(({ id }) => id);
    const answers = await Promise.all(ids.map((id) => change(id, { url: address('begehrt') })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
  });
});

describe('DELETE /v1/webhooks/endpoints/{id}', () => {
  test('removes it for good', async () => {
    const { id } = await created();
    const { status, json } = await ask('DELETE', `${ENDPOINTS}/${id}`);
    expect([status, json]).toEqual([200, { data: null, meta: { deleted: id } }]);
    expectProblem(await ask('DELETE', `${ENDPOINTS}/${id}`), 404, 'NOT_FOUND');
    expect(await stored()).toEqual([]);
  });
});

describe('an endpoint of another organisation', () => {
  const ASKED = [
    ['GET', '', undefined],
    ['PATCH', '', { description: 'x' }],
    ['PATCH', '', { url: 'https://127.0.0.1/' }],
    ['DELETE', '', undefined],
    ['GET', '/secret', undefined],
    ['POST', '/secret', {}],
  ] as const;

  test.each(ASKED)(
    '%s%s %j: 404, to the byte like an id that does not exist or is none',
    async (method, path, body) => {
      const other = await makeEndpoint(served.service.store, (await makeOrganisation(served.service.store)).id);
      const answers = [];
      for (const id of [other.id, randomUUIDv7(), 'x', '%00', `${other.id}0`]) {
        const response = await ask(method, `${ENDPOINTS}/${id}${path}`, body);
        expectProblem(response, 404, 'NOT_FOUND');
        answers.push(response.text.replace(response.json.instance, ''));
      }
      expect(new Set(answers).size).toBe(1);
    },
  );

  test('does not keep its url from anybody', async () => {
    const other = await makeEndpoint(served.service.store, (await makeOrganisation(served.service.store)).id);
    expect((await create({ url: other.url })).status).toBe(201);
  });
});

describe('scopes and limits', () => {
  test('webhooks:read sees endpoints, and neither changes them nor reads their secrets', async () => {
    const { id } = await makeEndpoint(served.service.store, served.organisation);
    const reader = (await makeKey(served.service.store, { id: served.organisation }, { scopes: ['webhooks:read'] }))
      .text;
    const as = (method: string, path: string, body?: unknown) => ask(method, `${ENDPOINTS}${path}`, body, reader);
    expect((await as('GET', '')).status).toBe(200);
    expect((await as('GET', `/${id}`)).status).toBe(200);
    for (const response of [
      await as('POST', '', { url: address() }),
      await as('PATCH', `/${id}`, { disabled: true }),
      await as('DELETE', `/${id}`),
      await as('GET', `/${id}/secret`),
      await as('POST', `/${id}/secret`, {}),
    ])
      expectProblem(response, 403, 'MISSING_SCOPE');
  });

  test('without webhooksEnabled everything can be read, described, disabled and deleted, and nothing else', async () => {
    const made = await makeOrganisation(served.service.store, { limits: { webhooksEnabled: false } });
    const { id } = await makeEndpoint(served.service.store, made.id);
    const { text } = await makeKey(served.service.store, made);
    const as = (method: string, path: string, body?: unknown) => ask(method, `${ENDPOINTS}${path}`, body, text);
    for (const path of ['', `/${id}`, `/${id}/secret`]) expect((await as('GET', path)).status).toBe(200);
    for (const response of [
      await as('POST', '', { url: address('neu') }),
      await as('PATCH', `/${id}`, { url: address('anders') }),
      await as('PATCH', `/${id}`, { eventTypes: ['alert.triggered'] }),
      await as('PATCH', `/${id}`, { disabled: false }),
      await as('POST', `/${id}/secret`, {}),
    ]) {
      expectProblem(response, 403, 'MISSING_MODULE');
      expect(response.json.detail).toContain('webhooksEnabled');
    }
    const { json } = await as('PATCH', `/${id}`, { description: 'ruht', disabled: true });
    expect(json.data).toMatchObject({ description: 'ruht', disabled: true });
    expect((await as('DELETE', `/${id}`)).status).toBe(200);
  });
});
