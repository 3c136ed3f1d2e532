import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { putPortfolio } from '../../../sql/org/records/portfolio.ts';
import { sql } from '../../../sql/org/statement.ts';
import { POSTGRES, PREPARED } from '../../support/store-engines.ts';
import { type Console, openConsole } from './console.ts';

/**
 * Commands about one connection at the same moment: each does all it says or is refused with the reason, as if one had
 * come after the other. And what happens to connections when an organisation is renamed or deleted.
 */

const UNITS = Array.from({ length: 40 }, (_, index) => `SEE9000000000${String(index).padStart(2, '0')}`);

const countRow = z.strictObject({ living: z.int(), counted: z.int(), assets: z.int() });

/** The embedded store takes one transaction at a time, so only the server has more to show with every round. */
const ROUNDS = [
  [PREPARED, 2],
  [POSTGRES, 6],
] as const;

for (const [engine, rounds] of ROUNDS) {
  describe.skipIf(!engine.here)(engine.name, () => {
    let admin: Console;
    beforeAll(async () => {
      admin = await openConsole(await engine.place());
    });
    afterAll(() => admin?.close());

    let made = 0;
    let a: { id: string; externalId: string };
    let b: typeof a;
    let address: string;

    beforeEach(() => begin());

    /** Makes two organisations that are not connected: one with units, the other with a user. */
    async function begin(): Promise<void> {
      made += 1;
      const create = (name: string) =>
        admin.json(['organisations', 'create', `${name}${made}`, '--name', `${name.toUpperCase()} ${made}`]);
      a = await create('a');
      b = await create('b');
      address = `anna${made}@b.example`;
      await admin.json(`users create ${b.externalId} anna --name Anna --email ${address} --role owner`);
      const at = '2026-11-01T00:00:00.000Z';
      const entry = { relationType: 'OWNER' as const, externalRefs: {}, createdAt: at, updatedAt: at, removedAt: null };
      const entries = UNITS.map((mastrNumber) => ({ ...entry, id: crypto.randomUUID(), mastrNumber }));
      await admin.store.asOperator((session) => session.run(putPortfolio(a.id, entries)));
    }

    const invite = async (...to: string[]): Promise<string> =>
      (await admin.json(['connections', 'invite', a.externalId, ...(to.length === 0 ? [b.externalId] : to)])).data.id;

    async function connect(): Promise<string> {
      const id = await invite();
      await admin.json(`connections accept ${b.externalId} ${id}`);
      return id;
    }

    /** Runs commands at once. @returns which of them were done; the others were refused */
    async function together(...lines: string[]): Promise<boolean[]> {
      const results = await Promise.all(lines.map((line) => admin.run(`connections ${line}`)));
      for (const { code, err } of results) expect([0, 5], err).toContain(code);
      return results.map(({ code }) => code === 0);
    }

    const statusOf = async (id: string) => (await admin.json(`connections show ${a.externalId} ${id}`)).status;

    /** Living connections of an organisation; and whether the number of their assets is right. */
    const counts = async ({ id }: typeof a) =>
      (
        await admin.store.asOperator((session) =>
          session.rows(
            countRow,
            sql`SELECT count(*) FILTER (WHERE status IN ('PENDING', 'ACCEPTED')) AS living,
                  coalesce(sum(asset_count), 0)::integer AS counted,
                  (SELECT count(*) FROM connection_assets WHERE connection_id IN (
                    SELECT id FROM connections WHERE ${id}::uuid IN (initiator_id, invited_id))) AS assets
                FROM connections WHERE ${id}::uuid IN (initiator_id, invited_id)`,
          ),
        )
      )[0]!;

    test('two invitations that cross: one of them', async () => {
      for (let round = 0; round < rounds; round++, await begin()) {
        const done = await together(`invite ${a.externalId} ${b.externalId}`, `invite ${b.externalId} ${a.externalId}`);
        expect(done.filter(Boolean)).toHaveLength(1);
        expect((await counts(a)).living).toBe(1);
      }
    });

    test('accept and decline, twice each: one of them', async () => {
      for (let round = 0; round < rounds; round++, await begin()) {
        const id = await invite();
        const words = ['accept', 'decline', 'accept', 'decline'];
        const done = await together(...words.map((word) => `${word} ${b.externalId} ${id}`));
        expect(done.filter(Boolean)).toHaveLength(1);
        expect(await statusOf(id)).toBe(words[done.indexOf(true)] === 'accept' ? 'ACCEPTED' : 'DECLINED');
      }
    });

    test('accept and revoke: it ends, and was accepted only if that came first', async () => {
      for (let round = 0; round < rounds; round++, await begin()) {
        const id = await invite();
        const [accepted, revoked] = await together(`accept ${b.externalId} ${id}`, `revoke ${a.externalId} ${id}`);
        expect(revoked).toBe(true);
        const connection = await admin.json(`connections show ${b.externalId} ${id}`);
        expect(connection).toMatchObject({ status: 'REVOKED' });
        expect(connection.answeredAt !== null).toBe(accepted);
      }
    });

    test('both sides revoke: one of them', async () => {
      const id = await connect();
      const done = await together(`revoke ${a.externalId} ${id}`, `revoke ${b.externalId} ${id}`);
      expect(done.filter(Boolean)).toHaveLength(1);
    });

    test('an invitation by address is accepted while the two are connected otherwise: one connection', async () => {
      for (let round = 0; round < rounds; round++, await begin()) {
        const id = await invite('--email', address);
        const done = await together(`accept ${b.externalId} ${id}`, `invite ${b.externalId} ${a.externalId}`);
        expect(done.filter(Boolean)).toHaveLength(1);
      }
    });

    test('units are added, removed and added again while it is revoked: none is lost or counted twice', async () => {
      for (let round = 0; round < rounds; round++, await begin()) {
        const id = await connect();
        const part = (from: number, to: number) => UNITS.slice(from, to).join(' ');
        await admin.json(`connections assets add ${a.externalId} ${id} ${part(0, 10)}`);
        const done = await together(
          `assets add ${a.externalId} ${id} ${part(0, 20)}`,
          `assets add ${b.externalId} ${id} ${part(10, 30)}`,
          `assets remove ${a.externalId} ${id} ${part(0, 5)}`,
          ...(round % 2 === 0 ? [`revoke ${b.externalId} ${id}`] : []),
        );
        const { counted, assets } = await counts(a);
        expect(counted).toBe(assets);
        if (round % 2 === 0) expect(await statusOf(id)).toBe('REVOKED');
        else {
          expect(done).toEqual([true, true, true]);
          expect([25, 30]).toContain(counted);
        }
      }
    });

    const remove = ({ externalId }: typeof a) =>
      admin.json(`organisations delete ${externalId} --yes-delete-everything-of ${externalId}`);

    test('an organisation that is deleted meanwhile has no living connection afterwards', async () => {
      for (let round = 0; round < rounds; round++, await begin()) {
        if (round % 2 === 0)
          await Promise.all([admin.run(`connections invite ${a.externalId} ${b.externalId}`), remove(b)]);
        else {
          const id = await invite();
          await Promise.all([admin.run(`connections accept ${b.externalId} ${id}`), remove(b)]);
        }
        expect((await counts(b)).living).toBe(0);
      }
    });

    test('a new name is seen by every partner, on whichever side', async () => {
      await connect();
      const c = await admin.json(['organisations', 'create', `c${made}`, '--name', 'C']);
      const { data: other } = await admin.json(`connections invite ${c.externalId} ${a.externalId}`);
      await admin.json(['organisations', 'rename', a.externalId, 'Neu GmbH']);
      for (const name of [b.externalId, c.externalId]) {
        const [seen] = await admin.json(`connections list ${name}`);
        expect(seen.counterpart).toEqual({ id: a.id, externalId: a.externalId, name: 'Neu GmbH' });
      }
      expect((await admin.json(`connections show ${a.externalId} ${other.id}`)).counterpart.name).toBe('C');
    });

    test('with an organisation that is deleted its connections end; the partner keeps them, until it is deleted too', async () => {
      const accepted = await connect();
      const before = await admin.json(`connections show ${b.externalId} ${accepted}`);
      const c = await admin.json(['organisations', 'create', `c${made}`, '--name', 'C']);
      const { data: pending } = await admin.json(`connections invite ${c.externalId} ${a.externalId}`);
      await invite('--email', 'somebody@else.example');
      const { out } = await admin.run(
        `organisations delete ${a.externalId} --yes-delete-everything-of ${a.externalId}`,
      );
      expect(out).toMatch(/; 3 connections ended\.\n$/);
      const after = await admin.json(`connections list ${b.externalId}`);
      expect(after).toMatchObject([
        {
          ...{ id: accepted, status: 'REVOKED', answeredAt: before.answeredAt },
          counterpart: { id: a.id, externalId: null, name: `A ${made}` },
        },
      ]);
      expect(after[0].updatedAt > before.updatedAt).toBe(true);
      expect(await admin.json(`connections list ${c.externalId}`)).toMatchObject([
        { id: pending.id, status: 'REVOKED' },
      ]);
      expect((await remove(b)).endedConnections).toBe(0);
      const left = await admin.store.asOperator((session) =>
        session.rows(
          z.strictObject({ id: z.uuid() }),
          sql`SELECT id FROM connections WHERE initiator_id = ${a.id}::uuid`,
        ),
      );
      expect(left).toEqual([]);
    });
  });
}
