import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ALL_ORGANISATIONS, type Driver } from '../../../sql/org/driver.ts';
import { MigrationRefused, migrate } from '../../../sql/org/migrate.ts';
import { onServer } from '../../support/database.ts';
import { folderOfTests } from '../../support/exports.ts';
import { openStore, POSTGRES, WITHOUT_TABLES } from '../../support/store-engines.ts';

const tests = folderOfTests();
afterAll(() => tests.remove());

let count = 0;

/** Makes a folder with these migrations. */
function folderOf(files: Record<string, string>): {
  url: URL;
  write(name: string, text: string): void;
  remove(name: string): void;
} {
  const path = join(tests.path, String(count++));
  mkdirSync(path);
  const write = (name: string, text: string) => writeFileSync(join(path, name), text);
  for (const [name, text] of Object.entries(files)) write(name, text);
  return { url: pathToFileURL(`${path}/`), write, remove: (name) => rmSync(join(path, name)) };
}

const FILES = {
  '0001_first.sql': "CREATE TABLE steps (n serial, name text); INSERT INTO steps (name) VALUES ('first');",
  '0002_second.sql': "INSERT INTO steps (name) VALUES ('second');",
  '0010_third.sql': "INSERT INTO steps (name) VALUES ('third');",
  'README.md': 'No migration.',
};

const OWN = readdirSync(new URL('../../../sql/org/migrations/', import.meta.url)).toSorted();

for (const engine of [WITHOUT_TABLES, POSTGRES]) {
  describe.skipIf(!engine.here)(`migrations: ${engine.name}`, () => {
    let driver: Driver;
    beforeAll(async () => {
      driver = await engine.driver(await engine.place());
    });
    afterAll(() => driver?.close());
    beforeEach(async () => {
      for (const { name } of await tables()) await query(`DROP TABLE ${name}`);
    });

    const run = (how: 'apply' | 'plan', folder: { url: URL }) =>
      driver.maintenance((transact) => migrate(transact, how, folder.url));
    const query = (text: string) => driver.autocommit(text, []);
    const steps = async () =>
      ((await query('SELECT name FROM steps ORDER BY n')) as { name: string }[]).map(({ name }) => name);
    const tables = async () =>
      (await query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")) as {
        name: string;
      }[];

    it('run once, in the order of their names', async () => {
      const folder = folderOf(FILES);
      expect(await run('apply', folder)).toEqual(['0001_first.sql', '0002_second.sql', '0010_third.sql']);
      expect(await steps()).toEqual(['first', 'second', 'third']);
      expect(await run('apply', folder)).toEqual([]);
      expect(await steps()).toEqual(['first', 'second', 'third']);

      folder.write('0011_fourth.sql', "INSERT INTO steps (name) VALUES ('fourth')");
      expect(await run('apply', folder)).toEqual(['0011_fourth.sql']);
      expect(await steps()).toEqual(['first', 'second', 'third', 'fourth']);
    });

    it('are only listed by a plan', async () => {
      const folder = folderOf(FILES);
      expect(await run('plan', folder)).toEqual(['0001_first.sql', '0002_second.sql', '0010_third.sql']);
      expect(await tables()).toEqual([]);
      await run('apply', folder);
      expect(await run('plan', folder)).toEqual([]);
      folder.write('0011_fourth.sql', 'CREATE TABLE fourth ()');
      expect(await run('plan', folder)).toEqual(['0011_fourth.sql']);
      expect(await tables()).toEqual([{ name: 'schema_migrations' }, { name: 'steps' }]);
    });

    it('are refused when the text of a finished one has changed', async () => {
      const folder = folderOf(FILES);
      await run('apply', folder);
      folder.write('0002_second.sql', `${FILES['0002_second.sql']} -- better`);
      for (const how of ['apply', 'plan'] as const) {
        await expect(run(how, folder)).rejects.toThrow(MigrationRefused);
        await expect(run(how, folder)).rejects.toThrow('0002_second.sql is not the text that made this');
      }
    });

    it('are refused when the store is of a newer release', async () => {
      const folder = folderOf(FILES);
      await run('apply', folder);
      folder.remove('0010_third.sql');
      await expect(run('apply', folder)).rejects.toThrow(MigrationRefused);
      await expect(run('plan', folder)).rejects.toThrow('of a newer release: it has run 0010_third.sql');
    });

    it('are refused when a new one comes before finished ones', async () => {
      const folder = folderOf(FILES);
      await run('apply', folder);
      folder.write('0003_late.sql', 'CREATE TABLE late ()');
      await expect(run('apply', folder)).rejects.toThrow(MigrationRefused);
      await expect(run('apply', folder)).rejects.toThrow('0003_late.sql has not run, but later ones have');
    });

    it('roll a failing one back, and keep those before it', async () => {
      const folder = folderOf({
        ...FILES,
        '0011_broken.sql': "CREATE TABLE half (); INSERT INTO steps (name) VALUES ('half'); SELECT 1 / 0;",
        '0012_next.sql': 'CREATE TABLE next ()',
      });
      await expect(run('apply', folder)).rejects.toThrow(
        'Migration 0011_broken.sql failed, nothing of it was kept: division by zero',
      );
      expect(await steps()).toEqual(['first', 'second', 'third']);
      expect(await tables()).toEqual([{ name: 'schema_migrations' }, { name: 'steps' }]);

      folder.write('0011_broken.sql', 'CREATE TABLE whole ()');
      expect(await run('apply', folder)).toEqual(['0011_broken.sql', '0012_next.sql']);
    });

    it('see and change the rows of all organisations', async () => {
      const policy = `CREATE TABLE things (organisation_id uuid, n integer);
        ALTER TABLE things ENABLE ROW LEVEL SECURITY; ALTER TABLE things FORCE ROW LEVEL SECURITY;
        CREATE POLICY own ON things
          USING (current_setting('app.organisation', true) IN ('*', organisation_id::text));
        INSERT INTO things VALUES ('0199aaaa-0000-7000-8000-000000000000', 1), ('0199bbbb-0000-7000-8000-000000000000', 1)`;
      const folder = folderOf({ '0001_things.sql': policy });
      await run('apply', folder);
      folder.write('0002_more.sql', 'UPDATE things SET n = n + 1');
      await run('apply', folder);
      expect(await query('SELECT n FROM things')).toEqual([{ n: 2 }, { n: 2 }]);
    });

    it('let no other statement into their transaction', async () => {
      const folder = folderOf({ '0001_slow.sql': 'CREATE TABLE slow (n integer); SELECT pg_sleep(0.3); SELECT 1 / 0' });
      const failing = run('apply', folder);
      const other = query('CREATE TABLE other ()');
      await expect(failing).rejects.toThrow('0001_slow.sql');
      await other;
      expect(await tables()).toEqual([{ name: 'other' }]);
    });

    it('of this release create the store', async () => {
      const store = await openStore(await engine.place());
      expect(await store.migrate('plan')).toEqual(OWN);
      expect(await store.migrate('apply')).toEqual(OWN);
      expect(await store.migrate('apply')).toEqual([]);
      expect(await store.migrate('plan')).toEqual([]);
      await store.close();
    });
  });
}

