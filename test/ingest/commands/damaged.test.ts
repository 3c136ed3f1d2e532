import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { currentPublication, versionFile } from '../../../sql/warehouse/versions.ts';
import { publishRegister } from '../../support/built.ts';
import { drawn } from '../../support/cases.ts';
import { ingest, ingestHere, ingestWithLimit, type ProcessResult } from '../../support/command.ts';
import { folderOfTests, generateExport, RegisterExport } from '../../support/exports.ts';
import { incompleteVersions, served, strayFiles } from '../../support/warehouse.ts';
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
  expect(await incompleteVersions(warehouse)).toEqual([]);
  expect(strayFiles(warehouse)).toEqual([]);
});

const ARCHIVE = 6;

function file(name: string, content: Buffer | string): string {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
}

/** The last line of the output, after the lines of the stages. */
function messageOf({ err }: ProcessResult): string {
  const lines = err.trimEnd().split('\n');
  return lines.at(-1)!;
}

const members = (change: (member: ZipMember) => ZipMember): Buffer =>
  zipOf(
    [...register.files.keys()].map((name) => {
      const root = name.replace(/(_[0-9]+)?\.xml$/, '');
      const whole = `<${root}></${root}>`.padEnd(name === 'EinheitenWind.xml' ? 5000 : 0);
      return change({ name, content: name.startsWith('Katalogwerte') ? catalogue() : whole });
    }),
  );
const instead = (name: string, content: Buffer | string, more: Partial<ZipMember> = {}): Buffer =>
  members((member) => (member.name === name ? { name, content, ...more } : member));
const unit = '<EinheitWind><EinheitMastrNummer>SEE900000000001</EinheitMastrNummer><Ort>Köln</Ort></EinheitWind>';
const catalogue = (): string =>
  '<Katalogwerte><Katalogwert><Id>35</Id><Wert>In Betrieb</Wert></Katalogwert></Katalogwerte>';

describe('an export that cannot be read', () => {
  it.each([
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
    ['is empty', () => file('empty.zip', ''), /empty\.zip is empty/],
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
      'has a member of 0 bytes',
      () => file('zero.zip', instead('EinheitenSolar.xml', '')),
      /^EinheitenSolar\.xml at offset [0-9]+ of .*zero\.zip is empty: 0 bytes$/,
    ],
    [
      'has a member whose root is never closed',
      () => file('open.zip', instead('EinheitenWind.xml', `<EinheitenWind>${unit}${unit}`)),
      /^EinheitenWind\.xml at offset [0-9]+ of .*open\.zip is no file of an export: it ends before <\/EinheitenWind>, behind 2 records$/,
    ],
    [
      'has a catalogue whose root is never closed',
      () => file('open-catalogue.zip', instead('Katalogwerte.xml', catalogue().replace('</Katalogwerte>', ''))),
      /^Katalogwerte\.xml at offset [0-9]+ of .* is no file of an export: it ends before <\/Katalogwerte>, behind 1 records$/,
    ],
    [
      'has solar units under the name of wind units',
      () => file('foreign.zip', instead('EinheitenWind.xml', `<EinheitenSolar>${unit}</EinheitenSolar>`)),
      /^EinheitenWind\.xml at offset [0-9]+ of .*: it holds <EinheitenSolar> where <EinheitenWind> belongs$/,
    ],
    [
      'has a member that is a byte order mark',
      () => file('mark.zip', instead('EinheitenWind.xml', Buffer.from([0xff, 0xfe]))),
      /^EinheitenWind\.xml at offset [0-9]+ of .*: it holds no XML element$/,
    ],
    [
      'has a member in Latin-1',
      () => {
        const text = `<?xml version="1.0" encoding="ISO-8859-1"?><EinheitenWind>${unit}</EinheitenWind>`;
        return file('latin.zip', instead('EinheitenWind.xml', Buffer.from(text, 'latin1')));
      },
      /^EinheitenWind\.xml at offset [0-9]+ of .*: its encoding is ISO-8859-1; only UTF-16 and UTF-8 are read$/,
    ],
    [
      'has a member that inflates beyond its size',
      () => file('bomb.zip', instead('EinheitenWind.xml', Buffer.alloc(8 << 20, ' '), { size: 1000 })),
      /^EinheitenWind\.xml at offset [0-9]+ of .* is damaged: it goes on behind its 1000 bytes$/,
    ],
    [
      'has a part number beyond 32 bits',
      () => {
        const renamed = (member: ZipMember) =>
          member.name === 'EinheitenWind.xml' ? { ...member, name: 'EinheitenWind_99999999999.xml' } : member;
        return file('part.zip', members(renamed));
      },
      /^EinheitenWind_99999999999\.xml at offset [0-9]+ of .* is no part of an export: its number is too large$/,
    ],
    [
      'has a member that is a symbolic link',
      () => file('link.zip', instead('EinheitenWind.xml', 'EinheitenSolar_1.xml', { link: true })),
      /^EinheitenWind\.xml at offset [0-9]+ of .* is a symbolic link, or no file at all/,
    ],
    [
      'has no catalogue values',
      () => register.copy().drop('Katalogwerte').write(join(folder.path, 'k'), '2026-11-02'),
      /has no catalogue values \(Katalogwerte\.xml\)$/,
    ],
  ])('%s: exits with 6, one line names fault and place', async (_, make, message) => {
    const result = await ingestHere(warehouse, ['build', make(), '--day', '2026-11-02', '--force']);
    expect(result.code).toBe(ARCHIVE);
    expect(messageOf(result)).toMatch(message);
    expect(result.err).not.toMatch(/^\s+at /m);
  });

  it('adds nothing to the history either', async () => {
    const path = file('older.zip', instead('EinheitenWind.xml', `<EinheitenWind>${unit}`));
    const result = await ingestHere(warehouse, ['build', path, '--backfill', '--day', '2025-01-01']);
    expect(result.code).toBe(ARCHIVE);
    expect(messageOf(result)).toContain('it ends before </EinheitenWind>, behind 1 records');
  });

  it('without a file that the service needs exits with 5 before anything is built', async () => {
    const path = register.copy().drop('EinheitenWind').drop('Netze').write(join(folder.path, 'lack'), '2026-11-02');
    const result = await ingestHere(warehouse, ['build', path]);
    expect(result.code).toBe(5);
    expect(result.err).toContain('The export has no file EinheitenWind.xml, which the service needs\n');
    expect(result.err).toContain('The export has no file Netze.xml, which the service needs\n');
    expect(result.err).toContain('--force builds all the same');
    expect(result.err).not.toContain('reading');
  });
});

