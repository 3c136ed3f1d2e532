import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Locked } from '../../../runtime/lock-file.ts';
import { StoreRefused } from '../../../sql/org/driver.ts';
import { sql } from '../../../sql/org/statement.ts';
import { waitForExit, waitForOutput } from '../../support/command.ts';
import { QUICK_START } from '../../support/environment.ts';
import { folderOfTests } from '../../support/exports.ts';
import { putStore } from '../../support/prepared-store.ts';
import { openStore } from '../../support/store-engines.ts';

const tests = folderOfTests();
afterAll(() => tests.remove());

let count = 0;
const newFolder = (): string => join(tests.path, `org-${count++}`);

/** Makes a folder with a store that was closed. */
async function storeFolder(): Promise<string> {
  const folder = newFolder();
  await putStore(folder);
  return folder;
}

const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

/** Starts a process that opens the store of a folder, migrates it and runs a script on it. */
function processWith(folder: string, work: string): ChildProcess {
  const from = (path: string) => JSON.stringify(new URL(`../../../${path}`, import.meta.url).href);
  const text = `
    import { openOrgStore } from ${from('sql/org/store.ts')};
    import { sql } from ${from('sql/org/statement.ts')};
    import { readSettings } from ${from('runtime/settings.ts')};
    import { pino } from ${JSON.stringify(import.meta.resolve('pino'))};
    const settings = readSettings({ ORG_STORE_URL: ${JSON.stringify(`pglite:${folder}`)} });
    const store = await openOrgStore(settings, pino({ level: 'silent' }));
    const run = (statement) => store.asOperator((session) => session.run(statement));
    ${work}`;
  const words = [...QUICK_START, '--input-type=module', '-e', text];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  return child;
}

const numbered = z.strictObject({ n: z.int() });

