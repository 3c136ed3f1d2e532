import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { forgetEvents, readEvents, unitsOfEvent } from '../../../sql/org/alerts/events.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { storeAlertEvent } from '../../support/events.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { type Engine, openFresh, POSTGRES, PREPARED, written } from '../../support/store-engines.ts';
import { type Taken, tablesReadWhole, takingDown } from './statement-plans.ts';

/** Every statement about events finds its rows by an index, among the events of many organisations. */

const SINCE = '2026-11-01T00:00:00.000Z';

describe.each([PREPARED, POSTGRES] as Engine[])('$name', (engine) => {
  describe.skipIf(!engine.here)('statements of events', () => {
    let store: OrgStore;
    let noted: ReturnType<typeof takingDown>;
    let organisation: { readonly id: string };
    let event: string;
    beforeAll(async () => {
      store = await openFresh(engine);
      noted = takingDown(store);
      organisation = await makeOrganisation(store);
      event = (await storeAlertEvent(store, organisation)).id;
      await store.asOperator(async (session) => {
        await session.run(sql`
          INSERT INTO organisations (id, external_id, name, modules, signals, alert_templates, limits, quota, created_at,
            updated_at)
          SELECT gen_random_uuid(), 'many-' || n, 'N', '{}', '{}', '{}', '{}', 1, now(), now() FROM generate_series(1, 1000) n`);
        await session.run(sql`
          INSERT INTO event_counters SELECT id, 10, now(), 0 FROM organisations WHERE external_id LIKE 'many-%'`);
        await session.run(sql`
          INSERT INTO events SELECT gen_random_uuid(), id, n, 'alert.triggered', now() + n * interval '1 day', '{}', '{}'
          FROM organisations, generate_series(1, 5) n WHERE external_id LIKE 'many-%'`);
      });
      await store.autocommit(z.unknown(), written('ANALYZE'));
    });
    afterAll(() => store?.close());

    /** Runs work in the name of the organisation or, like jobs, of the operator. @returns its only statement */
    async function statementOf(work: (noting: OrgStore) => Promise<unknown>): Promise<Taken> {
      noted.taken.clear();
      await work(noted.store);
      const [statement, ...more] = noted.taken.values();
      if (statement === undefined || more.length > 0) throw new Error('It is not one statement');
      return statement;
    }

    test.each([
      ['from the oldest', null, 0, null],
      ['after a cursor', null, 3, null],
      ['of a type', 'alert.triggered', 0, null],
      ['of a type, after a cursor', 'alert.triggered', 3, null],
      ['since a moment', null, 0, SINCE],
      ['of a type since a moment', 'alert.triggered', 0, SINCE],
    ] as const)('a page %s', async (_, type, after, since) => {
      const page = { type, after, since, limit: 101 };
      const { id } = organisation;
      const taken = await statementOf((noting) =>
        noting.asOrganisation(id, (session) => readEvents(session, id, page)),
      );
      expect(await tablesReadWhole(store, taken)).toEqual([]);
    });

    test('the units of an event are found by an index', async () => {
      const { id } = organisation;
      const taken = await statementOf((noting) =>
        noting.asOrganisation(id, (session) => unitsOfEvent(session, id, event)),
      );
      expect(await tablesReadWhole(store, taken)).toEqual([]);
    });

    test('forgetting events uses indexes', async () => {
      const taken = await statementOf((noting) => noting.asOperator((session) => session.run(forgetEvents(200))));
      expect(await tablesReadWhole(store, taken)).toEqual([]);
    });

    test('storing an event uses indexes', async () => {
      noted.taken.clear();
      await storeAlertEvent(noted.store, organisation);
      for (const taken of noted.taken.values()) expect(await tablesReadWhole(store, taken)).toEqual([]);
      expect(noted.taken.size).toBe(2);
    });
  });
});
