import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { recountAssets, removeAssets } from '../../sql/org/records/connection-assets.ts';
import { putActiveFields } from '../../sql/org/records/connection-fields.ts';
import { CONNECTION_STATUSES } from '../../sql/org/records/connections.ts';
import { sql } from '../../sql/org/statement.ts';
import { cases } from '../support/cases.ts';
import { connect } from '../support/connections.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectProblem, UUID_V7, withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveSharedFixture } from '../support/service.ts';

/** Connections as their sides read them. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

interface Side {
  readonly organisation: OrganisationRow;
  get(path: string): Promise<ServiceResponse>;
}

async function newSide(name: string): Promise<Side> {
  const organisation = await makeOrganisation(service.store, { name });
  const { text } = await makeKey(service.store, organisation);
  return { organisation, get: (path) => service.get(`/v1/connections${path}`, withKey(text)) };
}

/** Connects them, the first having invited the second. */
const join = (initiator: Side, invited: Side, choices: Parameters<typeof connect>[3] = {}) =>
  connect(service.store, initiator.organisation, invited.organisation, choices);

const ids = ({ json }: ServiceResponse): string[] => json.data.map(({ id }: { id: string }) => id);

let a: Side;
let b: Side;
beforeEach(async () => {
  a = await newSide('Stadtwerke A');
  b = await newSide('Windpark B');
});

const DAY = '2026-10-01T08:00:00.000Z';

describe('one connection', () => {
  test('is the same for both sides, each in its own light', async () => {
    const id = await join(a, b, { assets: ['SEE900000000001'], at: DAY });
    const common = {
      ...{ id, status: 'ACCEPTED', anlagenAnzahl: 1, angelegtAm: DAY, beantwortetAm: DAY, geaendertAm: DAY },
    };
    const asSeen = [
      [a, { ...common, rolle: 'initiator', gegenseite: { name: 'Windpark B' } }],
      [b, { ...common, rolle: 'eingeladen', gegenseite: { name: 'Stadtwerke A' } }],
    ] as const;
    for (const [side, connection] of asSeen) {
      expect((await side.get('')).json).toEqual({
        data: [connection],
        meta: { count: 1, hasMore: false, cursor: null, truncated: false },
      });
      expect((await side.get(`/${id}`)).json).toEqual({ data: { ...connection, aktivierteFelder: 0 }, meta: {} });
    }
  });

  test('counts the active fields of both sides, in the detail alone', async () => {
    const id = await join(a, b);
    await service.store.asOperator(async (session) => {
      for (const [side, name] of [
        [a, 'Zähler'],
        [a, 'Notiz'],
        [b, 'Zähler'],
      ] as const) {
        await session.run(sql`
          INSERT INTO custom_fields (id, organisation_id, name, type, multiple, choices, filled_by_partner, shared, created_at, updated_at)
          VALUES (${randomUUIDv7()}, ${side.organisation.id}, ${name}, 'TEXT', false, '{}', false, true, now(), now())`);
        await session.run(putActiveFields(side.organisation.id, [{ connectionId: id, field: name, at: DAY }]));
      }
    });
    for (const side of [a, b]) expect((await side.get(`/${id}`)).json.data.aktivierteFelder).toBe(3);
    expect((await a.get('')).json.data[0]).not.toHaveProperty('aktivierteFelder');
  });

  const OF_OTHERS = ['', '/assets', '/assets?limit=1', '/assets?cursor=abc'];

  test.each(OF_OTHERS)(
    'of others is answered as an unknown one, byte by byte but for the id of the request: %s',
    async (path) => {
      const c = await newSide('Dritte');
      const id = await join(a, b, { assets: ['SEE900000000001'] });
      const known = await c.get(`/${id}${path}`);
      expectProblem(known, 404, 'NOT_FOUND');
      for (const unknown of [randomUUIDv7(), 'no-uuid', `${id}0`, id.replaceAll('-', ''), '%00', '..%2f']) {
        const other = await c.get(`/${unknown}${path}`);
        const withoutId = ({ text, headers }: ServiceResponse) => text.replace(headers.get('x-request-id')!, '');
        expect([other.status, withoutId(other)]).toEqual([404, withoutId(known)]);
      }
    },
  );

  test('is found by its id in capitals, too', async () => {
    const id = await join(a, b);
    expect((await a.get(`/${id.toUpperCase()}`)).json.data.id).toBe(id);
  });

  test('an invitation to an e-mail address is shown to nobody', async () => {
    const id = randomUUIDv7();
    await service.store.asOperator((session) =>
      session.run(sql`
        INSERT INTO connections (id, initiator_id, initiator_name, invited_email, status, created_at, updated_at)
        VALUES (${id}, ${a.organisation.id}, 'A', 'b@b.example', 'PENDING', now(), now())`),
    );
    expect((await a.get('')).json.data).toEqual([]);
    for (const status of CONNECTION_STATUSES) expect((await a.get(`?status=${status}`)).json.data).toEqual([]);
    for (const path of ['', '/assets']) expectProblem(await a.get(`/${id}${path}`), 404, 'NOT_FOUND');
  });
});

