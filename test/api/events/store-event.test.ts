import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { alertEventData } from '../../../api/events/event.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { addAlertEvent, storeAlertEvent } from '../../support/events.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { openFresh, POSTGRES, PREPARED } from '../../support/store-engines.ts';

/** Events as the store has them, with their deliveries. */

const alert = { id: '019a0f6e-7c1b-7d52-9f0e-00000000a001', name: 'Große "Speicher"', template: 'NEW_UNIT' } as const;
const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => `SEE9${String(index).padStart(11, '0')}`);

describe('the data of an alert', () => {
  const BASE_URL = 'https://api.example';
  const dataOf = (matchCount: number, settings = { BASE_URL, APP_URL: `${BASE_URL}/app` }) =>
    alertEventData({ alert, matchCount, mastrNumbers: numbers(matchCount) }, 'e', settings);

  test('names alert, units and where they are', () => {
    expect(dataOf(2)).toEqual({
      schemaVersion: 1,
      alert,
      matchCount: 2,
      matches: [{ mastrNummer: 'SEE900000000000' }, { mastrNummer: 'SEE900000000001' }],
      truncated: false,
      resultsUrl: 'https://api.example/app/einheiten?eventId=e',
      links: {
        self: 'https://api.example/v1/units?eventId=e',
        map: 'https://api.example/app/karte?eventId=e',
      },
    });
  });

  test('leads into the application of an operator who names one', () => {
    expect(dataOf(1, { BASE_URL, APP_URL: 'https://app.example/x' })).toMatchObject({
      resultsUrl: 'https://app.example/x/einheiten?eventId=e',
      links: { self: 'https://api.example/v1/units?eventId=e', map: 'https://app.example/x/karte?eventId=e' },
    });
  });

  test.each([
    [100, 100, false],
    [101, 100, true],
    [12_345, 100, true],
  ])('of %i units names %i', (matchCount, named, truncated) => {
    const data = dataOf(matchCount);
    expect([data.matchCount, data.matches.length, data.truncated]).toEqual([matchCount, named, truncated]);
  });
});

const stored = z.strictObject({
  id: z.uuid(),
  number: z.int(),
  type: z.string(),
  at: z.iso.datetime(),
  payload: z.string(),
  units: z.int(),
});

const delivery = z.strictObject({
  endpoint: z.string(),
  state: z.string(),
  attempts: z.int(),
  due: z.iso.datetime().nullable(),
});

for (const engine of [PREPARED, POSTGRES]) {
  describe.skipIf(!engine.here)(`stored: ${engine.name}`, () => {
    let store: OrgStore;
    let organisation: OrganisationRow;
    beforeAll(async () => {
      store = await openFresh(engine);
    });
    beforeEach(async () => {
      organisation = await makeOrganisation(store);
    });
    afterAll(() => store?.close());

    const run = (statement: ReturnType<typeof sql>) => store.asOperator((session) => session.run(statement));
    const events = (of = organisation) =>
      store.autocommit(
        stored,
        sql`SELECT id, number, type, occurred_at AS at, payload, cardinality(mastr_numbers) AS units FROM events
          WHERE organisation_id = ${of.id}::uuid ORDER BY number`,
      );
    const deliveries = (eventId: string) =>
      store.autocommit(
        delivery,
        sql`SELECT e.description AS endpoint, d.state, d.attempts, d.next_attempt_at AS due
          FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
          WHERE d.event_id = ${eventId}::uuid ORDER BY e.description`,
      );
    const addEndpoint = (name: string, types: string | null = null, disabled = false, of = organisation) =>
      run(sql`
        INSERT INTO webhook_endpoints (id, organisation_id, url, description, event_types, disabled, disabled_reason,
          disabled_at, secret, secret_key_id, created_at, updated_at)
        VALUES (${randomUUIDv7()}::uuid, ${of.id}::uuid, ${`https://${randomUUIDv7()}.example/`}, ${name},
          ${types}::text[], ${disabled}, ${disabled ? 'MANUAL' : null}, ${disabled ? '2026-01-01T00:00:00Z' : null}::timestamptz,
          's', 'k', now(), now())`);

    it('has the payload that is delivered, its number, and its units up to what a list delivers', async () => {
      const { id, occurredAt } = await storeAlertEvent(store, organisation, { alert, mastrNumbers: numbers(10_001) });
      const [event] = await events();
      expect(event).toMatchObject({ id, number: 1, type: 'alert.triggered', at: occurredAt, units: 10_000 });
      expect(JSON.parse(event!.payload)).toEqual({
        eventId: id,
        type: 'alert.triggered',
        occurredAt,
        data: expect.objectContaining({ alert, matchCount: 10_001, truncated: true }),
      });
      expect(Object.keys(JSON.parse(event!.payload))).toEqual(['eventId', 'type', 'occurredAt', 'data']);
    });

    it('numbers and times increase within a transaction, and from one to the next', async () => {
      const other = await makeOrganisation(store);
      await store.asOperator(async (session) => {
        for (let count = 0; count < 20; count++) await addAlertEvent(session, organisation);
        await addAlertEvent(session, other);
      });
      await storeAlertEvent(store, organisation);
      const found = await events();
      expect(found.map(({ number }) => number)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
      const times = found.map(({ at }) => at);
      expect(times).toEqual([...new Set(times)].sort());
      expect((await events(other)).map(({ number }) => number)).toEqual([1]);
    });

    it('times increase although the clock was set back, and deliveries do not wait until it has caught up', async () => {
      await addEndpoint('all');
      await run(sql`INSERT INTO event_counters VALUES (${organisation.id}::uuid, 7, '2100-01-01T00:00:00.000Z', 0)`);
      const { id, occurredAt } = await storeAlertEvent(store, organisation);
      expect(occurredAt).toBe('2100-01-01T00:00:00.001Z');
      const [due] = await deliveries(id);
      expect(Date.parse(due!.due!)).toBeLessThanOrEqual(Date.now() + 60_000);
    });

    it('a transaction that fails leaves neither event nor delivery, and its number is taken again', async () => {
      await addEndpoint('all');
      const failed = store.asOperator(async (session) => {
        await addAlertEvent(session, organisation);
        throw new Error('after it');
      });
      await expect(failed).rejects.toThrow('after it');
      const { id } = await storeAlertEvent(store, organisation);
      expect((await events()).map(({ number }) => number)).toEqual([1]);
      expect(await deliveries(id)).toHaveLength(1);
    });

    it('is due at once at each endpoint that subscribes to its type, and skipped at those that are disabled', async () => {
      const other = await makeOrganisation(store);
      await addEndpoint('a: all types');
      await addEndpoint('b: this type', '{other,alert.triggered}');
      await addEndpoint('c: another type', '{other}');
      await addEndpoint('d: disabled', null, true);
      await addEndpoint('e: of another organisation', null, false, other);
      const { id, occurredAt } = await storeAlertEvent(store, organisation);
      expect(await deliveries(id)).toEqual([
        { endpoint: 'a: all types', state: 'PENDING', attempts: 0, due: occurredAt },
        { endpoint: 'b: this type', state: 'PENDING', attempts: 0, due: occurredAt },
        { endpoint: 'd: disabled', state: 'SKIPPED', attempts: 0, due: null },
      ]);
    });

    it('is skipped at every endpoint of an organisation that may not use webhooks', async () => {
      organisation = await makeOrganisation(store, { limits: { webhooksEnabled: false } });
      await addEndpoint('all');
      const { id } = await storeAlertEvent(store, organisation);
      expect(await deliveries(id)).toMatchObject([{ state: 'SKIPPED' }]);
    });
  });
}
