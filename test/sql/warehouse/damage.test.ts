import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrgStore } from '../../../sql/org/store.ts';
import { unitNumberOf } from '../../../sql/register/mastr-number.ts';
import { createSearchIndex } from '../../../sql/warehouse/search/writer.ts';
import {
  currentPublication,
  ordersFile,
  pointerFile,
  regionDaysFile,
  rowFile,
  searchFile,
  versionFile,
} from '../../../sql/warehouse/versions.ts';
import { publishRegister } from '../../support/built.ts';
import { ingestHere } from '../../support/command.ts';
import { generateExport } from '../../support/exports.ts';
import { openFailingStore } from '../../support/failing-store.ts';
import { serve } from '../../support/service.ts';

/** The service and the command line name damaged files of the warehouse, and the remedy. */

let folder: string;
let whole: string;
let version: string;
let store: OrgStore;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'damage-'));
  whole = join(folder, 'whole');
  await publishRegister(whole);
  version = currentPublication(whole)?.version ?? '';
  store = await openFailingStore();
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

let copies = 0;
function copy(): string {
  const path = join(folder, String(copies++));
  cpSync(whole, path, { recursive: true });
  return path;
}

/** Changes one byte in the middle of a stretch of a file. */
function damageByte(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

const halve = (path: string) => truncateSync(path, Math.floor(readFileSync(path).length / 2));

/** Kinds of damage with the file and the fault that each is reported with. */
const DAMAGE: readonly [what: string, damage: (warehouse: string) => void, reported: RegExp][] = [
  ['the pointer is cut off', (path) => halve(pointerFile(path)), /current\.json is damaged: .* publish 20261101-0001/],
  ['the pointer is empty', (path) => truncateSync(pointerFile(path)), /current\.json is damaged: it is no pointer/],
  ['the pointer is other JSON', (path) => writeFileSync(pointerFile(path), '[]'), /current\.json is damaged/],
  [
    'the pointer names a version that is not there',
    (path) =>
      writeFileSync(pointerFile(path), readFileSync(pointerFile(path), 'utf8').replaceAll(version, '20261102-0009')),
    /current\.json is damaged: it names the version 20261102-0009, which is not there; .* has 20261101-0001/,
  ],
  [
    'the tables are gone',
    (path) => rmSync(versionFile(path, version)),
    /warehouse\.duckdb is damaged: it is not there/,
  ],
  ['the tables are cut off', (path) => halve(versionFile(path, version)), /warehouse\.duckdb is damaged/],
  ['the tables are empty', (path) => truncateSync(versionFile(path, version)), /warehouse\.duckdb is damaged/],
  ['the rows are gone', (path) => rmSync(rowFile(path, version)), /units\.rows is damaged: it is not there/],
  [
    'the rows are cut off',
    (path) => halve(rowFile(path, version)),
    /units\.rows is damaged: it is no complete row file/,
  ],
  [
    'the search index is cut off',
    (path) => halve(searchFile(path, version)),
    /units\.search is damaged: it is no complete file/,
  ],
  [
    'the index of the search index is changed',
    (path) => damageByte(searchFile(path, version), readFileSync(searchFile(path, version)).length - 30),
    /units\.search is damaged: its index/,
  ],
  [
    'the words of the search index are changed',
    (path) => damageByte(searchFile(path, version), sectionOf(searchFile(path, version), 'words.bytes')),
    /units\.search is damaged: its bytes from \d+ to \d+ are not as they were written/,
  ],
  [
    'the search index is that of another version',
    (path) => createSearchIndex(searchFile(path, version), 3).finish(0),
    /units\.search is damaged: it has 3 units/,
  ],
  [
    'the orders of units are cut off',
    (path) => halve(ordersFile(path, version)),
    /units\.orders is damaged: it is no complete file/,
  ],
  [
    'the days of regions are cut off',
    (path) => halve(regionDaysFile(path, version)),
    /region\.days is damaged: it is no complete file/,
  ],
  [
    'the index of the rows is changed',
    (path) => damageIndex(rowFile(path, version)),
    /units\.rows is damaged: its index/,
  ],
];

const damageIndex = (path: string) => damageByte(path, indexOf(path).numbersAt);

/** Returns where a section of a checked file begins (checked-file.ts). */
function sectionOf(path: string, section: string): number {
  const bytes = readFileSync(path);
  const headerEnd = bytes.length - 16;
  const header = bytes.toString('utf8', headerEnd - bytes.readUInt32LE(bytes.length - 12), headerEnd);
  return JSON.parse(header).sections[section][0];
}

describe.each(DAMAGE)('%s', (_, damage, reported) => {
  let warehouse: string;
  beforeAll(() => {
    warehouse = copy();
    damage(warehouse);
  });

  test('the service answers 503, and its log names the file and the remedy', async () => {
    const lines: string[] = [];
    const service = await serve(warehouse, {}, store, pino({ level: 'error' }, { write: (line) => lines.push(line) }));
    try {
      const [list, health] = await Promise.all([service.get('/v1/units'), service.get('/v1/health')]);
      expect([list.status, list.json.code]).toEqual([503, 'DATASET_NOT_READY']);
      expect([health.status, health.json.data.dependencies.search]).toEqual([503, 'degraded']);
      const message = lines.map((line) => String(JSON.parse(line).err?.message)).find((text) => reported.test(text));
      expect(message).toMatch(/npm run ingest -- /);
    } finally {
      await service.stop();
    }
  });

  test('verify names the file and the remedy', async () => {
    const { code, out, err } = await ingestHere(warehouse, ['verify']);
    expect(code).toBe(7);
    expect(out + err).toMatch(reported);
    expect(out + err).toContain('from the backup');
  });
});

test('a version without the files that spare statements is served, and verify says which it lacks', async () => {
  const warehouse = copy();
  for (const path of [searchFile, ordersFile, regionDaysFile]) rmSync(path(warehouse, version));
  const service = await serve(warehouse, {}, store);
  try {
    const [list, hits] = await Promise.all([service.get('/v1/units?suche=solar'), service.get('/v1/search?q=solar')]);
    expect([list.status, hits.status]).toEqual([200, 200]);
    expect(hits.json.data).not.toEqual([]);
  } finally {
    await service.stop();
  }
  const { code, out } = await ingestHere(warehouse, ['verify']);
  expect(code).toBe(0);
  for (const name of ['units.search', 'units.orders', 'region.days']) {
    expect(out).toContain(`${name} is not there: an earlier release`);
  }
});

test.each([
  ['gone', (path: string) => rmSync(versionFile(path, version))],
  ['cut off', (path: string) => halve(versionFile(path, version))],
])('a build upon tables that are %s says so, and leaves what is there', async (_, damage) => {
  const warehouse = copy();
  damage(warehouse);
  const source = await generateExport(folder, '2026-11-01');
  const { code, err } = await ingestHere(warehouse, ['build', source, '--day', '2026-11-02']);
  expect([code, err]).toEqual([7, expect.stringMatching(/warehouse\.duckdb is damaged: .*move the folder/s)]);
  expect(currentPublication(warehouse)?.version).toBe(version);
});

describe('a block of rows that is changed on the disk', () => {
  /** A block that is not checked when the file is opened. */
  const BLOCK = 2;

  function withBadBlock() {
    const warehouse = copy();
    const path = rowFile(warehouse, version);
    const { offsets, numbers } = indexOf(path);
    damageByte(path, (offsets[BLOCK] ?? 0) + 40);
    return { warehouse, bad: unitNumberOf(numbers[BLOCK * 4] ?? 0), good: unitNumberOf(numbers[BLOCK * 4 - 1] ?? 0) };
  }

  test('fails reads of its units with 500 and degrades health; all others are answered', async () => {
    const { warehouse, bad, good } = withBadBlock();
    const lines: string[] = [];
    const service = await serve(warehouse, {}, store, pino({ level: 'error' }, { write: (line) => lines.push(line) }));
    const search = async () => {
      const { status, json } = await service.get('/v1/health');
      return [status, json.data.dependencies.search];
    };
    try {
      expect((await service.get(`/v1/units/${good}`)).status).toBe(200);
      const response = await service.get(`/v1/units/${bad}`);
      expect([response.status, response.json.code]).toEqual([500, 'INTERNAL_ERROR']);
      expect(response.text).not.toContain('units.rows');
      expect(lines.join()).toMatch(/units\.rows is damaged: the rows of SEE\d+ to SEE\d+ are not as they were written/);
      expect(await search()).toEqual([503, 'degraded']);
      expect((await service.get(`/v1/units/${good}`)).status).toBe(200);
    } finally {
      await service.stop();
    }
  });

  test('is found by verify, which names its units; an intact version passes', async () => {
    const { warehouse, bad } = withBadBlock();
    const { code, out } = await ingestHere(warehouse, ['verify', version, '--json']);
    expect(code).toBe(7);
    expect(JSON.parse(out).damage).toEqual([expect.stringContaining(`the rows of ${bad} to`)]);
    const intact = await ingestHere(whole, ['verify']);
    expect([intact.code, intact.out]).toEqual([0, `No damage was found in ${version}.\n`]);
  });

  test('a changed block of the search index fails searches that read it with 500, and is found by verify', async () => {
    const warehouse = copy();
    const path = searchFile(warehouse, version);
    damageByte(path, sectionOf(path, 'actors.records'));
    const service = await serve(warehouse, {}, store, pino({ level: 'silent' }));
    try {
      const [found, list] = await Promise.all([service.get('/v1/search?q=gmbh'), service.get('/v1/units')]);
      expect([found.status, found.json.code, list.status]).toEqual([500, 'INTERNAL_ERROR', 200]);
    } finally {
      await service.stop();
    }
    const { code, out } = await ingestHere(warehouse, ['verify']);
    expect([code, out]).toEqual([7, expect.stringMatching(/units\.search is damaged: its bytes from/)]);
  });

  test('a changed block of the tables is found by verify', async () => {
    const warehouse = copy();
    // After the three headers the file has blocks of 256 KB, each with its checksum.
    damageByte(versionFile(warehouse, version), 3 * 4096 + 5 * 262_144 + 1000);
    const { code, out } = await ingestHere(warehouse, ['verify']);
    expect([code, out]).toEqual([7, expect.stringMatching(/warehouse\.duckdb is damaged: .*[Cc]hecksum/)]);
  });
});

/** Reads the offsets and numbers of a row file (layout.ts). */
function indexOf(path: string) {
  const bytes = readFileSync(path);
  const headerLength = bytes.readUInt32LE(bytes.length - 12);
  const headerAt = bytes.length - 16 - headerLength;
  const { units } = JSON.parse(bytes.toString('utf8', headerAt, headerAt + headerLength));
  const blocks = Math.ceil(units / 4);
  const numbersAt = headerAt - units * 8;
  const offsetsAt = numbersAt - blocks * 4 - (blocks + 1) * 8;
  const floats = (at: number, count: number) =>
    new Float64Array(new Uint8Array(bytes.subarray(at, at + count * 8)).buffer);
  return { offsets: floats(offsetsAt, blocks + 1), numbers: floats(numbersAt, units), numbersAt };
}