describe('the store in a folder', () => {
  it('reports the state of one connection', async () => {
    const store = await openStore(`pglite:${await storeFolder()}`);
    const gate = Promise.withResolvers<void>();
    const held = Array.from({ length: 3 }, () => store.asOperator(() => gate.promise));
    try {
      expect(store.pools()).toEqual([{ pool: 'embedded', busy: 1, idle: 0, waiting: 2 }]);
    } finally {
      gate.resolve();
      await Promise.all(held);
    }
    expect(store.pools()).toEqual([{ pool: 'embedded', busy: 0, idle: 1, waiting: 0 }]);
    await store.close();
  });

  it('keeps its content when it is closed and opened again', async () => {
    const folder = await storeFolder();
    const store = await openStore(`pglite:${folder}`);
    await store.asOperator((session) => session.run(sql`CREATE TABLE kept (n integer)`));
    const writes = Array.from({ length: 20 }, (_, n) =>
      store.autocommit(numbered, sql`INSERT INTO kept VALUES (${n})`),
    );
    await store.close();
    await Promise.all(writes);
    const again = await openStore(`pglite:${folder}`);
    expect(await again.autocommit(numbered, sql`SELECT count(*) AS n FROM kept`)).toEqual([{ n: 20 }]);
    await again.close();
    expect(readdirSync(tests.path).filter((name) => name.startsWith(`${folder.split('/').at(-1)}.`))).toEqual([]);
  });

  it('belongs to one process, and names it to others', async () => {
    const folder = await storeFolder();
    const holder = processWith(folder, "console.log('opened'); setInterval(() => {}, 1000);");
    await waitForOutput(holder, 'opened');
    const refused = openStore(`pglite:${folder}`);
    await expect(refused).rejects.toThrow(Locked);
    await expect(openStore(`pglite:${folder}`)).rejects.toThrow(
      new RegExp(`^${folder} belongs to another process: process ${holder.pid} on .* \\(organisation store\\)`),
    );
  });

  it('belongs to one store of this process', async () => {
    const folder = await storeFolder();
    const store = await openStore(`pglite:${folder}`);
    await expect(openStore(`pglite:${folder}`)).rejects.toThrow(`process ${process.pid} on`);
    await store.close();
    await (await openStore(`pglite:${folder}`)).close();
  });

  it('opens again after kill -9 of its process, with all that was committed', async () => {
    const folder = await storeFolder();
    const writer = processWith(
      folder,
      `await run(sql\`CREATE TABLE written (n integer)\`);
       for (let n = 1; ; n++) {
         await run(sql\`INSERT INTO written VALUES (\${n})\`);
         console.log('wrote', n);
         if (n === 200) console.log('enough');
       }`,
    );
    let said = '';
    writer.stdout!.on('data', (piece: Buffer) => {
      said += piece;
    });
    await waitForOutput(writer, 'enough');
    writer.kill('SIGKILL');
    await once(writer, 'close');
    const last = Number([...said.matchAll(/wrote (\d+)\n/g)].at(-1)?.[1]);
    expect(last).toBeGreaterThanOrEqual(200);

    const store = await openStore(`pglite:${folder}`);
    expect(await store.migrate('plan')).toEqual([]);
    const rows = await store.autocommit(numbered, sql`SELECT n FROM written ORDER BY n`);
    expect(rows.length).toBeGreaterThanOrEqual(last);
    expect(rows).toEqual(rows.map((_, index) => ({ n: index + 1 })));
    await store.close();
  });

  it('refuses a folder with foreign files', async () => {
    const folder = newFolder();
    mkdirSync(folder);
    writeFileSync(join(folder, 'mine.txt'), 'mine');
    await expect(openStore(`pglite:${folder}`)).rejects.toThrow(`${folder} holds files, but no organisation store`);
    expect(readdirSync(folder)).toEqual(['mine.txt']);
    expect(existsSync(`${folder}.lock`)).toBe(false);
  });

  it.each<[string, (folder: string) => void, string]>([
    ['has lost PG_VERSION', (folder) => rmSync(join(folder, 'PG_VERSION')), 'it has no file PG_VERSION'],
    ['has an empty one', (folder) => truncateSync(join(folder, 'PG_VERSION')), 'does not contain valid data'],
    [
      'has lost a catalogue',
      (folder) => truncateSync(join(folder, 'base/5/1259')),
      'could not open critical system index',
    ],
    [
      'has lost its log',
      (folder) => rmSync(join(folder, 'pg_wal'), { recursive: true }),
      'required WAL directory "pg_wal"',
    ],
    ['has lost its tables', (folder) => rmSync(join(folder, 'base'), { recursive: true }), ''],
  ])('reports the fault and the remedy when its folder %s', async (_, damage, reason) => {
    const folder = await storeFolder();
    damage(folder);
    const failure = await openStore(`pglite:${folder}`).catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(StoreRefused);
    const { message } = failure as Error;
    expect(message).toContain(`The organisation store in ${folder} is damaged: `);
    expect(message).toContain(reason);
    expect(message).toMatch(/npm run admin -- restore <file>$/);
    expect(existsSync(`${folder}.lock`)).toBe(false);
  });

  describe('that was created after a process ended during its creation, under an open umask', () => {
    const made = newFolder();
    const open = (folder: string) =>
      ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].filter(
        (name) => (statSync(join(folder, name)).mode & 0o077) !== 0,
      );
    beforeAll(async () => {
      // This is the worst that a process can leave: it looks complete.
      mkdirSync(join(`${made}.new`, 'base'), { recursive: true });
      writeFileSync(join(`${made}.new`, 'PG_VERSION'), '18\n');
      const before = process.umask(0);
      try {
        await (await openStore(`pglite:${made}`)).close();
      } finally {
        process.umask(before);
      }
    });

    it('is whole', async () => {
      expect(existsSync(`${made}.new`)).toBe(false);
      expect(open(made)).toEqual([]);
      const store = await openStore(`pglite:${made}`);
      expect(await store.autocommit(numbered, sql`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
      await store.close();
    });

    it('is accessible to its owner only, whatever its earlier modes', async () => {
      for (const name of ['', 'base', 'PG_VERSION', 'base/5/1259']) chmodSync(join(made, name), 0o777);
      const store = await openStore(`pglite:${made}`);
      expect(open(made)).toEqual([]);
      await store.close();
    });
  });

  it('prints nothing, and does not keep its process from ending', async () => {
    const errors =
      'await run(sql`SELECT 1 / 0`).catch(() => {}); await run(sql`CREATE TABLE IF NOT EXISTS organisations ()`);';
    const child = processWith(await storeFolder(), `await store.migrate('apply'); ${errors} await store.close();`);
    expect(await waitForExit(child)).toEqual({ code: 0, signal: null, out: '', err: '' });
  });
});
