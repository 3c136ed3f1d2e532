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
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MemberResult } from '../../../ingest/read/read-member.ts';
import type { Progress } from '../../../ingest/run/progress.ts';
import { withWarehouseLock } from '../../../ingest/run/warehouse-lock.ts';
import { currentPublication, listVersions } from '../../../sql/warehouse/versions.ts';
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
    openReadWrite: async (...words: Parameters<typeof actual.openReadWrite>) =>
      failingEngine(await actual.openReadWrite(...words)),
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

let read: { results: MemberResult[]; stage: string } | null = null;
const folder = folderOfTests();
let first: string;
let second: string;

beforeAll(async () => {
  const register = await RegisterExport.read(await generateExport(folder.path, '2026-11-01'));
  register.shorten(60);
  for (const { records } of register.starting('Einheiten')) records.splice(4);
  first = register.write(join(folder.path, 'first'), '2026-11-01');
  second = register.write(join(folder.path, 'second'), '2026-11-02');
});

afterAll(() => folder.remove());

const failingProgress: Progress = {
  stage: (name) => operation(`telling of ${name}`, 'built'),
  advance() {},
  note() {},
  end: () => operation('telling of the end'),
};

const attempt = (warehouse: string) => buildIn(warehouse, second, { progress: failingProgress, keep: 2 });

/** Three versions will be there, so that publishing also removes one. */
async function twoVersions(name: string): Promise<string> {
  const warehouse = join(folder.path, name);
  for (let builds = 0; builds < 2; builds++) await buildIn(warehouse, first, { keep: 2 });
  return warehouse;
}

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

/** A build for each operation, on a machine that may be busy. */
const timeout = 600_000;

describe('a build that is killed before its n-th operation, n = 1, 2, 3 …', () => {
  it('leaves the served version and no incomplete one, and a later build succeeds', { timeout }, async () => {
    const warehouse = await twoVersions('killed');
    const before = await served(warehouse);
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
    for (const { name, path } of moments) {
      dies(path);
      const now = await served(path);
      if (!isPublished(path)) expect(now, `before ${name}`).toEqual(before);
      expect(await incompleteVersions(path, complete), `before ${name}`).toEqual([]);
      // Whoever builds next begins by clearing up. What it has then is one of few floors.
      const floor = await withWarehouseLock(path, 'the next build', () => floorOf(path));
      expect(strayFiles(path), `before ${name}`).toEqual([]);
      if (floors.has(floor)) rmSync(path, { recursive: true });
      else floors.set(floor, path);
    }
    // As it was; with a version more that waits; published; and with one version less.
    expect(floors.size).toBe(4);
    for (const path of floors.values()) {
      await buildIn(path, second, { keep: 2 });
      await expectDone(path, before!.units);
    }
  });
});

describe('a build whose n-th operation fails, n = 1, 2, 3 …', () => {
  it('cleans up, leaves the served version and no incomplete one, and a later build succeeds', {
    timeout,
  }, async () => {
    const begun = await twoVersions('failed');
    const before = await served(begun);
    const floors = new Map<string, string>();
    let failures = 0;
    for (let at = 1; ; at++) {
      const warehouse = join(folder.path, `failed-${at}`);
      keep(begun, warehouse);
      const { operations, error } = await failingAt(at, () => attempt(warehouse));
      if (error === null && operations < at) break;
      failures++;
      if (error !== null) expect(error).toBeInstanceOf(Fault);
      // When clearing up is what fails, it is left to the next build, and the process ends.
      if (/: rmSync/.test(String(error))) dies(warehouse);
      else expect(strayFiles(warehouse), `${error}`).toEqual([]);
      const now = await served(warehouse);
      if (!isPublished(warehouse)) expect(now, `after operation ${at}`).toEqual(before);
      expect(await incompleteVersions(warehouse), `after operation ${at}`).toEqual([]);
      if (floors.has(floorOf(warehouse))) rmSync(warehouse, { recursive: true });
      else floors.set(floorOf(warehouse), warehouse);
    }
    expect(failures).toBeGreaterThan(20);
    for (const path of floors.values()) {
      await buildIn(path, second, { keep: 2 });
      await expectDone(path, before!.units);
    }
  });
});
