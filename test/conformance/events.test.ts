import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runJob } from '../../api/jobs/jobs.ts';
import { readSettings } from '../../runtime/settings.ts';
import { sql } from '../../sql/org/statement.ts';
import { cases } from '../support/cases.ts';
import { addAlertEvent, storeAlertEvent } from '../support/events.ts';
import { makeCaller, makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveSharedFixture } from '../support/service.ts';

/** GET /v1/events: interface.md, Events. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

let organisation: { readonly id: string };
let key: string;
beforeEach(async () => {
  organisation = await makeOrganisation(service.store);
  key = (await makeKey(service.store, organisation)).text;
});

type Choices = Parameters<typeof storeAlertEvent>[2];

const list = (query = '', as = key) => service.get(`/v1/events?${query}`, withKey(as));
const readOn = ({ json }: ServiceResponse, query = '') => list(`${query}&cursor=${json.meta.cursor}`);
const idsOf = ({ json }: ServiceResponse): string[] => json.data.map(({ eventId }: { eventId: string }) => eventId);
const run = (statement: ReturnType<typeof sql>) => service.store.asOperator((session) => session.run(statement));
const add = (choices?: Choices) => storeAlertEvent(service.store, organisation, choices);

/** Stores so many events, one after the other. */
async function addMany(count: number): Promise<{ readonly id: string; readonly occurredAt: string }[]> {
  const events = [];
  while (events.length < count) events.push(await add());
  return events;
}

/** Lets the first events of the organisation, up to this number, have happened 31 days ago. */
const makeOld = (upTo: number) =>
  run(sql`UPDATE events SET occurred_at = occurred_at - interval '31 days'
    WHERE organisation_id = ${organisation.id}::uuid AND number <= ${upTo}`);

const sweep = () => runJob('sweep', service.store, readSettings({}));

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

describe('an event', () => {
  test('says which alert found which units, and where they are', async () => {
    const alert = { id: randomUUIDv7(), name: 'Neue Speicher', template: 'NEW_UNIT' } as const;
    const { id, occurredAt } = await add({ alert, mastrNumbers: ['SEE900000000001', 'SEE900000000003'] });
    const self = `https://api.example/v1/units?eventId=${id}`;
    expect((await list()).json.data).toEqual([
      {
        eventId: id,
        type: 'alert.triggered',
        occurredAt,
        data: {
          schemaVersion: 1,
          alert,
          matchCount: 2,
          matches: [{ mastrNummer: 'SEE900000000001' }, { mastrNummer: 'SEE900000000003' }],
          truncated: false,
          resultsUrl: `https://api.example/app/einheiten?eventId=${id}`,
          links: { self, map: `https://api.example/app/karte?eventId=${id}` },
        },
      },
    ]);
  });

  test('has the bytes that are delivered', async () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a"b\\c/<>&', '\u2028 \u0000 \ud800', '{"__proto__": 1}', 'Überlandwerk 🌬️'),
    );
    const alerts = fc
      .sample(texts, cases(20))
      .map((name) => ({ id: randomUUIDv7(), name, template: 'SIGNAL_CHANGE' }) as const);
    await service.store.asOperator(async (session) => {
      for (const alert of alerts) await addAlertEvent(session, organisation, { alert });
    });
    const stored = await service.store.autocommit(
      z.strictObject({ payload: z.string() }),
      sql`SELECT payload FROM events WHERE organisation_id = ${organisation.id}::uuid ORDER BY number`,
    );
    const { text } = await list('limit=250');
    const data = `{"data":[${stored.map(({ payload }) => payload).join(',')}],`;
    expect(text.slice(0, data.length)).toBe(data);
  });

  test('names a hundred units at most, and counts all', async () => {
    const mastrNumbers = Array.from({ length: 101 }, (_, index) => `SEE9${String(index).padStart(11, '0')}`);
    await add({ mastrNumbers });
    const { data } = (await list()).json.data[0];
    expect([data.matches.length, data.truncated, data.matchCount]).toEqual([100, true, 101]);
    expect(data.matches.at(-1)).toEqual({ mastrNummer: mastrNumbers[99] });
  });
});

