import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { openPostgres } from '../../../sql/org/postgres.ts';
import { sql } from '../../../sql/org/statement.ts';
import { type OrgStore, StoreUnavailable } from '../../../sql/org/store.ts';
import { asSuperuser, freshDatabase, onServer } from '../../support/database.ts';
import { GUARDED, type PostgresServer, postgresPrograms, startPostgres } from '../../support/postgres.ts';
import { openStore, POSTGRES, SILENT } from '../../support/store-engines.ts';

const SECRET = 'Geheim-und-falsch';

/** Every text that a log could write of an error. */
const allOf = (error: unknown): string => inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error);

/** The message of the error on opening. */
const refusal = (url: string): Promise<Error> =>
  openStore(url).then(
    async (store) => {
      await store.close();
      throw new Error('It was opened');
    },
    (error: Error) => error,
  );

const anything = z.record(z.string(), z.unknown());
const numbered = z.strictObject({ n: z.int() });

describe.skipIf(!POSTGRES.here)(POSTGRES.name, () => {
  let url: string;
  let store: OrgStore;
  beforeAll(async () => {
    url = await freshDatabase();
    store = await openStore(url);
  });
  afterAll(() => store?.close());

  it('reports the state of its connections', async () => {
    const gate = Promise.withResolvers<void>();
    const held = Array.from({ length: 12 }, () => store.asOperator(() => gate.promise));
    const transactions = () => store.pools().find(({ pool }) => pool === 'transactions');
    try {
      await expect.poll(transactions).toEqual({ pool: 'transactions', busy: 10, idle: 0, waiting: 2 });
    } finally {
      gate.resolve();
      await Promise.all(held);
    }
    expect(transactions()).toEqual({ pool: 'transactions', busy: 0, idle: 10, waiting: 0 });
  });

  describe('is refused', () => {
    it('when the user bypasses row-level security', async () => {
      const superuser = await refusal(asSuperuser(url));
      expect(superuser.message).toMatch(/^The database user postgres stands above row-level security.*CREATE ROLE/s);
      const name = new URL(url).username;
      await onServer(asSuperuser(url), `ALTER ROLE ${name} BYPASSRLS`);
      expect((await refusal(url)).message).toContain(`The database user ${name} stands above`);
      await onServer(asSuperuser(url), `ALTER ROLE ${name} NOBYPASSRLS`);
    });

    it('when the password is wrong, without quoting it', async () => {
      await onServer(asSuperuser(url), `CREATE ROLE ${GUARDED} LOGIN PASSWORD 'right'`);
      const wrong = new URL(url);
      wrong.username = GUARDED;
      wrong.password = SECRET;
      const error = await refusal(wrong.href);
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(error.message).toContain(`password authentication failed for user "${GUARDED}"`);
      expect(error.message).toContain(`postgres://${GUARDED}@127.0.0.1`);
      expect(allOf(error)).not.toContain(SECRET);
    });

    it('when the database is missing, or no server listens', async () => {
      const unknown = new URL(url);
      unknown.pathname = 'nowhere';
      expect((await refusal(unknown.href)).message).toContain('database "nowhere" does not exist');

      const error = await refusal(`postgres://me:${SECRET}@127.0.0.1:1/org`);
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(error.message).toMatch(/^postgres:\/\/me@127\.0\.0\.1:1\/org: .*ECONNREFUSED/);
      expect(allOf(error)).not.toContain(SECRET);
    });

    it.each([
      `postgres://me:${SECRET}@host:port/org`,
      `postgres://me:${SECRET}@/org`,
      `postgres://me:${SECRET}%@host/org`,
    ])('when the URL is invalid, without quoting it: %s', async (broken) => {
      const error = await refusal(broken);
      expect(allOf(error)).not.toContain(SECRET);
    });
  });

  it('names its URL without secrets', async () => {
    const secret = new URL(url);
    secret.password = SECRET;
    secret.search = `application_name=tests&x=${SECRET}`;
    const other = await openStore(secret.href);
    expect(other.place).toBe(url);
    expect(inspect(other, { depth: 10 })).not.toContain(SECRET);
    await other.close();
  });

  describe('configures every connection', () => {
    const settings = z.strictObject({
      pid: z.int(),
      zone: z.string(),
      style: z.string(),
      isolation: z.string(),
      statement: z.string(),
      idle: z.string(),
      commit: z.string(),
      scope: z.string().nullable(),
    });
    const question = sql`SELECT pg_backend_pid() AS pid, current_setting('TimeZone') AS zone,
      current_setting('DateStyle') AS style, current_setting('transaction_isolation') AS isolation,
      current_setting('statement_timeout') AS statement,
      current_setting('idle_in_transaction_session_timeout') AS idle,
      current_setting('synchronous_commit') AS commit, nullif(current_setting('app.organisation', true), '') AS scope
      FROM pg_sleep(0.1)`;
    const expected = { zone: 'UTC', style: 'ISO, DMY', isolation: 'read committed', statement: '15s', idle: '15s' };

    let other: OrgStore;
    beforeAll(async () => {
      const elsewhere = await freshDatabase();
      const name = new URL(elsewhere).pathname.slice(1);
      for (const setting of [
        "TimeZone = 'Asia/Kolkata'",
        "DateStyle = 'German'",
        "default_transaction_isolation = 'serializable'",
        "statement_timeout = '1h'",
      ]) {
        await onServer(elsewhere, `ALTER DATABASE ${name} SET ${setting}`);
      }
      // Options of the URL do not interfere.
      other = await openStore(`${elsewhere}?options=-c%20app.organisation%3Dnobody%20-c%20TimeZone%3DJapan`);
    });
    afterAll(() => other?.close());

    it('of transactions alike, with the organisation of each', async () => {
      const id = '0199aaaa-0000-7000-8000-000000000000';
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => other.asOrganisation(id, (session) => session.rows(settings, question))),
      );
      for (const [answer] of answers) expect(answer).toMatchObject({ ...expected, commit: 'on', scope: id });
      expect(new Set(answers.flat().map(({ pid }) => pid)).size).toBe(10);
    });

    it('of single statements alike, for all organisations', async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, () => other.autocommit(settings, question)));
      for (const [answer] of answers) expect(answer).toMatchObject({ ...expected, commit: 'off', scope: '*' });
      expect(new Set(answers.flat().map(({ pid }) => pid)).size).toBe(4);
    });

    it('of migrations without time limits', async () => {
      const driver = await openPostgres(url, SILENT);
      const limits = await driver.maintenance((transact) =>
        transact((connection) =>
          connection.query(
            `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
               current_setting('app.organisation') AS scope, current_setting('TimeZone') AS zone`,
            [],
          ),
        ),
      );
      expect(limits.rows).toEqual([{ statement: '0', lock: '0', scope: '*', zone: 'UTC' }]);
      await driver.close();
    });
  });

  describe('keeps prepared statements', () => {
    it('usable when another session adds or changes a column', async () => {
      await onServer(url, 'CREATE TABLE things (n integer); INSERT INTO things VALUES (1)');
      const all = sql`SELECT * FROM things, pg_sleep(0.02)`;
      // These run on every connection of both pools.
      const everywhere = (question: typeof all) =>
        Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            index % 2 === 0
              ? store.autocommit(anything, question)
              : store.asOperator((session) => session.rows(anything, question)),
          ),
        );
      const named = sql`SELECT n FROM things`;
      await everywhere(all);
      await everywhere(named);

      await onServer(url, "ALTER TABLE things ADD COLUMN name text DEFAULT 'new'");
      const widened = [{ n: 1, name: 'new', pg_sleep: '' }];
      expect(await everywhere(all)).toEqual(Array.from({ length: 20 }, () => widened));
      expect(await everywhere(named)).toEqual(Array.from({ length: 20 }, () => [{ n: 1 }]));

      await onServer(url, 'ALTER TABLE things ALTER COLUMN n TYPE text');
      expect(await everywhere(named)).toEqual(Array.from({ length: 20 }, () => [{ n: '1' }]));
    });

    it('once for each text and connection', async () => {
      const question = sql`SELECT count(*) AS n FROM pg_prepared_statements WHERE statement LIKE '%pg_prepared_statements%'`;
      for (let round = 0; round < 5; round++) expect(await store.autocommit(numbered, question)).toEqual([{ n: 1 }]);
    });

    it('and connections, when a statement fails', async () => {
      const pid = z.strictObject({ pid: z.int() });
      const before = await store.autocommit(pid, sql`SELECT pg_backend_pid() AS pid`);
      await expect(store.autocommit(anything, sql`SELECT 1 / 0`)).rejects.toMatchObject({ code: '22012' });
      expect(await store.autocommit(pid, sql`SELECT pg_backend_pid() AS pid`)).toEqual(before);
    });
  });

  describe('continues when connections break', () => {
    const others = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    /** Waits until the broken connections are noticed. */
    const noticed = () => sleep(100);
    const goesOn = () =>
      vi.waitFor(async () => {
        for (let connection = 0; connection < 4; connection++) await store.autocommit(numbered, sql`SELECT 1 AS n`);
        await store.asOperator((session) => session.row(numbered, sql`SELECT 2 AS n`));
      });

    it('while they are idle, and logs it without secrets', async () => {
      const said: string[] = [];
      const log = pino({ level: 'debug' }, { write: (line: string) => void said.push(line) });
      const secret = new URL(url);
      secret.password = SECRET;
      const driver = await openPostgres(secret.href, log);
      await Promise.all(Array.from({ length: 4 }, () => driver.autocommit('SELECT pg_sleep(0.05)', [])));
      await onServer(url, others.text);
      await expect
        .poll(() => said.filter((line) => line.includes('a connection to the organisation store broke')).length)
        .toBe(4);
      expect(await driver.autocommit('SELECT 1 AS n', [])).toEqual([{ n: 1 }]);
      expect(said.join('')).not.toContain(SECRET);
      // The log has names and reasons, but no internals of the driver.
      expect(Math.max(...said.map(({ length }) => length))).toBeLessThan(400);
      await driver.close();
    });

    it('in the middle of a transaction, which is rolled back', async () => {
      await onServer(url, 'CREATE TABLE broken (n integer)');
      const between = store.asOperator(async (session) => {
        await session.run(sql`INSERT INTO broken VALUES (1)`);
        await onServer(url, others.text);
        await noticed();
        await session.run(sql`INSERT INTO broken VALUES (2)`);
      });
      await expect(between).rejects.toThrow(StoreUnavailable);
      const atCommit = store.asOperator(async (session) => {
        await session.run(sql`INSERT INTO broken VALUES (3)`);
        await onServer(url, others.text);
        await noticed();
      });
      await expect(atCommit).rejects.toThrow(StoreUnavailable);
      await goesOn();
      expect(await store.autocommit(numbered, sql`SELECT n FROM broken`)).toEqual([]);
    });

    it('in the middle of a statement', async () => {
      const slow = [
        store.autocommit(anything, sql`SELECT pg_sleep(10)`),
        store.asOperator((session) => session.run(sql`SELECT pg_sleep(10)`)),
      ].map((running) => expect(running).rejects.toThrow(/does not answer: terminating connection/));
      const asleep = "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(10)' AND state = 'active'";
      await expect.poll(() => onServer(url, asleep)).toHaveLength(2);
      await onServer(url, others.text);
      await Promise.all(slow);
      await goesOn();
    });

    it('even when work does not await a statement that it started', async () => {
      let forgotten: Promise<unknown> = Promise.resolve();
      const hasty = store.asOperator(async (session) => {
        forgotten = session.run(sql`SELECT pg_sleep(0.1)`);
        throw new Error('hasty');
      });
      await expect(hasty).rejects.toThrow('hasty');
      await forgotten.catch(() => {});
      expect(await store.asOperator((session) => session.row(numbered, sql`SELECT 3 AS n`))).toEqual({ n: 3 });
    });
  });
});

