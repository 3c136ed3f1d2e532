import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { publishRegister } from '../../support/built.ts';
import { type Ended, ingest, ingestHere, ingestWithLimit } from '../../support/command.ts';
import { folderOfTests, generateExport, RegisterExport } from '../../support/exports.ts';
import { buildIn, debris, halfVersions, served } from '../../support/warehouse.ts';
import { type ZipMember, zipOf } from '../../support/zip.ts';

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');
let source: string;
let register: RegisterExport;
let before: Awaited<ReturnType<typeof served>>;

beforeAll(async () => {
  source = await generateExport(folder.path, '2026-11-01');
  register = await RegisterExport.read(source);
  await publishRegister(warehouse);
  before = await served(warehouse);
});

afterAll(() => folder.remove());

afterEach(async () => {
  expect(await served(warehouse)).toEqual(before);
  expect(await halfVersions(warehouse)).toEqual([]);
  expect(debris(warehouse)).toEqual([]);
});

const ARCHIVE = 6;

function file(name: string, content: Buffer | string): string {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
}

/** Messages of one line, behind the lines of the stages. */
function messageOf({ err }: Ended): string {
  const lines = err.trimEnd().split('\n');
  return lines.at(-1)!;
}

const members = (change: (member: ZipMember) => ZipMember): Buffer =>
  zipOf(
    [...register.files.keys()].map((name) => {
      const whole = name === 'EinheitenWind.xml' ? windFile() : '<Leer></Leer>';
      return change({ name, content: name.startsWith('Katalogwerte') ? catalogue() : whole });
    }),
  );
const windFile = (): string => '<EinheitenWind></EinheitenWind>'.padEnd(5000);
const catalogue = (): string =>
  '<Katalogwerte><Katalogwert><Id>35</Id><Wert>In Betrieb</Wert></Katalogwert></Katalogwerte>';

describe('an export that cannot be read', () => {
  it.each([
    ['is not there', () => join(folder.path, 'none.zip'), /^There is no file or folder .*none\.zip$/],
    [
      'is an HTML page under the name of a zip',
      () => file('page.zip', '<!DOCTYPE html><html>Zugriff gesperrt</html>'),
      /page\.zip is no zip: it begins with "<!DOCTYPE html>/,
    ],
    [
      'is cut off',
      () => file('cut.zip', readFileSync(source).subarray(0, 200_000)),
      /^.*cut\.zip is no complete zip: [^\n]+$/,
    ],
    ['is empty', () => file('empty.zip', ''), /empty\.zip is no zip/],
    [
      'has a member with the wrong checksum',
      () =>
        file(
          'sum.zip',
          members((member) => (member.name === 'EinheitenWind.xml' ? { ...member, checksum: 1 } : member)),
        ),
      /^EinheitenWind\.xml at offset [0-9]+ of .*sum\.zip is damaged: its checksum is wrong$/,
    ],
    [
      'has a member that is cut off',
      () =>
        file(
          'part.zip',
          members((member) => (member.name === 'EinheitenWind.xml' ? { ...member, missing: 12 } : member)),
        ),
      /^EinheitenWind\.xml at offset [0-9]+ of .*part\.zip is damaged: [^\n]+$/,
    ],
    [
      'has no catalogue values',
      () => register.copy().drop('Katalogwerte').write(join(folder.path, 'k'), '2026-11-02'),
      /has no catalogue values \(Katalogwerte\.xml\)$/,
    ],
  ])('%s: one line says what and where, exit code 6', async (_, make, message) => {
    const result = await ingestHere(warehouse, ['build', make(), '--day', '2026-11-02', '--force']);
    expect(result.code).toBe(ARCHIVE);
    expect(messageOf(result)).toMatch(message);
    expect(result.err).not.toMatch(/^\s+at /m);
  });

  it('lacks a file that the service needs: exit code 5, before anything is built', async () => {
    const path = register.copy().drop('EinheitenWind').drop('Netze').write(join(folder.path, 'lack'), '2026-11-02');
    const result = await ingestHere(warehouse, ['build', path]);
    expect(result.code).toBe(5);
    expect(result.err).toContain('The export has no file EinheitenWind.xml, which the service needs\n');
    expect(result.err).toContain('The export has no file Netze.xml, which the service needs\n');
    expect(result.err).toContain('--force builds all the same');
    expect(result.err).not.toContain('reading');
  });
});

describe('a full disk', () => {
  // Files of at most 20, 300 and 2,000 blocks of 1,024 bytes: staging, the engine's log, and its file do not fit.
  it.each([20, 300, 2000])('at %i kB: one line, exit code 1', async (blocks) => {
    const result = await ingestWithLimit(warehouse, `ulimit -f ${blocks}`, ['build', source]);
    expect(result.code).toBe(1);
    expect(messageOf(result)).toMatch(
      /^The disk is full: .*File too large|EFBIG.*what was served is still served; make room and try again\.$/i,
    );
    expect(result.err).not.toMatch(/^\s+at /m);
  });

  const small = join(folder.path, 'small');
  mkdirSync(small);
  const mounted = spawnSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', 'size=14m', 'tmpfs', small]).status === 0;
  afterAll(() => {
    if (mounted) spawnSync('/usr/bin/umount', [small]);
  });

  it.runIf(mounted)('in truth: what was served stays, and the next build with room succeeds', async () => {
    const tight = join(small, 'warehouse');
    expect((await buildIn(tight, source)).publication).not.toBeNull();
    const served1 = await served(tight);
    const result = await ingest(tight, ['build', source]);
    expect(result.code).toBe(1);
    expect(messageOf(result)).toMatch(/^The disk is full: .*make room and try again\.$/);
    expect(await served(tight)).toEqual(served1);
    expect(debris(tight)).toEqual([]);
    // Not even the pointer can be written: it stays as it was, whole.
    const filler = join(small, 'filler');
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1k']);
    const full = await ingest(tight, ['rollback', served1!.version]);
    expect(full.code).not.toBe(0);
    expect(await served(tight)).toEqual(served1);
    rmSync(filler);
    spawnSync('/usr/bin/mount', ['-o', 'remount,size=60m', small]);
    expect((await ingest(tight, ['build', source])).code).toBe(0);
    expect(debris(tight)).toEqual([]);
  });
});