describe('who may read', () => {
  test('an organisation sees its own events only', async () => {
    const { id } = await add();
    await storeAlertEvent(service.store, await makeOrganisation(service.store));
    expect(idsOf(await list())).toEqual([id]);
  });

  test('needs no module but api', async () => {
    expect((await list('', await makeCaller(service.store, { modules: ['api'] }))).status).toBe(200);
  });

  test('needs the scope events:read', async () => {
    const { text } = await makeKey(service.store, organisation, { scopes: ['units:read', 'webhooks:manage'] });
    expectProblem(await list('', text), 403, 'MISSING_SCOPE');
  });
});

describe('pages', () => {
  test('begin with the oldest event, have a Link while another page follows, and always a cursor', async () => {
    const ids = (await addMany(3)).map(({ id }) => id);
    const first = await list('limit=2');
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    const { cursor } = first.json.meta;
    const meta = { count: 2, hasMore: true, cursor: expect.any(String), truncated: false, retentionDays: 30 };
    expect(first.json.meta).toEqual(meta);
    const address = `${service.url}/v1/events?limit=2`;
    expect(first.headers.get('link')).toBe(`<${address}&cursor=${cursor}>; rel="next"`);
    const last = await readOn(first, 'limit=2');
    expect(idsOf(last)).toEqual(ids.slice(2));
    expect(last.json.meta).toEqual({ ...meta, count: 1, hasMore: false });
    expect(last.headers.get('link')).toBe(`<${address}>; rel="first"`);
  });

  test('have a cursor also before the first event, which reads later events', async () => {
    const nothing = await list();
    expect(nothing.json).toEqual({
      data: [],
      meta: { count: 0, hasMore: false, cursor: expect.any(String), truncated: false, retentionDays: 30 },
    });
    const still = await readOn(nothing);
    expect(idsOf(still)).toEqual([]);
    const { id } = await add();
    expect(idsOf(await readOn(still))).toEqual([id]);
    expect(idsOf(await readOn(nothing))).toEqual([id]);
  });

  test('of any size read each event once, in the order of their times, whatever happens in between', async () => {
    const turns = fc.array(fc.record({ limit: fc.integer({ min: 1, max: 4 }), more: fc.nat(4) }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(turns, async (drawn) => {
        organisation = await makeOrganisation(service.store);
        key = (await makeKey(service.store, organisation)).text;
        const stored: { id: string; occurredAt: string }[] = [];
        const read: string[] = [];
        let page: ServiceResponse | null = null;
        const next = async (limit: number): Promise<ServiceResponse> => {
          const found = page === null ? await list(`limit=${limit}`) : await readOn(page, `limit=${limit}`);
          read.push(...idsOf(found));
          page = found;
          return found;
        };
        for (const { limit, more } of drawn) {
          await next(limit);
          stored.push(...(await addMany(more)));
        }
        while ((await next(3)).json.meta.hasMore);
        expect(read).toEqual(stored.map(({ id }) => id));
        const times = stored.map(({ occurredAt }) => occurredAt);
        expect(times).toEqual([...new Set(times)].sort());
      }),
      { numRuns: cases(8) },
    );
  });

  test('end after 10,000 events, and the cursor goes on with the next', async () => {
    const { id } = await add();
    await run(sql`
      INSERT INTO events (id, organisation_id, number, type, occurred_at, payload, mastr_numbers)
      SELECT gen_random_uuid(), organisation_id, n, type, occurred_at + n * interval '1 millisecond', payload, '{}'
      FROM events, generate_series(2, 10300) n WHERE id = ${id}::uuid`);
    await run(sql`UPDATE event_counters SET last_number = 10300 WHERE organisation_id = ${organisation.id}::uuid`);
    let page = await list('limit=250');
    let count = page.json.data.length;
    while (page.json.meta.hasMore) {
      page = await readOn(page, 'limit=250');
      count += page.json.data.length;
    }
    expect([count, page.json.meta.truncated]).toEqual([10_000, true]);
    expect(page.headers.get('link')).not.toContain('next');
    const beyond = await readOn(page, 'limit=250');
    expect(beyond.json.meta).toMatchObject({ count: 250, hasMore: true, truncated: false });
    expect((await readOn(beyond, 'limit=250')).json.meta).toMatchObject({ count: 50, hasMore: false });
  });

  test('have a cursor that belongs to the organisation, to the type, and to this list', async () => {
    await addMany(2);
    const page = await list('limit=1');
    const other = await makeCaller(service.store);
    const { cursor } = page.json.meta;
    expectProblem(await list(`cursor=${cursor}`, other), 400, 'INVALID_CURSOR');
    expectProblem(await list(`type=alert.triggered&cursor=${cursor}`), 400, 'INVALID_CURSOR');
    expectProblem(await service.get(`/v1/audit-log?cursor=${cursor}`, withKey(key)), 400, 'INVALID_CURSOR');
    expectProblem(await list(`cursor=${cursor.slice(0, -3)}abc`), 400, 'INVALID_CURSOR');
  });
});

describe('since', () => {
  test('begins with the events of this moment, in any notation of it', async () => {
    const [, second, third] = await addMany(3);
    const at = second!.occurredAt;
    const inBerlin = new Date(Date.parse(at) + 3_600_000).toISOString().replace('Z', '%2B01:00');
    for (const since of [at, inBerlin]) expect(idsOf(await list(`since=${since}`))).toEqual([second!.id, third!.id]);
    const after = new Date(Date.parse(at) + 1).toISOString();
    expect(idsOf(await list(`since=${after}`))).toEqual([third!.id]);
  });

  test('has no effect beside a cursor, is not part of its question, and is left out of Link', async () => {
    const [first, second] = await addMany(2);
    const page = await list(`limit=1&since=${first!.occurredAt}`);
    expect(page.headers.get('link')).toBe(
      `<${service.url}/v1/events?limit=1&cursor=${page.json.meta.cursor}>; rel="next"`,
    );
    for (const since of ['', '&since=2020-01-01T00:00:00Z', '&since=2090-01-01T00:00:00Z']) {
      expect(idsOf(await readOn(page, since))).toEqual([second!.id]);
    }
  });

  test('gives an empty page after the last event, with a cursor that reads later ones', async () => {
    await addMany(2);
    for (const since of [
      new Date(Date.now() + 1000).toISOString(),
      '2090-01-01T00:00:00Z',
      '9999-12-31T23:59:59-23:59',
    ]) {
      const page = await list(`since=${since}`);
      expect([page.status, page.json.meta.count, page.json.meta.hasMore]).toEqual([200, 0, false]);
      const { id } = await add();
      expect(idsOf(await readOn(page))).toEqual([id]);
    }
  });

  test('is refused for a moment before the events that are kept, as some may be missing', async () => {
    await add();
    for (const since of [daysAgo(30.001), '0001-01-01T00:00:00Z']) {
      const response = await list(`since=${since}`);
      expectProblem(response, 422, 'UNPROCESSABLE');
      expect(response.json.errors).toMatchObject([{ parameter: 'since', detail: expect.stringContaining('30 days') }]);
    }
    expect((await list(`since=${daysAgo(29.999)}`)).json.meta.count).toBe(1);
  });

  test.each(['gestern', '2026-11-01', '2026-11-01T00:00:00', '1764000000', ''])(
    'is a moment: not %j',
    async (since) => {
      expectProblem(await list(`since=${since}`), 400, 'INVALID_PARAMETER');
    },
  );
});

describe('type', () => {
  test('narrows the list to events of this type', async () => {
    const [event] = await addMany(1);
    const page = await list('type=alert.triggered');
    expect(idsOf(page)).toEqual([event!.id]);
    const { id } = await add();
    expect(idsOf(await readOn(page, 'type=alert.triggered'))).toEqual([id]);
  });

  test('does not hold the cursor up: it goes on after the events of other types, too', async () => {
    await addMany(2);
    await run(sql`UPDATE events SET type = 'of.a.later.release' WHERE organisation_id = ${organisation.id}::uuid`);
    const page = await list('type=alert.triggered');
    expect(idsOf(page)).toEqual([]);
    await makeOld(2);
    await sweep();
    const { id } = await add();
    expect(idsOf(await readOn(page, 'type=alert.triggered'))).toEqual([id]);
  });

  test.each(['alert.resolved', 'ALERT.TRIGGERED', 'ping', 'alert.triggered,ping'])('%s is unknown', async (type) => {
    const response = await list(`type=${type}`);
    expectProblem(response, 422, 'UNPROCESSABLE');
    expect(response.json.errors).toMatchObject([
      { parameter: 'type', detail: expect.stringContaining('there is alert.triggered') },
    ]);
  });

  test('is looked at after the form of the other parameters', async () => {
    expectProblem(await list('type=ping&limit=0'), 400, 'INVALID_PARAMETER');
  });
});

describe('after 30 days', () => {
  const rowsOf = async (table: string): Promise<number> => {
    const counted = z.strictObject({ n: z.int() });
    const tables = {
      events: sql`events`,
      webhook_deliveries: sql`webhook_deliveries`,
      webhook_attempts: sql`webhook_attempts`,
    };
    const [row] = await service.store.autocommit(
      counted,
      sql`SELECT count(*) AS n FROM ${tables[table as keyof typeof tables]} WHERE organisation_id = ${organisation.id}::uuid`,
    );
    return row!.n;
  };

  test('an event is forgotten, with its deliveries and their attempts; later ones stay', async () => {
    await run(sql`
      INSERT INTO webhook_endpoints (id, organisation_id, url, description, disabled, secret, secret_key_id, created_at,
        updated_at)
      VALUES (${randomUUIDv7()}::uuid, ${organisation.id}::uuid, 'https://receiver.example/', '', false, 's', 'k', now(), now())`);
    const [, kept] = await addMany(2);
    await run(sql`INSERT INTO webhook_attempts (organisation_id, delivery_id, number, began_at, took_ms, status)
      SELECT organisation_id, id, 1, now(), 5, 200 FROM webhook_deliveries WHERE organisation_id = ${organisation.id}::uuid`);
    await makeOld(1);
    expect(await sweep()).toMatch(/, [1-9]\d* events$/);
    expect(idsOf(await list())).toEqual([kept!.id]);
    expect(await Promise.all(['events', 'webhook_deliveries', 'webhook_attempts'].map(rowsOf))).toEqual([1, 1, 1]);
  });

  test('a cursor before a forgotten event is refused, one after it goes on', async () => {
    const events = await addMany(4);
    const [first, second, third] = [await list('limit=1'), await list('limit=2'), await list('limit=3')];
    await makeOld(2);
    await sweep();
    const response = await readOn(first);
    expectProblem(response, 422, 'UNPROCESSABLE');
    expect(response.json.errors).toMatchObject([{ parameter: 'cursor', detail: expect.stringContaining('since') }]);
    expect(idsOf(await readOn(second))).toEqual([events[2]!.id, events[3]!.id]);
    expect(idsOf(await readOn(third))).toEqual([events[3]!.id]);
  });

  test('an organisation whose events are all forgotten has an empty list, and goes on with the next', async () => {
    const early = await list();
    await addMany(3);
    const late = await list();
    await makeOld(3);
    await sweep();
    const empty = await list();
    expect(empty.json.meta).toMatchObject({ count: 0, hasMore: false });
    const { id } = await add();
    for (const page of [empty, late]) expect(idsOf(await readOn(page))).toEqual([id]);
    expectProblem(await readOn(early), 422, 'UNPROCESSABLE');
  });

  test('many events of several organisations go in batches, each organisation’s oldest first', async () => {
    const other = await makeOrganisation(service.store);
    await storeAlertEvent(service.store, other);
    await add();
    await run(sql`
      INSERT INTO events (id, organisation_id, number, type, occurred_at, payload, mastr_numbers)
      SELECT gen_random_uuid(), e.organisation_id, n, type, occurred_at + n * interval '1 millisecond', payload, '{}'
      FROM events e, generate_series(2, 700) n WHERE organisation_id IN (${organisation.id}::uuid, ${other.id}::uuid)`);
    await run(sql`UPDATE events SET occurred_at = occurred_at - interval '31 days'
      WHERE organisation_id IN (${organisation.id}::uuid, ${other.id}::uuid) AND number <= 650`);
    await sweep();
    expect(await rowsOf('events')).toBe(50);
    const gone = await service.store.autocommit(
      z.strictObject({ forgotten: z.int() }),
      sql`SELECT forgotten_number AS forgotten FROM event_counters
        WHERE organisation_id IN (${organisation.id}::uuid, ${other.id}::uuid)`,
    );
    expect(gone).toEqual([{ forgotten: 650 }, { forgotten: 650 }]);
  });
});

test('a cursor ahead of the store, which a backup has replaced, is refused', async () => {
  await addMany(3);
  const page = await list();
  await run(sql`DELETE FROM events WHERE organisation_id = ${organisation.id}::uuid AND number > 1`);
  await run(sql`UPDATE event_counters SET last_number = 1 WHERE organisation_id = ${organisation.id}::uuid`);
  expectProblem(await readOn(page), 422, 'UNPROCESSABLE');
});
