import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { BackupDamaged, LineDigest } from '../../../sql/org/backup-file.ts';
import { RestoreRefused } from '../../../sql/org/backup-restore.ts';
import { BackupTargetRefused } from '../../../sql/org/backup-write.ts';
import type { BackupSummary } from '../../../sql/org/driver.ts';
import { MigrationRefused, migrate } from '../../../sql/org/migrate.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { drawn } from '../../support/cases.ts';
import { folderOfTests } from '../../support/exports.ts';
import { everything, fill, namesOfTables } from '../../support/filled-store.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import {
  type Engine,
  MEMORY,
  openFresh,
  openStore,
  POSTGRES,
  PREPARED,
  WITHOUT_TABLES,
} from '../../support/store-engines.ts';

const tests = folderOfTests();
afterAll(() => tests.remove());

let count = 0;
const newFile = (): string => join(tests.path, `backup-${count++}.gz`);

async function withStore<Result>(engine: Engine, work: (store: OrgStore) => Promise<Result>): Promise<Result> {
  const store = await openFresh(engine);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

interface Made {
  readonly file: string;
  readonly held: BackupSummary;
  readonly had: Record<string, readonly string[]>;
}

const made = new Map<Engine, Promise<Made>>();

/** A backup of a filled store, with the content of the store. */
function backupOf(engine: Engine): Promise<Made> {
  const present = made.get(engine) ?? makeBackup(engine);
  made.set(engine, present);
  return present;
}

async function makeBackup(engine: Engine): Promise<Made> {
  const file = newFile();
  return withStore(engine, async (store) => {
    await fill(store, 3000);
    const [held, had] = [await store.backup(file), await everything(store)];
    return { file, held, had };
  });
}

const ENGINES = [PREPARED, POSTGRES];
const PAIRS = ENGINES.flatMap((from) => ENGINES.map((to) => ({ from, to, here: from.here && to.here })));

describe.each(drawn(PAIRS, 2))('from $from.name to $to.name', ({ from, to, here }) => {
  test.skipIf(!here)('restores everything, including usage and audit log', async () => {
    const { file, held, had } = await backupOf(from);
    expect(held.tables.audit_log?.rows).toBe(3000);
    await withStore(to, async (store) => {
      expect(await store.restore(file, false)).toEqual(held);
      expect(await everything(store)).toEqual(had);
      expect(await store.migrate('plan')).toEqual([]);
    });
  });
});

describe.each(ENGINES)('$name', (engine) => {
  const here = engine.here;

  test.skipIf(!here)('writes one file, which only its owner can read', async () => {
    const { file } = await backupOf(engine);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(tests.path).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  test.skipIf(!here)('does not overwrite a file', async () => {
    const file = newFile();
    writeFileSync(file, 'mine');
    await withStore(engine, async (store) => {
      await expect(store.backup(file)).rejects.toThrow(BackupTargetRefused);
      await expect(store.backup(join(tests.path, 'none', 'x'))).rejects.toThrow(
        `There is no folder ${tests.path}/none`,
      );
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test.skipIf(!here)('is a snapshot, while others go on writing', async () => {
    const file = newFile();
    await withStore(engine, async (store) => {
      await fill(store, 5000);
      let writing = true;
      const writes = { before: 0, all: 0 };
      const writer = (async () => {
        // Each makes two rows: a backup with only one of them would be no snapshot.
        for (; writing; writes.all++) {
          await new Promise(setImmediate);
          await store.asOperator(async (session) => {
            const id = crypto.randomUUID();
            await session.run(sql`INSERT INTO audit_log SELECT ${id}::uuid, NULL, now(), 'PUT', '/pair', 200, 1, NULL,
              ${id}::uuid, NULL, NULL, NULL, NULL`);
            await session.run(sql`INSERT INTO job_runs VALUES (${id}, now(), 1, NULL, NULL)`);
          });
        }
      })();
      while (writes.all < 5) await new Promise(setImmediate);
      writes.before = writes.all;
      const { tables } = await store.backup(file);
      const during = writes.all - writes.before;
      writing = false;
      await writer;
      expect(during).toBeGreaterThan(0);
      expect(tables.job_runs!.rows - 1).toBeGreaterThanOrEqual(writes.before);
      expect(tables.job_runs!.rows - 1).toBeLessThanOrEqual(writes.all);
      expect(tables.audit_log!.rows - 5000).toBe(tables.job_runs!.rows - 1);
    });
  });

  test.skipIf(!here)('refuses to restore over organisations unless --replace is given', async () => {
    const { file, had } = await backupOf(engine);
    await withStore(engine, async (store) => {
      await fill(store, 7);
      await makeOrganisation(store);
      const before = await everything(store);
      await expect(store.restore(file, false)).rejects.toThrow(
        'The store has 2 organisations, and nothing was changed. To replace everything in it, add --replace',
      );
      expect(await everything(store)).toEqual(before);
      expect(store.restores()).toBe(0);
      await store.restore(file, true);
      expect(await everything(store)).toEqual(had);
      expect(store.restores()).toBe(1);
    });
  });

  test.skipIf(!here)('migrates an older backup', async () => {
    const older = join(tests.path, `older-${count++}/`);
    cpSync(new URL('../../../sql/org/migrations/', import.meta.url), older, { recursive: true });
    const migrations = readdirSync(older);
    for (const name of migrations) if (name > '0003') rmSync(join(older, name));
    const source = engine === PREPARED ? WITHOUT_TABLES : engine;
    const driver = await source.driver(await source.place());
    await driver.maintenance((transact) => migrate(transact, 'apply', pathToFileURL(older)));
    const old = `INSERT INTO organisations VALUES (gen_random_uuid(), 'old', 'Old', '{}', '{}', '{}', '{}', 1, NULL, now(), now())`;
    await driver.autocommit(old, []);
    const file = newFile();
    const { tables } = await driver.backup(file);
    await driver.close();
    expect(Object.keys(tables)).not.toContain('saved_filters');
    await withStore(engine, async (store) => {
      await fill(store);
      await store.restore(file, true);
      const { organisations, saved_filters: filters, schema_migrations: ran } = await everything(store);
      expect([organisations!.length, filters, ran!.length]).toEqual([1, [], migrations.length]);
      expect(await store.migrate('plan')).toEqual([]);
    });
  });

  test.skipIf(!here)('refuses to restore over a foreign table, and keeps it', async () => {
    const { file } = await backupOf(engine);
    await withStore(engine, async (store) => {
      await store.asOperator((session) => session.run(sql`CREATE TABLE theirs (n integer)`));
      const before = await everything(store);
      const failure = await store.restore(file, true).catch((thrown: unknown) => thrown);
      expect(failure).toBeInstanceOf(RestoreRefused);
      expect(String(failure)).toContain('has a table theirs that is none of the service');
      expect(await everything(store)).toEqual(before);
    });
  });
});

test.skipIf(!POSTGRES.here)('statements during a restore of a server wait and are answered', async () => {
  const { file } = await backupOf(POSTGRES);
  await withStore(POSTGRES, async (store) => {
    const id = await fill(store);
    const one = z.strictObject({ n: z.int() });
    let asking = true;
    const asked = [
      async () => void (await store.autocommit(one, sql`SELECT count(*) AS n FROM organisations`)),
      async () =>
        void (await store.asOrganisation(id, (session) => session.row(one, sql`SELECT count(*) AS n FROM users`))),
    ].map(async (ask) => {
      let times = 0;
      for (; asking; times++) {
        await ask();
        await new Promise(setImmediate);
      }
      return times;
    });
    for (let time = 0; time < 3; time++) await store.restore(file, true);
    asking = false;
    for (const times of await Promise.all(asked)) expect(times).toBeGreaterThan(0);
  });
});

describe('a damaged file changes nothing', () => {
  let store: OrgStore;
  let before: Record<string, readonly string[]>;
  beforeAll(async () => {
    store = await openFresh(PREPARED);
    await fill(store);
    before = await everything(store);
  });
  afterAll(() => store.close());
  afterEach(async () => expect(await everything(store)).toEqual(before));

  const refused = async (file: string, error: new (...words: never[]) => Error, text = '') => {
    const failure = await store.restore(file, true).catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(error);
    expect((failure as Error).message).toContain(text);
  };
  /** Writes the same backup with changed lines. */
  const changed = (file: string, change: (lines: string[]) => readonly string[]): string => {
    const other = newFile();
    writeFileSync(
      other,
      gzipSync(`${change(gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')).join('\n')}\n`),
    );
    return other;
  };

  test('cut off anywhere, or with a byte changed', async () => {
    const { file } = await backupOf(MEMORY);
    const whole = readFileSync(file);
    const broken = [0, 1, 20, whole.length >> 1, whole.length - 9, whole.length - 1].map((at) => whole.subarray(0, at));
    for (const at of [30, whole.length >> 1, whole.length - 6]) {
      const flipped = Buffer.from(whole);
      flipped[at]! ^= 0x10;
      broken.push(flipped);
    }
    for (const bytes of broken) {
      const other = newFile();
      writeFileSync(other, bytes);
      await refused(other, BackupDamaged);
    }
    await refused(join(tests.path, 'none'), BackupDamaged, 'cannot be read: ENOENT');
  });

  test('rows that are missing or changed in a readable file', async () => {
    const { file } = await backupOf(MEMORY);
    const without = changed(file, (lines) =>
      lines.toSpliced(
        lines.findIndex((line) => line.includes('/v1/units/2')),
        1,
      ),
    );
    await refused(without, BackupDamaged, 'the rows of audit_log are not those that were written');
    await refused(
      changed(file, (lines) => lines.slice(0, -1)),
      BackupDamaged,
      'its last line is missing',
    );
  });

  test('a backup of a newer release, or of another text of a migration', async () => {
    const { file } = await backupOf(MEMORY);
    const withHeader = (
      change: (header: { version: number; migrations: { name: string; digest: string }[] }) => void,
    ) =>
      changed(file, ([first = '', ...others]) => {
        const header = JSON.parse(first);
        change(header);
        return [JSON.stringify(header), ...others];
      });
    await refused(
      withHeader(({ migrations }) => migrations.push({ name: '0099_later.sql', digest: 'x' })),
      MigrationRefused,
      'it has run 0099_later.sql',
    );
    await refused(
      withHeader(({ migrations }) => {
        migrations[0]!.digest = 'x';
      }),
      MigrationRefused,
      '0001_organisations.sql is not the text',
    );
    await refused(
      withHeader((header) => {
        header.version = 2;
      }),
      BackupDamaged,
      'which a newer release has written',
    );
  });

  test('rows that the store returns differently are rolled back', async () => {
    const { file } = await backupOf(MEMORY);
    const other = changed(file, (lines) => {
      const at = lines.findIndex((line) => line.startsWith('["sweep"'));
      const row = lines[at]!.replace('"5"', '"05"');
      const summing = new LineDigest();
      summing.add([row]);
      const end = JSON.parse(lines.at(-1)!);
      end.tables.job_runs = summing.sum();
      return [...lines.with(at, row).slice(0, -1), JSON.stringify(end)];
    });
    await refused(other, Error, 'The restore was taken back: the rows of job_runs are not those of the backup');
  });
});

test('a backup has every table of the store, and the schema has nothing else to back up', async () => {
  const { held } = await backupOf(MEMORY);
  for (const [table, { rows }] of Object.entries(held.tables)) expect(rows, table).toBeGreaterThan(0);
  const driver = await WITHOUT_TABLES.driver(await WITHOUT_TABLES.place());
  await driver.maintenance((transact) => migrate(transact, 'apply'));
  expect((await namesOfTables(driver)).toSorted()).toEqual(Object.keys(held.tables).toSorted());
  // Sequences, materialized views, foreign and partitioned tables would have contents of their own.
  const others =
    "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('S', 'm', 'f', 'p')";
  expect(await driver.autocommit(others, [])).toEqual([]);
  const unlogged =
    "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relpersistence = 'u' AND relkind = 'r'";
  expect(await driver.autocommit(unlogged, [])).toEqual([{ relname: 'limit_windows' }]);
  await driver.close();
});

test('opening the store removes the copy of a killed backup', async () => {
  const url = await PREPARED.place();
  const copy = `${url.slice('pglite:'.length)}.copy`;
  cpSync(url.slice('pglite:'.length), copy, { recursive: true });
  await (await openStore(url)).close();
  expect(existsSync(copy)).toBe(false);
});
