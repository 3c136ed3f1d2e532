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
import { buildIn, debris, halfVersions, served } from '../../support/warehouse.ts';
import { Recording } from './recording.ts';

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
      failingEngine(
        await (recording?.open(words[0], () => actual.openReadWrite(...words)) ?? actual.openReadWrite(...words)),
      ),
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

/** Stands in for the engine in builds of the same version upon the same warehouse. */
let recording: Recording | null = null;
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
  const built = join(folder.path, 'two');
  while (listVersions(built).length < 2) await buildIn(built, first, { keep: 2 });
  const warehouse = join(folder.path, name);
  cpSync(built, warehouse, { recursive: true });
  return warehouse;
}

/** The last operations come behind the flip: from there on the new version is served, whole. */
const isPublished = (warehouse: string): boolean => currentPublication(warehouse)!.exportDay === '2026-11-02';

async function expectDone(warehouse: string, units: number): Promise<void> {
  expect(debris(warehouse)).toEqual([]);
  const last = listVersions(warehouse).at(-1)!;
  expect(await served(warehouse)).toEqual({ version: last.id, units });
  expect(last.exportDay).toBe('2026-11-02');
}

/** The number of a process that has ended. */
const gone = spawnSync('true').pid;

/** Lets what this process left look as if its process were gone. */
function dies(warehouse: string): void {
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
    const twin = name.startsWith('versions/') ? from : copied.get(about.ino);
    if (about.isDirectory()) mkdirSync(to);
    else if (twin !== undefined) linkSync(twin, to);
    else if (name.startsWith('building/')) writeFileSync(to, '');
    else copyFileSync(from, to);
    copied.set(about.ino, to);
  }
}

/** What a later build finds: names, and what is served. That the versions are whole is looked at elsewhere. */
function floorOf(warehouse: string): string {
  const names = readdirSync(warehouse, { encoding: 'utf8', recursive: true }).filter(
    (name) => !/^build\.lock/.test(name),
  );
  return [...names.sort(), currentPublication(warehouse)!.version].join('\n');
}

/** A build for each operation, on a machine that may be busy. */
const timeout = 600_000;

describe('a build that is killed before its n-th operation, n = 1, 2, 3 …', () => {
  it('leaves what was served, no half version, and a floor on which a later build succeeds', { timeout }, async () => {
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
      if (!isPublished(path)) expect(currentPublication(path)!.version, `before ${name}`).toBe(before!.version);
      expect(await halfVersions(path, complete), `before ${name}`).toEqual([]);
      // Whoever builds next begins by clearing up. What it has then is one of few floors.
      const floor = await withWarehouseLock(path, 'the next build', () => floorOf(path));
      expect(debris(path), `before ${name}`).toEqual([]);
      if (floors.has(floor)) rmSync(path, { recursive: true });
      else floors.set(floor, path);
    }
    // As it was; with a version more that waits; published; and with one version less.
    expect(floors.size).toBe(4);
    for (const path of floors.values()) {
      if (!isPublished(path)) expect(await served(path)).toEqual(before);
      await buildIn(path, second, { keep: 2 });
      await expectDone(path, before!.units);
    }
  });
});

describe('a build whose n-th operation fails, n = 1, 2, 3 …', () => {
  it('clears up, leaves what was served and no half version, and a later build succeeds', { timeout }, async () => {
    const begun = await twoVersions('failed');
    const before = await served(begun);
    // Attempts share the files of the versions that were there, so these are opened before and after all attempts.
    const complete = new Set<string>();
    expect(await halfVersions(begun, complete)).toEqual([]);
    const floors = new Map<string, string>();
    let failures = 0;
    recording = new Recording(join(folder.path, 'recorded.duckdb'));
    const whole = join(folder.path, 'failed-none');
    keep(begun, whole);
    await attempt(whole);
    recording.finish();
    await expectDone(whole, before!.units);
    for (let at = 1; ; at++) {
      const warehouse = join(folder.path, `failed-${at}`);
      keep(begun, warehouse);
      const { operations, error } = await failingAt(at, () => attempt(warehouse));
      if (error === null && operations < at) break;
      failures++;
      if (error !== null) expect(error).toBeInstanceOf(Fault);
      // When clearing up is what fails, it is left to the next build, and the process ends.
      if (/: rmSync/.test(String(error))) dies(warehouse);
      else expect(debris(warehouse), `${error}`).toEqual([]);
      const now = isPublished(warehouse) ? null : currentPublication(warehouse)!.version;
      if (now !== null) expect(now, `after operation ${at}`).toBe(before!.version);
      expect(await halfVersions(warehouse, new Set(complete)), `after operation ${at}`).toEqual([]);
      if (floors.has(floorOf(warehouse))) rmSync(warehouse, { recursive: true });
      else floors.set(floorOf(warehouse), warehouse);
    }
    recording = null;
    expect(failures).toBeGreaterThan(20);
    expect(await halfVersions(begun)).toEqual([]);
    expect(await served(begun)).toEqual(before);
    for (const path of floors.values()) {
      await buildIn(path, second, { keep: 2 });
      await expectDone(path, before!.units);
    }
  });
});
