import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Account } from '../../../ingest/assembly/account.ts';
import type { Assembly } from '../../../ingest/assembly/assembly.ts';
import type { Night } from '../../../ingest/night/night.ts';
import type { MemberResult } from '../../../ingest/read/read-member.ts';
import type { Progress } from '../../../ingest/run/progress.ts';
import { withWarehouseLock } from '../../../ingest/run/warehouse-lock.ts';
import { itemAt } from '../../../runtime/present.ts';
import { Damaged } from '../../../sql/warehouse/damage.ts';
import { currentPublication, listVersions } from '../../../sql/warehouse/versions.ts';
import { cases, drawn } from '../../support/cases.ts';
import { folderOfTests, generateExport, RegisterExport } from '../../support/exports.ts';
import { Fault, failingAt, inspectingBeforeEach, operation } from '../../support/faults.ts';
import { buildIn, incompleteVersions, served, strayFiles } from '../../support/warehouse.ts';

vi.mock('node:fs', async (original) => {
  const { failingFileSystem } = await import('../../support/faults.ts');
  return failingFileSystem(await original());
});

vi.mock('../../../ingest/duckdb/connection.ts', async (original) => {
  const { failingEngine } = await import('../../support/faults.ts');
  const actual = await original<typeof import('../../../ingest/duckdb/connection.ts')>();
  return {
    ...actual,
    openReadWrite: async (...words: Parameters<typeof actual.openReadWrite>) => {
      if (repeats && assembled !== null && words[0] !== ':memory:') copyFileSync(assembled.tables, words[0]);
      return failingEngine(await actual.openReadWrite(...words));
    },
  };
});

// Builds that are alike and fail one operation later each time get their tables from the first that had them all:
// whatever fails in between ends in the same way.
vi.mock('../../../ingest/assembly/assemble.ts', async (original) => {
  const actual = await original<typeof import('../../../ingest/assembly/assemble.ts')>();
  return { ...actual, assemble: (assembly: Assembly) => assembleOnce(assembly, () => actual.assemble(assembly)) };
});

vi.mock('../../../ingest/night/night.ts', async (original) => {
  const actual = await original<typeof import('../../../ingest/night/night.ts')>();
  const assembleNight = async (night: Night): ReturnType<typeof actual.assembleNight> => {
    const counted = { affected: 0 };
    const first = async (): Promise<number> => {
      const done = await actual.assembleNight(night);
      counted.affected = done.affected;
      return done.replacedSince;
    };
    return { replacedSince: await assembleOnce(night.assembly, first), ...counted };
  };
  return { ...actual, assembleNight };
});

/** Assembles the first time, and takes what was assembled then from the second time on. */
async function assembleOnce(
  { warehouse, destination, before }: Assembly,
  first: () => Promise<number>,
): Promise<number> {
  if (!repeats || assembled === null) {
    replacedSince = await first();
    return replacedSince;
  }
  operation('all is assembled', 'built');
  for (const file of [assembled.rows, assembled.search, assembled.orders, assembled.regionDays])
    copyFileSync(file, join(dirname(destination.database), basename(file)));
  await destination.attach(warehouse, before!.id, 'previous_version');
  return assembled.replacedSince;
}

vi.mock('../../../ingest/assembly/account.ts', async (original) => {
  const actual = await original<typeof import('../../../ingest/assembly/account.ts')>();
  return {
    ...actual,
    writeAccount: async (...words: Parameters<typeof actual.writeAccount>): Promise<Account> => {
      if (repeats && assembled !== null) return assembled.account;
      const account = await actual.writeAccount(...words);
      if (repeats) {
        const [engine] = words;
        await engine.run('CHECKPOINT');
        const [file] = await engine.rows<{ path: string }>(
          'SELECT path FROM duckdb_databases() WHERE database_name = current_database()',
        );
        const kept = (name: string): string => {
          const copy = join(folder.path, name);
          copyFileSync(join(dirname(file!.path), name), copy);
          return copy;
        };
        assembled = {
          tables: kept('warehouse.duckdb'),
          rows: kept('units.rows'),
          search: kept('units.search'),
          orders: kept('units.orders'),
          regionDays: kept('region.days'),
          account,
          replacedSince,
        };
      }
      return account;
    },
  };
});