describe.skipIf(!POSTGRES.here)(`a server of its own: ${POSTGRES.name}`, () => {
  let server: PostgresServer;
  let store: OrgStore;
  const start = async (port?: number) => {
    server = await startPostgres(postgresPrograms()!, port);
    await onServer(server.url, 'CREATE ROLE energy LOGIN');
    await onServer(server.url, 'CREATE DATABASE energy OWNER energy');
  };
  beforeAll(async () => {
    await start();
    store = await openStore(`postgres://energy@127.0.0.1:${server.port}/energy`);
  });
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  it('is unavailable while it is stopped, and used again afterwards', async () => {
    expect(await store.autocommit(numbered, sql`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
    const running = expect(store.asOperator((session) => session.run(sql`SELECT pg_sleep(10)`))).rejects.toThrow(
      StoreUnavailable,
    );
    await sleep(200);
    await server.stop();
    await running;
    await expect(store.autocommit(numbered, sql`SELECT 1 AS n`)).rejects.toThrow(StoreUnavailable);
    await expect(store.asOperator(async () => 1)).rejects.toThrow(StoreUnavailable);
    await expect(store.migrate('plan')).rejects.toThrow(StoreUnavailable);

    await start(server.port);
    expect(await store.autocommit(numbered, sql`SELECT 2 AS n`)).toEqual([{ n: 2 }]);
    expect(await store.asOperator((session) => session.row(numbered, sql`SELECT 3 AS n`))).toEqual({ n: 3 });
  });

  it('is unavailable while it has no connection left', async () => {
    const url = `postgres://energy@127.0.0.1:${server.port}/energy`;
    await onServer(server.url, 'ALTER ROLE energy CONNECTION LIMIT 6');
    const other = new pg.Client(url);
    await other.connect();
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, () => store.asOperator((session) => session.run(sql`SELECT pg_sleep(0.2)`))),
    );
    await other.end();
    const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures) expect(failure).toBeInstanceOf(StoreUnavailable);
    expect(failures[0].message).toContain('too many connections for role "energy"');
    await onServer(server.url, 'ALTER ROLE energy CONNECTION LIMIT -1');
    expect(await store.asOperator((session) => session.row(numbered, sql`SELECT 4 AS n`))).toEqual({ n: 4 });
  });
});
