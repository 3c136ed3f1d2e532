import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type StoreStatement, sql } from '../../../sql/org/statement.ts';
import { type OrgStore, type Session, StoreUnavailable } from '../../../sql/org/store.ts';
import { MEMORY, openFresh, openStore, POSTGRES, PREPARED, THREADED } from '../../support/store-engines.ts';

const anything = z.record(z.string(), z.unknown());

for (const engine of [MEMORY, PREPARED, THREADED, POSTGRES]) {
  describe.skipIf(!engine.here)(`the organisation store: ${engine.name}`, () => {
    let store: OrgStore;
    beforeAll(async () => {
      store = await openFresh(engine);
    });
    afterAll(() => store?.close());

    const query = (statement: StoreStatement) => store.asOperator((session) => session.row(anything, statement));

    const make = (table: StoreStatement) => store.asOperator((session) => session.run(table));

    describe('returns', () => {
      it('all rows, the first row, or none', async () => {
        const numbers = sql`SELECT n FROM generate_series(1, 3) AS n`;
        const row = z.strictObject({ n: z.int() });
        expect(await store.asOperator((session) => session.rows(row, numbers))).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
        expect(await store.asOperator((session) => session.row(row, numbers))).toEqual({ n: 1 });
        expect(await store.asOperator((session) => session.row(row, sql`SELECT 1 AS n WHERE false`))).toBeNull();
        expect(await store.autocommit(row, numbers)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
      });

      it('the number of rows that a statement changed', async () => {
        await make(sql`CREATE TABLE changes (n integer)`);
        const counts = await store.asOperator(async (session) => [
          await session.run(sql`INSERT INTO changes VALUES (1), (2), (3)`),
          await session.run(sql`UPDATE changes SET n = n + 1 WHERE n > ${1}`),
          await session.run(sql`UPDATE changes SET n = 0 WHERE n = ${99}`),
          await session.run(sql`DELETE FROM changes WHERE n = ${4} RETURNING n`),
          await session.run(sql`SELECT n FROM changes`),
          await session.run(sql`CREATE TABLE more_changes ()`),
        ]);
        expect(counts).toEqual([3, 2, 0, 1, 0, 0]);
      });

      it('an error for rows of another shape', async () => {
        const wrong = store.autocommit(z.strictObject({ n: z.string() }), sql`SELECT 1 AS n`);
        await expect(wrong).rejects.toThrow(/not what was expected[\s\S]*SELECT 1 AS n/);
      });
    });

    describe('binds', () => {
      const texts = [
        'a',
        '',
        ' ',
        'NULL',
        'null',
        'a,b',
        '"quoted"',
        "o'clock",
        'back\\slash',
        '{x}',
        'ä€😀',
        'a\nb\t',
      ];

      it('texts of every kind, alone and in arrays', async () => {
        for (const text of texts) expect(await query(sql`SELECT ${text}::text AS v`)).toEqual({ v: text });
        expect(await query(sql`SELECT ${texts}::text[] AS v`)).toEqual({ v: texts });
        expect(await query(sql`SELECT ${[]}::text[] AS v`)).toEqual({ v: [] });
        expect(await query(sql`SELECT 'b' = ANY (${['a', 'b']}) AS v`)).toEqual({ v: true });
      });

      it('numbers, booleans, arrays of numbers and null', async () => {
        expect(
          await query(sql`SELECT ${7}::integer AS i, ${2 ** 53 - 1}::bigint AS b, ${-0.5}::double precision AS d,
            ${true}::boolean AS yes, ${false}::boolean AS no, ${[3, 1]}::integer[] AS a,
            ${null}::text AS nothing, ${null}::text[] AS none, ${null}::timestamptz AS never`),
        ).toEqual({
          i: 7,
          b: 2 ** 53 - 1,
          d: -0.5,
          yes: true,
          no: false,
          a: [3, 1],
          nothing: null,
          none: null,
          never: null,
        });
      });

      it('objects as JSON', async () => {
        const value = { a: [1, { b: null }], text: 'ä"\\', no: false };
        expect(await query(sql`SELECT ${JSON.stringify(value)}::text::jsonb AS v`)).toEqual({ v: value });
        expect(await query(sql`SELECT ${'"text"'}::text::jsonb AS v, 'null'::jsonb AS n`)).toEqual({
          v: 'text',
          n: null,
        });
      });

      it('timestamps of any offset', async () => {
        expect(
          await query(sql`SELECT ${'2026-03-29T03:00:00+02:00'}::timestamptz AS a, ${'2026-03-29'}::date AS b`),
        ).toEqual({ a: '2026-03-29T01:00:00.000Z', b: '2026-03-29' });
      });
    });

    describe('answers', () => {
      it('timestamps as RFC 3339 in UTC with milliseconds, whole or not', async () => {
        expect(
          await query(sql`SELECT timestamptz '2026-11-21 07:00:00+01' AS whole, timestamptz '2026-11-21 06:00:00.5Z' AS half,
            timestamptz '2026-11-21 06:00:00.123999Z' AS micro, timestamptz '0999-01-01 00:00:00Z' AS old`),
        ).toEqual({
          whole: '2026-11-21T06:00:00.000Z',
          half: '2026-11-21T06:00:00.500Z',
          micro: '2026-11-21T06:00:00.123Z',
          old: '0999-01-01T00:00:00.000Z',
        });
      });

      it('infinity unchanged', async () => {
        expect(await query(sql`SELECT timestamptz 'infinity' AS v`)).toEqual({ v: 'infinity' });
      });

      it('days, counts, UUIDs, JSON and booleans in their own types', async () => {
        expect(
          await query(sql`SELECT date '2024-02-29' AS day, count(*) AS count, sum(n) AS sum, bool_and(n > 0) AS positive,
            uuid '0199ABCD-0000-7000-8000-000000000000' AS id, jsonb_build_object('n', max(n)) AS json
            FROM generate_series(1, 3) AS n`),
        ).toEqual({
          day: '2024-02-29',
          count: 3,
          sum: 6,
          positive: true,
          id: '0199abcd-0000-7000-8000-000000000000',
          json: { n: 3 },
        });
      });

      it('errors that carry the code of Postgres, and no values', async () => {
        await make(sql`CREATE TABLE singles (name text PRIMARY KEY)`);
        const twice = (session: Session) => session.run(sql`INSERT INTO singles VALUES (${'secret'}), (${'secret'})`);
        const error = await store.asOperator(twice).catch((thrown: Error) => thrown);
        expect(error).toMatchObject({ code: '23505', constraint: 'singles_pkey' });
        expect(error).not.toHaveProperty('params');
      });
    });

    describe('a transaction', () => {
      it('is rolled back when its work throws', async () => {
        await make(sql`CREATE TABLE kept (n integer)`);
        const failing = store.asOperator(async (session) => {
          await session.run(sql`INSERT INTO kept VALUES (1)`);
          throw new Error('changed my mind');
        });
        await expect(failing).rejects.toThrow('changed my mind');
        expect(await query(sql`SELECT count(*) AS n FROM kept`)).toEqual({ n: 0 });
      });

      it('is rolled back when a statement failed, even if the work went on', async () => {
        await make(sql`CREATE TABLE lost (n integer)`);
        const careless = store.asOperator(async (session) => {
          await session.run(sql`INSERT INTO lost VALUES (1)`);
          await session.run(sql`INSERT INTO lost VALUES (1 / 0)`).catch(() => {});
        });
        await expect(careless).rejects.toThrow();
        expect(await query(sql`SELECT count(*) AS n FROM lost`)).toEqual({ n: 0 });
      });

      it('that only reads leaves the count of changes, and refuses to write', async () => {
        await make(sql`CREATE TABLE left_alone (n integer)`);
        await make(sql`GRANT ALL ON left_alone TO PUBLIC`);
        const read = (statement: StoreStatement) =>
          store.asOrganisation(randomUUID(), (session) => session.row(anything, statement), 'reads');
        const before = store.changes();
        expect(await read(sql`SELECT count(*) AS n FROM left_alone`)).toEqual({ n: 0 });
        await expect(read(sql`INSERT INTO left_alone VALUES (1) RETURNING n`)).rejects.toThrow(/read-only/);
        expect(store.changes()).toBe(before);
      });

      it('that may write counts as a change when it begins and when it ends', async () => {
        const before = store.changes();
        const during = [
          await store.asOperator(async () => store.changes()),
          await store.asOrganisation(randomUUID(), async () => store.changes()),
          await store.asOperator(() => Promise.reject(new Error('over'))).catch(() => store.changes()),
        ];
        expect(during).toEqual([before + 1, before + 3, before + 6]);
      });

      it('continues after a failure caught at a savepoint', async () => {
        await make(sql`CREATE TABLE saved (n integer)`);
        await store.asOperator(async (session) => {
          await session.run(sql`INSERT INTO saved VALUES (1)`);
          await session.run(sql`SAVEPOINT before`);
          await session.run(sql`INSERT INTO saved VALUES (1 / 0)`).catch(() => session.run(sql`ROLLBACK TO before`));
        });
        expect(await query(sql`SELECT count(*) AS n FROM saved`)).toEqual({ n: 1 });
      });

      it('admits no statement from outside', async () => {
        await make(sql`CREATE TABLE slips (n integer)`);
        let other: Promise<unknown> = Promise.resolve();
        const failing = store.asOperator(async (session) => {
          await session.run(sql`INSERT INTO slips VALUES (1)`);
          other = store.autocommit(anything, sql`INSERT INTO slips VALUES (2)`);
          await session.run(sql`INSERT INTO slips VALUES (3)`);
          throw new Error('over');
        });
        await expect(failing).rejects.toThrow('over');
        await other;
        expect(await store.autocommit(anything, sql`SELECT n FROM slips`)).toEqual([{ n: 2 }]);
      });

      it('refuses statements after its end', async () => {
        let kept: Session | undefined;
        await store.asOperator(async (session) => {
          kept = session;
        });
        await expect(kept!.run(sql`SELECT 1`)).rejects.toThrow(/closed|after the end/);
      });

      it('runs next to many others', async () => {
        await make(sql`CREATE TABLE many (n integer)`);
        const writes = Array.from({ length: 60 }, (_, n) =>
          store.asOperator(async (session) => {
            await session.run(sql`INSERT INTO many VALUES (${n})`);
            return session.row(anything, sql`SELECT ${n}::integer AS n`);
          }),
        );
        expect(await Promise.all(writes)).toEqual(writes.map((_, n) => ({ n })));
        expect(await query(sql`SELECT count(DISTINCT n) AS n FROM many`)).toEqual({ n: 60 });
      });

      it('is repeated after a deadlock', async () => {
        await make(sql`CREATE TABLE pairs (id integer PRIMARY KEY, n integer)`);
        await store.asOperator((session) => session.run(sql`INSERT INTO pairs VALUES (1, 0), (2, 0)`));
        // Each locks its first row, and waits for the other to lock its own.
        const both = (first: number, second: number) =>
          store.asOperator(async (session) => {
            await session.run(sql`UPDATE pairs SET n = n + 1 WHERE id = ${first}`);
            await session.run(sql`SELECT pg_sleep(0.2)`);
            await session.run(sql`UPDATE pairs SET n = n + 1 WHERE id = ${second}`);
          });
        await Promise.all([both(1, 2), both(2, 1)]);
        expect(await store.autocommit(anything, sql`SELECT n FROM pairs`)).toEqual([{ n: 2 }, { n: 2 }]);
      });
    });

    it('closes when running work has ended, and refuses later work', async () => {
      const other = await openStore(await engine.place(), engine.thread);
      const early = other.autocommit(anything, sql`SELECT 1 AS n FROM pg_sleep(0.2)`);
      const running = other.asOperator(async (session) => {
        await session.run(sql`SELECT pg_sleep(0.1)`);
        return session.row(anything, sql`SELECT 2 AS n`);
      });
      // Both have begun before the store closes.
      await other.autocommit(anything, sql`SELECT`);
      const closed = other.close();
      const late = other.autocommit(anything, sql`SELECT 3 AS n`);
      await expect(late).rejects.toThrow(StoreUnavailable);
      expect(await early).toEqual([{ n: 1 }]);
      expect(await running).toEqual({ n: 2 });
      await closed;
      await other.close();
      await expect(other.asOperator(async () => 1)).rejects.toThrow(StoreUnavailable);
    });
  });
}