// The members are read by threads, once; later builds get their staged files from there, in two halves.
vi.mock('../../../ingest/read/pool.ts', async (original) => {
  const actual = await original<typeof import('../../../ingest/read/pool.ts')>();
  return {
    readMembers: async (...words: Parameters<typeof actual.readMembers>): Promise<MemberResult[]> => {
      const [{ stage }] = words;
      operation('reading begins');
      if (read === null) {
        const results = await actual.readMembers(...words);
        read = { results, stage: join(folder.path, 'stage') };
        cpSync(stage, read.stage, { recursive: true });
        return results;
      }
      for (const [index, table] of readdirSync(read.stage).entries()) {
        if (index === 5) operation('half is read');
        cpSync(join(read.stage, table), join(stage, table), { recursive: true });
      }
      operation('all is read');
      return read.results;
    },
  };
});

/** True while builds of the same export upon the same version follow each other. */
let repeats = false;
let replacedSince = 0;
/** The files of the first of them, as they were when all tables were filled. */
let assembled: {
  tables: string;
  rows: string;
  search: string;
  orders: string;
  regionDays: string;
  account: Account;
  replacedSince: number;
} | null = null;
let read: { results: MemberResult[]; stage: string } | null = null;
const folder = folderOfTests();
let first: string;
let second: string;
/** A warehouse with two versions: three will be there, so that publishing also removes one. */
let begun: string;
let before: NonNullable<Awaited<ReturnType<typeof served>>>;

beforeAll(async () => {
  const register = await RegisterExport.read(await generateExport(folder.path, '2026-11-01'));
  register.shorten(60);
  for (const { records } of register.starting('Einheiten')) records.splice(4);
  first = register.write(join(folder.path, 'first'), '2026-11-01');
  second = register.write(join(folder.path, 'second'), '2026-11-02');
  begun = join(folder.path, 'begun');
  for (let builds = 0; builds < 2; builds++) await buildIn(begun, first, { keep: 2 });
  before = (await served(begun))!;
});

afterAll(() => folder.remove());

const failingProgress: Progress = {
  stage: (name) => operation(`telling of ${name}`, 'built'),
  advance() {},
  note() {},
  end: () => operation('telling of the end'),
};

const attempt = (warehouse: string) => buildIn(warehouse, second, { progress: failingProgress, keep: 2 });

/** The last operations come behind the flip: from there on the new version is served, whole. */
const isPublished = (warehouse: string): boolean => currentPublication(warehouse)!.exportDay === '2026-11-02';

async function expectDone(warehouse: string, units: number): Promise<void> {
  expect(strayFiles(warehouse)).toEqual([]);
  const last = listVersions(warehouse).at(-1)!;
  expect(await served(warehouse)).toEqual({ version: last.id, units });
  expect(last.exportDay).toBe('2026-11-02');
}

/** Lets what this process left look as if its process were gone. */
function dies(warehouse: string): void {
  const gone = spawnSync('true').pid;
  for (const name of readdirSync(warehouse)) {
    const path = join(warehouse, name);
    if (name.startsWith('build.lock')) {
      const text = readFileSync(path, 'utf8');
      if (text !== '') writeFileSync(path, JSON.stringify({ ...JSON.parse(text), pid: gone }));
    }
    if (name.includes(`.${process.pid}`)) renameSync(path, path.replace(`.${process.pid}`, `.${gone}`));
  }
}

/**
 * The folder as it is now: versions are never changed again, so their files are shared; nobody reads what is in
 * building/, so the names count; second names of a file stay that.
 */
function keep(warehouse: string, copy: string): void {
  const copied = new Map<number, string>();
  mkdirSync(copy);
  for (const name of readdirSync(warehouse, { encoding: 'utf8', recursive: true })) {
    const [from, to] = [join(warehouse, name), join(copy, name)];
    const about = lstatSync(from);
    const original = name.startsWith('versions/') ? from : copied.get(about.ino);
    if (about.isDirectory()) mkdirSync(to);
    else if (original !== undefined) linkSync(original, to);
    else if (name.startsWith('building/')) writeFileSync(to, '');
    else copyFileSync(from, to);
    copied.set(about.ino, to);
  }
}

