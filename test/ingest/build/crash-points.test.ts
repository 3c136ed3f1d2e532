import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Progress } from '../../../ingest/build/progress.ts';
import type { MemberResult } from '../../../ingest/read/read-member.ts';
import { currentPublication, listVersions } from '../../../sql/warehouse/versions.ts';
import { folderOfTests, generateExport, RegisterExport } from '../../support/exports.ts';
import { Fault, failingAt, operation } from '../../support/faults.ts';
import { buildIn, debris, halfVersions, served } from '../../support/warehouse.ts';

vi.mock('node:fs', async (original) => {
  const { failingFileSystem } = await import('../../support/faults.ts');
  return failingFileSystem(await original());
});

vi.mock('../../../ingest/build/warehouse.ts', async (original) => {
  const { failingEngine } = await import('../../support/faults.ts');
  const actual = await original<typeof import('../../../ingest/build/warehouse.ts')>();
  return {
    ...actual,
    openBuilding: async (...words: Parameters<typeof actual.openBuilding>) =>
      failingEngine(await actual.openBuilding(...words)),
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
  stage: (name) => operation(`telling of ${name}`),
  advance() {},
  note() {},
  end: () => operation('telling of the end'),
};

const attempt = (warehouse: string) => buildIn(warehouse, second, { progress: failingProgress, keep: 2 });

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

describe.each(['dies', 'once'] as const)('a build whose n-th operation fails (%s), n = 1, 2, 3 …', (mode) => {
  it('leaves what was served, no half version, and a floor on which a later build succeeds', async () => {
    const warehouse = join(folder.path, mode);
    // Three versions are there, so that publishing also removes one.
    for (let builds = 0; builds < 2; builds++) await buildIn(warehouse, first, { keep: 2 });
    const before = await served(warehouse);
    const complete = new Set<string>();
    let failures = 0;
    for (let at = 1; ; at++) {
      const { operations, error } = await failingAt(at, mode, () => attempt(warehouse));
      if (error === null && operations < at) break;
      failures++;
      if (error !== null) expect(error).toBeInstanceOf(Fault);
      // When clearing up is what fails, it is left to the next build, and the process ends.
      if (mode === 'dies' || /: rmSync/.test(String(error))) dies(warehouse);
      else expect(debris(warehouse), `${error}`).toEqual([]);
      const now = await served(warehouse);
      // The last operations come behind the flip: from there on the new version is served, whole.
      const published = currentPublication(warehouse)!.exportDay === '2026-11-02';
      if (!published) expect(now, `after operation ${at}`).toEqual(before);
      expect(await halfVersions(warehouse, complete), `after operation ${at}`).toEqual([]);
    }
    expect(failures).toBeGreaterThan(mode === 'dies' ? 80 : 30);
    expect(debris(warehouse)).toEqual([]);
    const [last] = listVersions(warehouse).toReversed();
    expect(await served(warehouse)).toEqual({ version: last!.id, units: before!.units });
    expect(last!.exportDay).toBe('2026-11-02');
  });
});