describe('the list', () => {
  const join4 = async () => {
    const made: Record<string, string> = {};
    for (const [place, status] of CONNECTION_STATUSES.entries()) {
      const partner = await newSide(`Partner ${status}`);
      const sides = place % 2 === 0 ? ([a, partner] as const) : ([partner, a] as const);
      made[status] = await join(...sides, {
        status,
        at: `2026-10-0${place + 1}T08:00:00.000Z`,
        assets: ['SEE900000000001'],
      });
    }
    return made;
  };

  test('without status: what waits and what is accepted, newest first; what has ended only when asked for', async () => {
    const made = await join4();
    expect(ids(await a.get(''))).toEqual([made.ACCEPTED, made.PENDING]);
    for (const status of CONNECTION_STATUSES) expect(ids(await a.get(`?status=${status}`))).toEqual([made[status]]);
  });

  test('ended ones have no units', async () => {
    const made = await join4();
    const numberOf = async (status: string) => (await a.get(`?status=${status}`)).json.data[0].anlagenAnzahl;
    expect(await Promise.all(CONNECTION_STATUSES.map(numberOf))).toEqual([1, 1, 0, 0]);
    for (const status of CONNECTION_STATUSES) {
      const alive = status === 'PENDING' || status === 'ACCEPTED';
      const { data, meta } = (await a.get(`/${made[status]}/assets`)).json;
      expect(data.map((row: { mastrNummer: string }) => row.mastrNummer)).toEqual(alive ? ['SEE900000000001'] : []);
      expect(meta).toEqual({
        ...{ count: alive ? 1 : 0, hasMore: false, cursor: null, truncated: false },
        aktiv: status === 'ACCEPTED',
      });
    }
  });

  test.each([
    ['status=accepted', 'INVALID_PARAMETER', /PENDING, ACCEPTED, DECLINED, REVOKED/],
    ['status=', 'INVALID_PARAMETER', /no value/],
    ['status=PENDING,ACCEPTED', 'INVALID_PARAMETER', /PENDING, ACCEPTED, DECLINED, REVOKED/],
    ['status=PENDING&status=ACCEPTED', 'INVALID_PARAMETER', /once|twice|more than/],
    ['limit=0', 'INVALID_PARAMETER', /1 to 250/],
    ['limit=251', 'INVALID_PARAMETER', /1 to 250/],
    ['cursor=abc', 'INVALID_CURSOR', /not issued/],
    ['staus=PENDING', 'UNKNOWN_PARAMETER', /status/],
    ['dryRun=true', 'UNKNOWN_PARAMETER', /dryRun/],
  ])('?%s: 400 %s', async (query, code, detail) => {
    const { json } = await a.get(`?${query}`);
    expect(json).toMatchObject({ status: 400, code, errors: [{ parameter: query.split('=')[0], code }] });
    expect(json.errors[0].detail).toMatch(detail);
  });

  test('a cursor belongs to its organisation and its status', async () => {
    for (const partner of [b, await newSide('C')]) await join(a, partner);
    const { cursor } = (await a.get('?limit=1')).json.meta;
    for (const answer of [await b.get(`?cursor=${cursor}`), await a.get(`?status=ACCEPTED&cursor=${cursor}`)]) {
      expectProblem(answer, 400, 'INVALID_CURSOR');
    }
    expect(ids(await a.get(`?limit=250&cursor=${cursor}`))).toHaveLength(1);
  });

  test('whatever the page size, the ages and the sides: each comes once, newest first', async () => {
    const drawn = fc.array(
      fc.record({ age: fc.integer({ min: 0, max: 3 }), invited: fc.boolean(), ended: fc.boolean() }),
      { maxLength: 24 },
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(drawn, sizes, async (connections, pages) => {
        a = await newSide('A');
        const wanted: { id: string; at: string }[] = [];
        for (const { age, invited, ended } of connections) {
          const partner = { id: randomUUIDv7(), name: 'B' };
          const at = `2026-01-0${age + 1}T00:00:00.000Z`;
          const [one, other] = invited ? [partner, a.organisation] : [a.organisation, partner];
          const id = await connect(service.store, one, other, { status: ended ? 'REVOKED' : 'ACCEPTED', at });
          if (!ended) wanted.push({ id, at });
        }
        const seen: string[] = [];
        let cursor: string | null = '';
        for (let page = 0; cursor !== null; page++) {
          const limit = pages[page % pages.length]!;
          const answer: ServiceResponse = await a.get(`?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
          seen.push(...ids(answer));
          cursor = answer.json.meta.cursor;
          expect(answer.headers.get('link')?.includes('rel="next"') ?? false).toBe(cursor !== null);
        }
        const sorted = wanted.toSorted((x, y) => (`${x.at}${x.id}` < `${y.at}${y.id}` ? 1 : -1));
        expect(seen).toEqual(sorted.map(({ id }) => id));
      }),
      { numRuns: cases(12) },
    );
  });
});

describe('units in scope', () => {
  const unitsOf = ({ json }: ServiceResponse): string[] =>
    json.data.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer);

  /** Reads every page of a connection. */
  async function readAll(side: Side, id: string, limit: number): Promise<{ numbers: string[]; last: ServiceResponse }> {
    const numbers: string[] = [];
    let last = await side.get(`/${id}/assets?limit=${limit}`);
    numbers.push(...unitsOf(last));
    while (last.json.meta.cursor !== null) {
      last = await side.get(`/${id}/assets?limit=${limit}&cursor=${last.json.meta.cursor}`);
      numbers.push(...unitsOf(last));
    }
    return { numbers, last };
  }

  test('each with the role of the initiator at that time', async () => {
    const id = await join(a, b, { assets: ['SEE900000000001'], at: DAY });
    const asset = { mastrNummer: 'SEE900000000001', beziehung: 'OPERATOR', hinzugefuegtAm: DAY, geaendertAm: DAY };
    for (const side of [a, b]) {
      const { json, headers } = await side.get(`/${id}/assets`);
      expect(json.data).toEqual([asset]);
      expect([headers.get('link'), headers.get('cache-control')]).toEqual([null, 'no-store']);
    }
  });

  test('10,000 by number, bytewise, in pages that keep their place while units come and go', async () => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => {
      // Three prefixes in an order that is neither theirs nor that of the digits.
      const prefix = ['SEE', 'SEZ', 'SAB'][index % 3]!;
      return `${prefix}9${String((index * 7919) % 10_000).padStart(11, '0')}`;
    });
    const id = await join(a, b, { assets: numbers });
    const sorted = numbers.toSorted((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
    expect((await a.get(`/${id}`)).json.data.anlagenAnzahl).toBe(10_000);
    const all = await readAll(b, id, 250);
    expect(all.numbers).toEqual(sorted);
    expect(all.last.json.meta).toEqual({ count: 250, hasMore: false, cursor: null, truncated: false, aktiv: true });
    const first = await a.get(`/${id}/assets?limit=3`);
    await service.store.asOperator(async (session) => {
      await session.run(removeAssets(id, sorted.slice(0, 4)));
      await session.run(recountAssets([id]));
    });
    const second = await a.get(`/${id}/assets?limit=3&cursor=${first.json.meta.cursor}`);
    expect(unitsOf(second)).toEqual(sorted.slice(4, 7));
    expect((await a.get('')).json.data[0].anlagenAnzahl).toBe(9_996);
  });

  test('Link leads to the next page of the same connection', async () => {
    const id = await join(a, b, { assets: ['SEE900000000001', 'SEE900000000002'] });
    const { json, headers } = await a.get(`/${id.toUpperCase()}/assets?limit=1`);
    expect(headers.get('link')).toBe(
      `<${service.url}/v1/connections/${id}/assets?limit=1&cursor=${json.meta.cursor}>; rel="next"`,
    );
  });

  test('a cursor belongs to its connection and its side', async () => {
    const c = await newSide('C');
    const assets = ['SEE900000000001', 'SEE900000000002'];
    const [id, other] = [await join(a, b, { assets }), await join(a, c, { assets })];
    const { cursor } = (await a.get(`/${id}/assets?limit=1`)).json.meta;
    for (const answer of [
      await a.get(`/${other}/assets?cursor=${cursor}`),
      await b.get(`/${id}/assets?cursor=${cursor}`),
    ]) {
      expectProblem(answer, 400, 'INVALID_CURSOR');
    }
  });

  test('a connection that ends between two pages has no further one', async () => {
    const id = await join(a, b, { assets: ['SEE900000000001', 'SEE900000000002'] });
    const { cursor } = (await a.get(`/${id}/assets?limit=1`)).json.meta;
    await service.store.asOperator((session) =>
      session.run(sql`UPDATE connections SET status = 'REVOKED' WHERE id = ${id}::uuid`),
    );
    expect((await a.get(`/${id}/assets?limit=1&cursor=${cursor}`)).json).toEqual({
      data: [],
      meta: { count: 0, hasMore: false, cursor: null, truncated: false, aktiv: false },
    });
  });
});

test('ids are those of the service', async () => {
  await join(a, b);
  expect(ids(await a.get(''))[0]).toMatch(UUID_V7);
});