/** A later build finds these names, and this version served. Other tests check that the versions are complete. */
function floorOf(warehouse: string): string {
  const names = readdirSync(warehouse, { encoding: 'utf8', recursive: true }).filter(
    (name) => !/^build\.lock/.test(name),
  );
  return [...names.sort(), currentPublication(warehouse)!.version].join('\n');
}

/** The floors on which a later build has succeeded: both tests begin with the same versions, so their floors are the same. */
const succeeded = new Set<string>();

async function expectLaterBuild(floors: ReadonlyMap<string, string>): Promise<void> {
  for (const [floor, path] of drawn([...floors], 2)) {
    if (succeeded.has(floor)) continue;
    await buildIn(path, second, { keep: 2 });
    await expectDone(path, before.units);
    succeeded.add(floor);
  }
}

/** A build for each operation, on a machine that may be busy. */
const timeout = 600_000;

/** A run fails every fifth operation, from a first one drawn anew; CASES=2 fails each. */
const STRIDE = cases(1) === 1 ? 5 : 1;
const FIRST = STRIDE === 1 ? [1] : drawn([1, 2, 3, 4, 5], 1);

describe('a build that is killed before its n-th operation, n = 1, 2, 3 …', () => {
  it('leaves the served version and no incomplete one, and a later build succeeds', { timeout }, async () => {
    const warehouse = join(folder.path, 'killed');
    keep(begun, warehouse);
    const moments: { readonly name: string; readonly path: string }[] = [];
    const operations = await inspectingBeforeEach(
      (name) => {
        const path = join(folder.path, `killed-${moments.length}`);
        keep(warehouse, path);
        moments.push({ name, path });
      },
      () => attempt(warehouse),
    );
    expect(moments).toHaveLength(operations);
    expect(operations).toBeGreaterThan(80);

    const complete = new Set<string>();
    const floors = new Map<string, string>();
    const opened = new Set(drawn(moments, moments.length / 5));
    for (const moment of moments) {
      const { name, path } = moment;
      dies(path);
      if (opened.has(moment)) {
        const now = await served(path);
        if (!isPublished(path)) expect(now, `before ${name}`).toEqual(before);
        expect(await incompleteVersions(path, complete), `before ${name}`).toEqual([]);
      }
      // Whoever builds next begins by clearing up. What it has then is one of few floors.
      const floor = await withWarehouseLock(path, 'the next build', () => floorOf(path));
      expect(strayFiles(path), `before ${name}`).toEqual([]);
      if (floors.has(floor)) rmSync(path, { recursive: true });
      else floors.set(floor, path);
    }
    // As it was; with a version more that waits; published; and with one version less.
    expect(floors.size).toBe(4);
    await expectLaterBuild(floors);
  });
});

describe('a build whose n-th operation fails, n = 1, 2, 3 …', () => {
  it('cleans up, leaves the served version and no incomplete one, and a later build succeeds', {
    timeout,
  }, async () => {
    const complete = listVersions(begun).map(({ id }) => id);
    const floors = new Map<string, string>();
    let failures = 0;
    for (let at = itemAt(FIRST, 0); ; at += STRIDE) {
      const warehouse = join(folder.path, `failed-${at}`);
      keep(begun, warehouse);
      repeats = true;
      const { operations, error } = await failingAt(at, () => attempt(warehouse));
      repeats = false;
      if (error === null && operations < at) break;
      failures++;
      // A file of the version before that cannot be attached is said to be damaged, which has the fault as its cause.
      if (error !== null) expect(error instanceof Damaged ? error.cause : error).toBeInstanceOf(Fault);
      // When clearing up is what fails, it is left to the next build, and the process ends.
      if (/: rmSync/.test(String(error))) dies(warehouse);
      else expect(strayFiles(warehouse), `${error}`).toEqual([]);
      const now = await served(warehouse);
      if (!isPublished(warehouse)) expect(now, `after operation ${at}`).toEqual(before);
      expect(await incompleteVersions(warehouse, new Set(complete)), `after operation ${at}`).toEqual([]);
      if (floors.has(floorOf(warehouse))) rmSync(warehouse, { recursive: true });
      else floors.set(floorOf(warehouse), warehouse);
    }
    expect(failures * STRIDE).toBeGreaterThan(20);
    await expectLaterBuild(floors);
  });
});