it('a damaged version before ends a build with 7 before anything is read, and whatever else reads it', async () => {
  const own = join(folder.path, 'damaged');
  await publishRegister(own);
  const tables = versionFile(own, currentPublication(own)!.version);
  const content = readFileSync(tables).subarray(0, 6000);
  // Others may share the file.
  rmSync(tables);
  writeFileSync(tables, content);
  const next = register.write(join(folder.path, 'after'), '2026-11-02');
  const result = await ingestHere(own, ['build', next, '--force']);
  expect(result.code).toBe(7);
  expect(messageOf(result)).toMatch(
    /warehouse\.duckdb is damaged: .*Bring the folder of the version back from the backup/,
  );
  expect(result.err).not.toMatch(/reading|from nothing:/);
  for (const words of [
    ['erase', 'ABR900000000001'],
    ['export', '--format', 'csv', '--out', join(folder.path, 'dump')],
  ]) {
    const { code, err } = await ingestHere(own, words);
    expect({ words, code, err }).toMatchObject({
      code: 7,
      err: expect.stringMatching(/warehouse\.duckdb is damaged: /),
    });
  }
});

describe('a full disk', () => {
  // With so many blocks of 1,024 bytes the staged files, the engine's log or its database file do not fit.
  it.each(drawn([20, 300, 2000], 1))('at %i kB: exits with 1 and one line', async (blocks) => {
    const result = await ingestWithLimit(warehouse, `ulimit -f ${blocks}`, ['build', source]);
    expect(result.code).toBe(1);
    expect(messageOf(result)).toMatch(
      /^The disk is full: .*File too large|EFBIG.*what was served is still served; make room and try again\.$/i,
    );
    expect(result.err).not.toMatch(/^\s+at /m);
  });

  const small = join(folder.path, 'small');
  mkdirSync(small);
  const mounted = spawnSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', 'size=18m', 'tmpfs', small]).status === 0;
  afterAll(() => {
    if (mounted) spawnSync('/usr/bin/umount', [small]);
  });

  it.runIf(mounted)(
    'of a real file system: what was served stays, and the next build with enough room succeeds',
    async () => {
      const tight = join(small, 'warehouse');
      await publishRegister(tight);
      const served1 = await served(tight);
      const result = await ingest(tight, ['build', source]);
      expect(result.code).toBe(1);
      expect(messageOf(result)).toMatch(/^The disk is full: .*make room and try again\.$/);
      expect(await served(tight)).toEqual(served1);
      expect(strayFiles(tight)).toEqual([]);
      // The pointer cannot be written either and stays intact.
      const filler = join(small, 'filler');
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1k']);
      const full = await ingestHere(tight, ['rollback', served1!.version]);
      expect(full.code).not.toBe(0);
      expect(await served(tight)).toEqual(served1);
      rmSync(filler);
      spawnSync('/usr/bin/mount', ['-o', 'remount,size=120m', small]);
      expect((await ingestHere(tight, ['build', source])).code).toBe(0);
      expect(strayFiles(tight)).toEqual([]);
    },
  );
});
