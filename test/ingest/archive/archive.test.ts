import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Archive, openArchive, readMember } from '../../../ingest/archive/archive.ts';
import { ArchiveError, ExportMissing } from '../../../ingest/archive/archive-error.ts';
import { type ZipMember, zipOf } from '../../support/zip.ts';

/** An export as a zip or a folder: the same members, the same bytes; damage is told with the member and its place. */

let folder = '';
let files = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file of the bytes, in a folder of its own. */
function fileOf(bytes: Buffer | string, name = 'Gesamtdatenexport_20260911_26.1.zip'): string {
  const path = join(folder, String(++files));
  mkdirSync(path);
  writeFileSync(join(path, name), bytes);
  return join(path, name);
}

function folderOf(members: readonly ZipMember[], name = 'Gesamtdatenexport_20260911_26.1'): string {
  const path = join(folder, String(++files), name);
  mkdirSync(path, { recursive: true });
  for (const member of members) writeFileSync(join(path, member.name), member.content);
  return path;
}

async function bytesOf(archive: Archive, name: string): Promise<Buffer> {
  const member = archive.members.find((each) => each.name === name)!;
  const pieces: Buffer[] = [];
  for await (const piece of readMember(archive, member)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

const textOfAll = async (archive: Archive): Promise<string[]> => {
  const texts: string[] = [];
  for (const { name } of archive.members) texts.push((await bytesOf(archive, name)).toString());
  return texts;
};

/** The error with which something is refused. */
async function refusal(attempt: Promise<unknown>): Promise<Error> {
  try {
    await attempt;
  } catch (error) {
    return error as Error;
  }
  throw new Error('It was not refused');
}

/** Bytes that deflate cannot shorten, over several pieces of reading. */
const noise = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  let state = 1;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
};

const MEMBERS: readonly ZipMember[] = [
  { name: 'Netze.xml', content: 'n', method: 0 },
  { name: 'EinheitenSolar_10.xml', content: 's10' },
  { name: 'liesmich.txt', content: 'hallo' },
  { name: 'EinheitenSolar_9.xml', content: 's9', method: 0 },
  { name: 'EinheitenSolar_100.xml', content: 's100' },
  { name: 'AnlagenEegSolar_2.xml', content: 'a' },
  { name: 'EinheitenSolar_1.xml', content: 's1'.repeat(10_000) },
  { name: 'AnlagenEegGeoSolarthermieGrubenKlaerschlammDruckentspannung.xml', content: 'g', method: 0 },
  { name: 'EinheitenWind.xml', content: 'w', method: 0 },
];

const ORDER = [
  'AnlagenEegGeoSolarthermieGrubenKlaerschlammDruckentspannung.xml',
  'AnlagenEegSolar_2.xml',
  'EinheitenSolar_1.xml',
  'EinheitenSolar_9.xml',
  'EinheitenSolar_10.xml',
  'EinheitenSolar_100.xml',
  'EinheitenWind.xml',
  'Netze.xml',
  'a file with a name of 12 characters: letters, punctuation',
];

const FORMS: readonly [form: string, make: () => string][] = [
  ['a zip', () => fileOf(zipOf(MEMBERS))],
  ['a zip in the other order', () => fileOf(zipOf(MEMBERS.toReversed()))],
  ['a zip64', () => fileOf(zipOf(MEMBERS, true))],
  ['a folder', () => folderOf(MEMBERS)],
];

describe.each(FORMS)('%s', (_, make) => {
  it('has its members in the order of kind and part', async () => {
    const { members } = await openArchive(make(), null);
    expect(members.map(({ name }) => name)).toEqual(ORDER);
    expect(members.map(({ index }) => index)).toEqual(ORDER.map((_name, index) => index));
    expect(members.slice(0, 3)).toMatchObject([
      { kind: 'AnlagenEegGeothermieGrubengasDruckentspannung', part: null, bytes: 1 },
      { kind: 'AnlagenEegSolar', part: 2, bytes: 1 },
      { kind: 'EinheitenSolar', part: 1, bytes: 20_000 },
    ]);
    expect(members.at(-1)).toMatchObject({ kind: null, part: null, bytes: 5 });
  });

  it('yields the bytes of its members', async () => {
    const archive = await openArchive(make(), null);
    expect(await textOfAll(archive)).toEqual(
      archive.members.map(({ entry }) => String(MEMBERS.find(({ name }) => name === entry)?.content)),
    );
  });

  it('can be closed in the middle of a member', async () => {
    const archive = await openArchive(make(), null);
    for await (const piece of readMember(archive, archive.members[2]!)) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    expect((await bytesOf(archive, 'Netze.xml')).toString()).toBe('n');
  });
});

describe('a large member', () => {
  it.each([0, 8])('compressed by method %i is read completely', async (method) => {
    const content = noise(3_000_000);
    const archive = await openArchive(fileOf(zipOf([{ name: 'Netze.xml', content, method }])), null);
    expect((await bytesOf(archive, 'Netze.xml')).equals(content)).toBe(true);
  });
});

describe('damage to a member', () => {
  const before: ZipMember = { name: 'EinheitenWind.xml', content: 'w'.repeat(500) };
  const name = 'Netze.xml';
  const content = noise(100_000);

  it.each<[string, ZipMember]>([
    ['a wrong checksum', { name, content, checksum: 1 }],
    ['a wrong checksum of a stored one', { name, content, method: 0, checksum: 1 }],
    ['a wrong size', { name, content, size: 99_999 }],
    ['a size that is too large', { name, content, size: 100_001 }],
    ['packed bytes that are missing', { name, content, missing: 50_000 }],
    ['bytes that are not packed at all', { name, content: Buffer.alloc(100, 0xff), method: 9 }],
  ])('is reported with its name and offset: %s', async (_, damaged) => {
    const bytes = zipOf([before, damaged]);
    // A member that names an unknown method is marked as deflated here, so that unpacking it is tried.
    if (damaged.method === 9) for (const at of methodFields(bytes, name)) bytes.writeUInt16LE(8, at);
    const archive = await openArchive(fileOf(bytes), null);
    const member = archive.members.find((each) => each.name === name)!;
    expect((await bytesOf(archive, before.name)).toString()).toBe(before.content);
    const error = await refusal(bytesOf(archive, name));
    expect(error).toBeInstanceOf(ArchiveError);
    expect(error.message).toContain(`${name} at offset ${member.offset}`);
    expect(member.offset).toBeGreaterThan(0);
  });

  it('is reported for every changed byte of a small one', async () => {
    const sound = zipOf([before, { name, content: 'The quick brown fox jumps over the lazy dog' }]);
    const archive = await openArchive(fileOf(sound), null);
    const { offset } = archive.members.find((member) => member.name === name)!;
    const data = offset! + 30 + name.length;
    const end = sound.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    for (let at = data; at < end; at++) {
      const damaged = Buffer.from(sound);
      // Of the last byte deflate may not need all bits.
      damaged[at]! ^= at === end - 1 ? 0x01 : 0x40;
      const error = await refusal(openArchive(fileOf(damaged), null).then((each) => bytesOf(each, name)));
      expect(error, `byte ${at}`).toBeInstanceOf(ArchiveError);
      expect(error.message).toContain(`${name} at offset ${offset}`);
    }
  });

  it('is reported for an unknown compression method, with its offset', async () => {
    const bytes = zipOf([before, { name, content, method: 9 }]);
    const error = await refusal(openArchive(fileOf(bytes), null));
    expect(error).toBeInstanceOf(ArchiveError);
    expect(error.message).toMatch(/^Netze\.xml at offset [1-9][0-9]* of .*: packed by method 9, only deflate is read$/);
  });

  it('is reported for an overwritten local header', async () => {
    const bytes = zipOf([before, { name, content }]);
    const archive = await openArchive(fileOf(bytes), null);
    const { offset } = archive.members.find((member) => member.name === name)!;
    bytes.fill(0, offset!, offset! + 4);
    const error = await refusal(openArchive(fileOf(bytes), null).then((each) => bytesOf(each, name)));
    expect(error).toBeInstanceOf(ArchiveError);
    expect(error.message).toContain(`${name} at offset ${offset}`);
  });
});

describe('a member that is larger than its directory entry', () => {
  it.each([0x100, 1 << 20])('is given up after %i bytes, not at its end', async (size) => {
    const content = Buffer.alloc(64 << 20);
    const archive = await openArchive(fileOf(zipOf([{ name: 'Netze.xml', content, size }])), null);
    let bytes = 0;
    const reading = (async () => {
      for await (const piece of readMember(archive, archive.members[0]!)) bytes += piece.length;
    })();
    const error = await refusal(reading);
    expect(error).toBeInstanceOf(ArchiveError);
    expect(error.message).toContain(`Netze.xml at offset 0 of ${archive.path} is damaged: it goes on behind`);
    expect(bytes).toBeLessThanOrEqual(size);
  });
});

describe('content that no export has', () => {
  const wind: ZipMember = { name: 'EinheitenWind.xml', content: 'w' };
  const refused = async (path: string): Promise<string> => {
    const error = await refusal(openArchive(path, null));
    expect(error).toBeInstanceOf(ArchiveError);
    return error.message;
  };

  it.each([
    ['an empty file', { name: 'Netze.xml', content: '' }, 'is empty: 0 bytes'],
    ['a symbolic link', { name: 'Netze.xml', content: '/etc/passwd', link: true }, 'is a symbolic link'],
    ['a part number beyond 32 bits', { name: 'Netze_2147483648.xml', content: 'n' }, 'its number is too large'],
  ])('is refused at the directory: %s', async (_, member, reason) => {
    const message = await refused(fileOf(zipOf([wind, member])));
    expect(message).toContain(`${member.name} at offset 50 of `);
    expect(message).toContain(reason);
  });

  it('is ignored outside of members: a link or an empty file next to them', async () => {
    const beside = [
      { name: 'liesmich.txt', content: '' },
      { name: 'mehr.txt', content: 'x', link: true },
    ];
    expect((await openArchive(fileOf(zipOf([wind, ...beside])), null)).members).toHaveLength(3);
  });

  it('is refused in a folder, too: a link, or a folder under the name of a file', async () => {
    const linked = folderOf([wind]);
    symlinkSync('EinheitenWind.xml', join(linked, 'Netze.xml'));
    expect(await refused(linked)).toContain(`Netze.xml of ${linked} is a symbolic link, or no file at all`);
    const nested = folderOf([wind]);
    mkdirSync(join(nested, 'Netze.xml'));
    expect(await refused(nested)).toContain('no file at all');
  });

  it('includes more files than any export has', async () => {
    const many = Array.from({ length: 10_001 }, (_, part) => ({ name: `Netze_${part}.xml`, content: 'n', method: 0 }));
    expect(await refused(fileOf(zipOf(many)))).toContain('holds 10001 files');
  });
});

describe('a file of a folder that changes while it is read', () => {
  it.each([
    ['grows', (path: string) => writeFileSync(path, 'ww'), 'was changed while it was read: 2 bytes, not 1'],
    ['vanishes', (path: string) => rmSync(path), 'cannot be read: ENOENT'],
  ])('is reported: it %s', async (_, change, reason) => {
    const path = folderOf([{ name: 'EinheitenWind.xml', content: 'w' }]);
    const archive = await openArchive(path, null);
    change(join(path, 'EinheitenWind.xml'));
    const error = await refusal(bytesOf(archive, 'EinheitenWind.xml'));
    expect(error).toBeInstanceOf(ArchiveError);
    expect(error.message).toContain(`EinheitenWind.xml of ${path} ${reason}`);
  });
});

/** Positions of the packing method of a member: in its local header and in the directory. */
function methodFields(bytes: Buffer, name: string): number[] {
  const first = bytes.indexOf(name);
  return [first - 30 + 8, bytes.indexOf(name, first + 1) - 46 + 10];
}

describe('not an export', () => {
  it.each([
    ['an HTML page under the name of the zip', '<!DOCTYPE html><html>Wartung</html>', 'begins with "<!DOCTYPE html>'],
    ['an empty file', '', 'is empty'],
    ['one byte', 'P', 'begins with 1 character: letters'],
    ['an empty zip', zipOf([]), 'no XML file'],
    ['a zip without any XML file', zipOf([{ name: 'a.txt', content: 'x' }]), 'no XML file'],
    ['only the beginning of a zip', zipOf(MEMBERS).subarray(0, 100), 'no complete zip'],
  ])('is refused: %s', async (_, bytes, reason) => {
    const path = fileOf(bytes);
    const error = await refusal(openArchive(path, null));
    expect(error).toBeInstanceOf(ArchiveError);
    expect(error.message).toContain(reason);
    expect(error.message).toContain(path);
  });

  it('is refused: a zip that ends anywhere before its end', async () => {
    const bytes = zipOf(MEMBERS.slice(0, 3));
    for (let length = 0; length < bytes.length; length += 7) {
      const error = await refusal(openArchive(fileOf(bytes.subarray(0, length)), null));
      expect(error, `${length} bytes`).toBeInstanceOf(ArchiveError);
    }
  });

  it('is refused: a damaged directory', async () => {
    const bytes = zipOf(MEMBERS);
    bytes.fill(0, bytes.indexOf(Buffer.from('PK\u0001\u0002', 'latin1')), bytes.length - 22);
    const error = await refusal(openArchive(fileOf(bytes), null));
    expect(error).toBeInstanceOf(ArchiveError);
    expect(error.message).toContain('directory');
  });

  it('is refused: a missing path, and an empty folder', async () => {
    expect(await refusal(openArchive(join(folder, 'nothing'), null))).toBeInstanceOf(ExportMissing);
    expect(await refusal(openArchive(folderOf([]), null))).toBeInstanceOf(ArchiveError);
  });
});

describe('the day and the level of an export', () => {
  const members: readonly ZipMember[] = [
    { name: 'Netze.xml', content: 'n', written: [2025, 4, 14, 2] },
    { name: 'EinheitenWind.xml', content: 'w', written: [2025, 4, 15, 1] },
  ];

  it.each([
    ['Gesamtdatenexport_20260911_26.1.zip', '2026-09-11', 'name', '26.1'],
    ['Gesamtdatenexport_20230314_22.2_0123456789abcdef0123456789abcdef.zip', '2023-03-14', 'name', '22.2'],
    ['Gesamtdatenexport_20220203__0123456789abcdef0123456789abcdef.zip', '2022-02-03', 'name', null],
    ['export.zip', '2025-04-15', 'time stamp', null],
    ['export_25.1.zip', '2025-04-15', 'time stamp', '25.1'],
    ['export_123456789.zip', '2025-04-15', 'time stamp', null],
    ['20251001.zip', '2025-10-01', 'name', null],
  ])('%s', async (name, day, daySource, level) => {
    expect(await openArchive(fileOf(zipOf(members), name), null)).toMatchObject({ day, daySource, level, form: 'zip' });
  });

  it('come from the option first', async () => {
    expect(await openArchive(fileOf(zipOf(members)), '2024-01-01')).toMatchObject({
      day: '2024-01-01',
      daySource: 'option',
    });
  });

  it('of a folder are in its name, or in the time stamps of its files: Berlin days', async () => {
    expect(await openArchive(folderOf(members), null)).toMatchObject({
      day: '2026-09-11',
      daySource: 'name',
      level: '26.1',
      form: 'folder',
    });
    const path = folderOf(members, 'extracted');
    for (const { name } of members) utimesSync(join(path, name), new Date(), new Date('2025-04-14T22:30:00Z'));
    expect(await openArchive(path, null)).toMatchObject({ day: '2025-04-15', daySource: 'time stamp', level: null });
  });

  it.each(['20261139', '20260230', '20261900'])('cannot be %s, which is not in the calendar', async (digits) => {
    const path = fileOf(zipOf(members), `Gesamtdatenexport_${digits}_26.1.zip`);
    const error = await refusal(openArchive(path, null));
    expect(error).toBeInstanceOf(ArchiveError);
    const day = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
    expect(error.message).toBe(
      `${path} names the day ${day}, which no calendar has. --day YYYY-MM-DD says the right one`,
    );
    expect(await openArchive(path, '2026-11-30')).toMatchObject({ day: '2026-11-30', daySource: 'option' });
  });

  // A day to come would make every later export an older one; 1980 is what zips say that were written without the time.
  it.each([[2099, '2099-04-15'] as const, [1980, '1980-04-15'] as const])(
    'cannot be of %i by time stamps alone',
    async (year, day) => {
      const path = fileOf(zipOf([{ name: 'Netze.xml', content: 'n', written: [year, 4, 15, 1] }]), 'export.zip');
      const error = await refusal(openArchive(path, null));
      expect(error).toBeInstanceOf(ArchiveError);
      expect(error.message).toContain(`its latest time stamp says ${day}, of which no export can be. --day YYYY-MM-DD`);
    },
  );
});