describe.skipIf(!POSTGRES.here)(`migrations of several instances: ${POSTGRES.name}`, () => {
  it('run once, and all instances come up, when they start at the same time', async () => {
    const url = await POSTGRES.place();
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(url)));
    const ran = await Promise.all(stores.map((store) => store.migrate('apply')));
    expect(ran.flat().toSorted()).toEqual(OWN);
    for (const store of stores) expect(await store.migrate('plan')).toEqual([]);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('wait for another instance, and take as long as they need', async () => {
    const url = await POSTGRES.place();
    // An administrator may have set it for the user of the service.
    await onServer(url, "ALTER ROLE CURRENT_USER SET statement_timeout = '300ms'");
    await onServer(url, "ALTER ROLE CURRENT_USER SET lock_timeout = '300ms'");
    const folder = folderOf({ '0001_slow.sql': 'SELECT pg_sleep(0.7)', '0002_table.sql': 'CREATE TABLE made ()' });
    const doors = await Promise.all([POSTGRES.driver(url), POSTGRES.driver(url)]);
    const ran = await Promise.all(
      doors.map((driver) => driver.maintenance((transact) => migrate(transact, 'apply', folder.url))),
    );
    expect(ran.flat().toSorted()).toEqual(['0001_slow.sql', '0002_table.sql']);
    await Promise.all(doors.map((driver) => driver.close()));
  });

  it('release the lock when an instance is killed', async () => {
    const url = await POSTGRES.place();
    const folder = folderOf({ '0001_killed.sql': 'SELECT pg_terminate_backend(pg_backend_pid())' });
    const driver = await POSTGRES.driver(url);
    const run = () => driver.maintenance((transact) => migrate(transact, 'apply', folder.url));
    await expect(run()).rejects.toThrow('Migration 0001_killed.sql failed');
    folder.write('0001_killed.sql', 'CREATE TABLE made ()');
    expect(await run()).toEqual(['0001_killed.sql']);
    await driver.transaction(ALL_ORGANISATIONS, (connection) => connection.query('SELECT FROM made', []));
    await driver.close();
  });
});
