import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { addAlertEvent, storeAlertEvent } from '../support/events.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';
import { openStore, POSTGRES } from '../support/store-engines.ts';

/** Events that are stored by transactions which overlap, and readers that keep their cursors meanwhile. */

describe.skipIf(!POSTGRES.here)(`events at the same time: ${POSTGRES.name}`, () => {
  let store: OrgStore;
  /** The store of another instance. */
  let other: OrgStore;
  let service: OwnSubject;
  let organisation: OrganisationRow;
  let key: string;
  beforeAll(async () => {
    const place = await POSTGRES.place();
    store = await openStore(place);
    await store.migrate('apply');
    other = await openStore(place);
    service = await serveOwnFixture({}, store);
  });
  beforeEach(async () => {
    organisation = await makeOrganisation(store);
    key = (await makeKey(store, organisation)).text;
  });
  afterAll(async () => {
    await service?.stop();
    await other?.close();
    await store?.close();
  });

  const list = (query = '') => service.get(`/v1/events?${query}`, withKey(key));
  const readOn = ({ json }: ServiceResponse) => list(`cursor=${json.meta.cursor}`);
  const idsOf = ({ json }: ServiceResponse): string[] => json.data.map(({ eventId }: { eventId: string }) => eventId);

  /** Stores an event in a transaction that stays open until it is told how to end. */
  async function begin(of = organisation) {
    const [stored, end] = [Promise.withResolvers<string>(), Promise.withResolvers<'commit' | 'roll back'>()];
    const done = store.asOperator(async (session) => {
      stored.resolve((await addAlertEvent(session, of)).id);
      if ((await end.promise) === 'roll back') throw new Error('rolled back');
    });
    done.catch(stored.reject);
    const id = await stored.promise;
    const finish = async (how: 'commit' | 'roll back') => {
      end.resolve(how);
      await done.catch((error: unknown) => expect(error).toMatchObject({ message: 'rolled back' }));
    };
    return { id, commit: () => finish('commit'), rollBack: () => finish('roll back') };
  }

  /** Returns once a transaction waits for another one. @throws when `work` is done instead */
  async function mustWait(work: Promise<unknown>): Promise<void> {
    let done = false;
    work.then(() => {
      done = true;
    });
    const waiting = sql`SELECT 1 AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await store.autocommit(z.strictObject({ n: z.int() }), waiting)).length === 0) {
      if (done) throw new Error('It did not wait');
    }
  }

  test.each([false, true])(
    'one that is committed late: the next waits, and no cursor passes it (not the first: %s)',
    async (more) => {
      if (more) await storeAlertEvent(store, organisation);
      const before = await list();
      const late = await begin();
      const next = storeAlertEvent(other, organisation);
      await mustWait(next);
      const meanwhile = await readOn(before);
      expect(idsOf(meanwhile)).toEqual([]);
      await late.commit();
      const second = await next;
      for (const page of [before, meanwhile]) expect(idsOf(await readOn(page))).toEqual([late.id, second.id]);
      expect(idsOf(await list(`since=${second.occurredAt}`))).toEqual([second.id]);
    },
  );

  test('an event that is rolled back leaves no gap: the next takes its number', async () => {
    const failing = await begin();
    const next = storeAlertEvent(other, organisation);
    await mustWait(next);
    const meanwhile = await list();
    await failing.rollBack();
    const { id } = await next;
    expect(idsOf(await readOn(meanwhile))).toEqual([id]);
    const numbers = await store.autocommit(
      z.strictObject({ number: z.int() }),
      sql`SELECT number FROM events WHERE organisation_id = ${organisation.id}::uuid`,
    );
    expect(numbers).toEqual([{ number: 1 }]);
  });

  test('a transaction of one organisation holds up no other', async () => {
    const late = await begin(await makeOrganisation(store));
    const { id } = await storeAlertEvent(other, organisation);
    expect(idsOf(await list())).toEqual([id]);
    await late.commit();
  });

  test('an event is stored without the delivery to an endpoint that is deleted meanwhile', async () => {
    const endpoint = '019a0f6e-7c1b-7d52-9f0e-00000000b001';
    await store.asOperator((session) =>
      session.run(sql`
        INSERT INTO webhook_endpoints (id, organisation_id, url, description, disabled, secret, secret_key_id, created_at,
          updated_at)
        VALUES (${endpoint}::uuid, ${organisation.id}::uuid, 'https://receiver.example/', '', false, 's', 'k', now(), now())`),
    );
    const [deleted, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const deletion = store.asOperator(async (session) => {
      await session.run(sql`DELETE FROM webhook_endpoints WHERE id = ${endpoint}::uuid`);
      deleted.resolve();
      await end.promise;
    });
    await deleted.promise;
    const storing = storeAlertEvent(other, organisation);
    await mustWait(storing);
    end.resolve();
    await deletion;
    const { id } = await storing;
    expect(idsOf(await list())).toEqual([id]);
  });

  test('when two instances store many at once, each reader sees each event once, in one order', async () => {
    const follow = async (limit: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let cursor = ''; ids.length < 40; ) {
        const page = await list(`limit=${limit}${cursor}`);
        ids.push(...idsOf(page));
        cursor = `&cursor=${page.json.meta.cursor}`;
      }
      return ids;
    };
    const storing = Array.from({ length: 40 }, (_, index) =>
      storeAlertEvent(index % 2 === 0 ? store : other, organisation),
    );
    const [stored, ...seen] = await Promise.all([Promise.all(storing), follow(1), follow(7), follow(250)]);
    const inOrder = stored.toSorted((one, two) => (one.occurredAt < two.occurredAt ? -1 : 1)).map(({ id }) => id);
    expect(seen).toEqual([inOrder, inOrder, inOrder]);
  });
});
