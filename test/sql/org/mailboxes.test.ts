import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import {
  CATEGORIES,
  deleteMailbox,
  mailboxesOf,
  mailboxRow,
  putMailboxes,
  responsibleMailbox,
  seenByUser,
} from '../../../sql/org/records/mailboxes.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { deleteUser, type UserRow } from '../../../sql/org/users.ts';
import { makeThread, makeUser, putMailbox } from '../../support/channel.ts';
import { connect } from '../../support/connections.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { openFresh, POSTGRES, PREPARED } from '../../support/store-engines.ts';

const place = z.strictObject({ id: z.uuid(), mailbox: z.string().nullable(), general: z.boolean().nullable() });
const idRow = z.strictObject({ id: z.uuid() });

for (const engine of [PREPARED, POSTGRES]) {
  describe.skipIf(!engine.here)(`mailboxes: ${engine.name}`, () => {
    let store: OrgStore;
    let mine: OrganisationRow;
    let partner: OrganisationRow;
    let connection: string;

    beforeAll(async () => {
      store = await openFresh(engine);
    });
    afterAll(() => store?.close());
    beforeEach(async () => {
      mine = await makeOrganisation(store);
      partner = await makeOrganisation(store);
      connection = await connect(store, mine, partner);
    });

    const listed = (side: OrganisationRow) =>
      store.asOrganisation(side.id, (session) => session.rows(mailboxRow, mailboxesOf(side.id)));

    /** The name of the mailbox in which a thread lies for a side. */
    const placeOf = (side: OrganisationRow, thread: string) =>
      store.asOrganisation(side.id, async (session) => {
        const found = await session.row(
          place,
          sql`SELECT threads.id, mailbox.name AS mailbox, mailbox.general FROM threads
            LEFT JOIN LATERAL (${responsibleMailbox(side.id)}) mailbox ON true WHERE threads.id = ${thread}::uuid`,
        );
        return found!.mailbox === null ? null : [found!.mailbox, found!.general];
      });

    /** The threads that a user sees. */
    const seen = ({ id: user }: Pick<UserRow, 'id'>, side = mine) =>
      store.asOrganisation(side.id, async (session) => {
        const rows = await session.rows(idRow, sql`SELECT id FROM threads WHERE ${seenByUser(side.id, user)}`);
        return new Set(rows.map(({ id }) => id));
      });

    it('are listed with categories and users, the general one first and the others by name in German', async () => {
      const [bert, anna] = [
        await makeUser(store, mine, { externalId: 'bert' }),
        await makeUser(store, mine, { externalId: 'anna' }),
      ];
      const zubau = await putMailbox(store, mine, { name: 'Zubau', general: true });
      const oel = await putMailbox(store, mine, {
        name: 'Öl',
        categories: ['STOERUNG', 'ALLGEMEIN'],
        users: [bert.externalId, anna.externalId, 'nobody'],
      });
      const offen = await putMailbox(store, mine, { name: 'Offen' });
      await putMailbox(store, partner, { name: 'Fremd', general: true });
      expect(await listed(mine)).toEqual([
        zubau,
        offen,
        { ...oel, categories: ['ALLGEMEIN', 'STOERUNG'], users: ['anna', 'bert'] },
      ]);
    });

    it('exchange categories and the general place in one write', async () => {
      const one = await putMailbox(store, mine, { name: 'Eins', general: true, categories: ['TECHNIK'] });
      const two = await putMailbox(store, mine, { name: 'Zwei', categories: ['VERTRAG'] });
      const swapped = [
        { ...one, general: false, categories: two.categories },
        { ...two, general: true, categories: one.categories },
      ];
      await store.asOperator((session) => putMailboxes(session, mine.id, swapped));
      expect(await listed(mine)).toEqual(swapped.toReversed());
    });

    describe('the responsible one', () => {
      it.each(CATEGORIES)('takes its category, here %s, else it is the general one', async (category) => {
        const thread = await makeThread(store, connection, { category });
        const other = await makeThread(store, connection);
        expect(await placeOf(mine, thread)).toBe(null);
        const general = await putMailbox(store, mine, { name: 'Zentrale', general: true });
        expect(await placeOf(mine, thread)).toEqual(['Zentrale', true]);
        const special = await putMailbox(store, mine, { name: 'Leitwarte', categories: [category] });
        expect(await placeOf(mine, thread)).toEqual(['Leitwarte', false]);
        expect(await placeOf(mine, other)).toEqual(['Zentrale', true]);
        await putMailbox(store, mine, { ...special, categories: [] });
        await putMailbox(store, mine, { ...general, categories: [category] });
        expect(await placeOf(mine, thread)).toEqual(['Zentrale', true]);
      });

      it('is found for each side among its own', async () => {
        const thread = await makeThread(store, connection, { category: 'TECHNIK' });
        await putMailbox(store, mine, { name: 'Meine', categories: ['TECHNIK'] });
        expect(await placeOf(partner, thread)).toBe(null);
        await putMailbox(store, partner, { name: 'Seine', general: true });
        expect(await placeOf(partner, thread)).toEqual(['Seine', true]);
        expect(await placeOf(mine, thread)).toEqual(['Meine', false]);
      });

      it('is the general one again after its own was removed, and none without a general one', async () => {
        const thread = await makeThread(store, connection, { category: 'TECHNIK' });
        const general = await putMailbox(store, mine, { name: 'Zentrale', general: true });
        const special = await putMailbox(store, mine, { name: 'Leitwarte', categories: ['TECHNIK'] });
        await store.asOperator((session) => session.run(deleteMailbox(special.id)));
        expect(await placeOf(mine, thread)).toEqual(['Zentrale', true]);
        await store.asOperator((session) => session.run(deleteMailbox(general.id)));
        expect(await placeOf(mine, thread)).toBe(null);
      });
    });

    describe('a user sees exactly', () => {
      let anna: UserRow;
      let technical: string;
      let contractual: string;
      let unsorted: string;

      beforeEach(async () => {
        anna = await makeUser(store, mine);
        technical = await makeThread(store, connection, { category: 'TECHNIK' });
        contractual = await makeThread(store, connection, { category: 'VERTRAG' });
        unsorted = await makeThread(store, connection);
      });

      it('nothing without a mailbox, also where nobody is responsible', async () => {
        expect(await seen(anna)).toEqual(new Set());
        expect(await seen({ id: randomUUIDv7() })).toEqual(new Set());
      });

      it('threads of the categories of own mailboxes, however these change', async () => {
        const users = [anna.externalId];
        const box = await putMailbox(store, mine, { categories: ['TECHNIK'], users });
        expect(await seen(anna)).toEqual(new Set([technical]));
        await putMailbox(store, mine, { ...box, categories: ['VERTRAG', 'STOERUNG'] });
        expect(await seen(anna)).toEqual(new Set([contractual]));
        await putMailbox(store, mine, { categories: ['TECHNIK'], users });
        expect(await seen(anna)).toEqual(new Set([technical, contractual]));
        await putMailbox(store, mine, { ...box, categories: ['VERTRAG'], users: [] });
        expect(await seen(anna)).toEqual(new Set([technical]));
      });

      it('in the general mailbox, what no other takes', async () => {
        const general = await putMailbox(store, mine, { general: true, users: [anna.externalId] });
        expect(await seen(anna)).toEqual(new Set([technical, contractual, unsorted]));
        const special = await putMailbox(store, mine, { categories: ['TECHNIK'] });
        expect(await seen(anna)).toEqual(new Set([contractual, unsorted]));
        await putMailbox(store, mine, { ...general, categories: ['VERTRAG'], users: general.users });
        expect(await seen(anna)).toEqual(new Set([contractual, unsorted]));
        await store.asOperator((session) => session.run(deleteMailbox(special.id)));
        expect(await seen(anna)).toEqual(new Set([technical, contractual, unsorted]));
        await store.asOperator((session) => session.run(deleteMailbox(general.id)));
        expect(await seen(anna)).toEqual(new Set());
      });

      it('threads that she takes part in, whatever the routing', async () => {
        const participants = [{ user: anna.id, side: mine.id }];
        const hers = await makeThread(store, connection, { category: 'TECHNIK', participants });
        await putMailbox(store, mine, { categories: ['TECHNIK'] });
        await putMailbox(store, mine, { general: true });
        expect(await seen(anna)).toEqual(new Set([hers]));
      });

      it('nothing by mailboxes, categories and connections of others', async () => {
        const theirs = await makeUser(store, partner);
        const third = await makeOrganisation(store);
        await putMailbox(store, partner, { general: true, users: [theirs.externalId] });
        await putMailbox(store, third, { general: true });
        const elsewhere = await makeThread(store, await connect(store, partner, third), { category: 'TECHNIK' });
        await putMailbox(store, mine, { general: true, users: [anna.externalId] });
        await putMailbox(store, partner, { categories: ['TECHNIK'] });
        expect(await seen(anna)).toEqual(new Set([technical, contractual, unsorted]));
        expect(await seen(theirs, partner)).toEqual(new Set([contractual, unsorted]));
        expect(await seen(theirs)).toEqual(new Set());
        expect(await seen(anna, partner)).toEqual(new Set());
        expect(await seen({ id: randomUUIDv7() }, third)).toEqual(new Set());
        expect(await placeOf(third, elsewhere)).not.toBe(null);
      });

      it('nothing more in mailboxes once she was removed', async () => {
        await putMailbox(store, mine, { general: true, users: [anna.externalId] });
        await store.asOperator((session) => session.run(deleteUser(anna.id)));
        expect(await seen(anna)).toEqual(new Set());
        expect(await listed(mine)).toMatchObject([{ users: [] }]);
      });

      it('the threads that lie, by the responsible mailbox, in one of hers', async () => {
        await putMailbox(store, mine, { name: 'Zentrale', general: true, users: [anna.externalId] });
        await putMailbox(store, mine, { name: 'Hers', categories: ['STOERUNG', 'VERTRAG'], users: [anna.externalId] });
        await putMailbox(store, mine, { name: 'Not hers', categories: ['TECHNIK', 'ABRECHNUNG'] });
        for (const category of CATEGORIES) await makeThread(store, connection, { category });
        const expected = await store.asOrganisation(mine.id, (session) =>
          session.rows(
            idRow,
            sql`SELECT threads.id FROM threads LEFT JOIN LATERAL (${responsibleMailbox(mine.id)}) mailbox ON true
              WHERE mailbox.name IN ('Zentrale', 'Hers') ORDER BY threads.id`,
          ),
        );
        expect(expected).toHaveLength(6);
        expect(await seen(anna)).toEqual(new Set(expected.map(({ id }) => id)));
      });
    });
  });
}
