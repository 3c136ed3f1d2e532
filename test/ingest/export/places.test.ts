import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { unitsOf } from '../../../ingest/export/content.ts';
import { openDuckdbSource } from '../../../ingest/export/duckdb-source.ts';
import { piecesOf } from '../../../ingest/export/pieces.ts';
import { silentProgress } from '../../../ingest/run/progress.ts';
import { READABLE_FIELDS } from '../../../sql/catalogue/unit-fields.ts';
import { duckdbUnitColumns } from '../../../sql/warehouse/duckdb/columns.ts';
import { publishedDumps } from '../../../sql/warehouse/dumps.ts';
import { prune, publish, versionFile, versionFolder } from '../../../sql/warehouse/versions.ts';
import { drawn } from '../../support/cases.ts';
import { ingest, ingestHere, ingestWithLimit, startIngest, waitForExit, waitForOutput } from '../../support/command.ts';
import { folderOfTests } from '../../support/exports.ts';
import { buildVersion } from '../../support/fixture.ts';
import { draftsIn, isSealed, manifestIn, queryFiles } from './dumps.ts';

/** A dump goes where it was sent, or leaves nothing behind when something goes wrong. */

const OLD = '20260314-0001';
const NEW = '20260315-0002';
/** More than a piece of each format holds. */
const UNITS = { [OLD]: 21_000, [NEW]: 5 };

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');
let out: string;
let dumps = 0;

beforeAll(async () => {
  mkdirSync(warehouse);
  for (const [id, units] of Object.entries(UNITS)) {
    await buildVersion(warehouse, id, async (connection) => {
      await connection.run(
        `INSERT INTO units BY NAME
         SELECT 'SEE9' || lpad(CAST(i AS VARCHAR), 11, '0') AS mastrNummer, 'wind' AS einheitTyp, 35 AS statusId,
           CASE i WHEN 0 THEN '=1;"x"' WHEN 1 THEN '-1' WHEN 2 THEN '''+1' ELSE CAST($id AS VARCHAR) END AS name,
           1 AS bruttoleistungKw, 1 AS region, 0 AS signals
         FROM range(CAST($units AS BIGINT)) AS zahlen(i)`,
        { id, units },
      );
    });
  }
  publish(warehouse, OLD, 'build', new Date());
});

afterAll(folder.remove);

beforeEach(() => {
  out = join(folder.path, 'dumps', String(++dumps));
});

const exporting = (...words: string[]) => ingestHere(warehouse, ['export', ...words]);

describe('a dump', () => {
  test('goes into a folder, which is made', async () => {
    const { code, out: said } = await exporting('--format', 'csv', '--out', join(out, 'deep'));
    expect(code).toBe(0);
    expect(said).toMatch(/^Wrote 21,000 units of 20260314-0001, as of 2026-03-14, to .*units\.csv \(.* MB\), and/);
    expect(readdirSync(join(out, 'deep')).sort()).toEqual(['manifest.json', 'units.csv']);
    expect(isSealed(join(out, 'deep'))).toBe(true);
  });

  test('for Excel: no text is a formula, and a text with a separator is quoted', async () => {
    const words = ['--format', 'csv', '--out', out, '--version', NEW];
    expect((await exporting(...words, '--dialect', 'excel')).code).toBe(0);
    const text = readFileSync(join(out, 'units-excel.csv'), 'utf8');
    const named = parse(text, { bom: true, columns: true, delimiter: ';' }) as { name: string }[];
    expect(named.slice(0, 3).map(({ name }) => name)).toEqual([`'=1;"x"`, "'-1", "''+1"]);
    expect((await exporting(...words, '--force')).code).toBe(0);
    const plain = parse(readFileSync(join(out, 'units.csv'), 'utf8'), { columns: true }) as { name: string }[];
    expect(plain.slice(0, 3).map(({ name }) => name)).toEqual(['=1;"x"', '-1', "'+1"]);
  });

  test('goes into a file', async () => {
    expect((await exporting('--format', 'ndjson', '--out', join(out, 'wind.ndjson'))).code).toBe(0);
    expect(readdirSync(out).sort()).toEqual(['manifest.json', 'wind.ndjson']);
    expect(isSealed(out)).toBe(true);
  });

  test('is of the version that is named', async () => {
    expect((await exporting('--format', 'csv', '--out', out, '--version', NEW)).code).toBe(0);
    expect(manifestIn(out)).toMatchObject({ version: NEW, asOf: '2026-03-15', rows: 5 });
  });

  test('is reported as JSON lines with --json', async () => {
    const { out: said } = await exporting('--format', 'parquet', '--out', out, '--json');
    const events = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ event, name }) => name ?? event)).toEqual(['parquet', 'one file', 'digest', 'exported']);
    expect(events[0]).toMatchObject({ done: 21_000, total: 21_000, unit: 'units' });
    expect(events[3]).toMatchObject({ version: OLD, rows: 21_000, file: join(out, 'units.parquet') });
  });

  test('of the same version is the same, byte for byte', async () => {
    for (const format of drawn(['parquet', 'csv', 'ndjson'], 1, 1)) {
      const [one, two] = [join(out, format, '1'), join(out, format, '2')];
      for (const place of [one, two]) await exporting('--format', format, '--out', place);
      expect(manifestIn(one).files).toEqual(manifestIn(two).files);
    }
  });
});

describe('a dump of several row groups', () => {
  test('is written with the least memory that may be set, whole and in order', async () => {
    const wide = join(folder.path, 'wide');
    const units = 70_000;
    mkdirSync(versionFolder(wide, OLD), { recursive: true });
    const instance = await DuckDBInstance.create(versionFile(wide, OLD));
    const connection = await instance.connect();
    await connection.run(`CREATE TABLE dataset AS SELECT DATE '2026-03-14' AS exportDay`);
    await connection.run(`CREATE TABLE units (${duckdbUnitColumns().replaceAll(/ --.*$/gm, '')})`);
    // Of all texts that a unit may have, as long as those of the register get: they are the memory of a row group.
    const texts = READABLE_FIELDS.filter(
      ({ kind, read }) => (kind === 'text' || kind === 'label') && read === null,
    ).map(({ name }) => name);
    const values = texts
      .filter((name) => name !== 'mastrNummer' && name !== 'einheitTyp')
      .map((name) => `repeat(number || ' ', 2) AS "${name}"`);
    await connection.run(
      `INSERT INTO units BY NAME
       SELECT nummer, number AS mastrNummer, 'wind' AS einheitTyp, 0 AS signals, ${values.join(', ')}
       FROM (SELECT i * 7919 % ${units} AS nummer, 'SEE9' || lpad(CAST(nummer AS VARCHAR), 11, '0') AS number
             FROM range(${units}) AS zahlen(i))`,
    );
    connection.closeSync();
    instance.closeSync();
    const words = ['export', '--format', 'parquet', '--out', out, '--version', OLD];
    const { code, err } = await ingest(wide, words, { INGEST_MEMORY_MB: '256' });
    expect(code, err).toBe(0);
    const file = join(out, 'units.parquet');
    const [seen] = await queryFiles(
      `SELECT count(*)::INTEGER AS rows, count(DISTINCT mastrNummer)::INTEGER AS numbers,
         bool_and(mastrNummer >= before) AS ordered,
         (SELECT count(DISTINCT row_group_id)::INTEGER FROM parquet_metadata('${file}')) AS groups
       FROM (SELECT mastrNummer, lag(mastrNummer, 1, '') OVER (ORDER BY file_row_number) AS before
             FROM read_parquet('${file}', file_row_number = true))`,
    );
    expect(seen).toEqual({ rows: units, numbers: units, ordered: true, groups: 4 });
  });
});

describe('an existing dump', () => {
  test('is not overwritten', async () => {
    await exporting('--format', 'csv', '--out', out, '--version', NEW);
    const before = readFileSync(join(out, 'units.csv'));
    for (const format of ['csv', 'parquet']) {
      const { code, err } = await exporting('--format', format, '--out', out);
      expect(code).toBe(5);
      expect(err).toBe(
        `There is a ${out}/manifest.json already, of ${NEW} as csv: name another place with --out, or replace it with --force\n`,
      );
    }
    expect(readFileSync(join(out, 'units.csv'))).toEqual(before);
    expect(readdirSync(out).sort()).toEqual(['manifest.json', 'units.csv']);
  });

  test('nor is a file that has no manifest', async () => {
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'units.csv'), 'mine');
    const { code, err } = await exporting('--format', 'csv', '--out', out);
    expect(code).toBe(5);
    expect(err).toMatch(/^There is a .*units\.csv already: name another place/);
    expect(readFileSync(join(out, 'units.csv'), 'utf8')).toBe('mine');
  });

  test('is replaced as a whole with --force, and other files in the folder stay', async () => {
    await exporting('--format', 'csv', '--out', out, '--version', NEW);
    writeFileSync(join(out, 'notes.txt'), 'mine');
    expect((await exporting('--format', 'parquet', '--out', out, '--force')).code).toBe(0);
    expect(readdirSync(out).sort()).toEqual(['manifest.json', 'notes.txt', 'units.parquet']);
    expect(isSealed(out)).toBe(true);
  });
});

describe('a dump that is published', () => {
  const publishing = (...words: string[]) =>
    ingestHere(warehouse, ['export', '--publish', ...words], { DUMPS_DIR: out, KEEP_DUMPS: '1' });

  test('goes where the service hands it out, each file with its own manifest', async () => {
    for (const choice of [['csv'], ['csv', '--dialect', 'excel']]) {
      expect((await publishing('--version', OLD, '--format', ...choice)).code).toBe(0);
    }
    for (const file of ['units.csv', 'units-excel.csv']) expect(isSealed(join(out, OLD, file))).toBe(true);
    expect((await publishedDumps(out)).map(({ version, file, rows }) => [version, file, rows])).toEqual([
      [OLD, 'units-excel.csv', UNITS[OLD]],
      [OLD, 'units.csv', UNITS[OLD]],
    ]);
  });

  test('displaces those of older versions, and is not replaced without --force', async () => {
    await publishing('--version', OLD, '--format', 'csv');
    const { out: said } = await publishing('--version', NEW, '--format', 'parquet');
    expect(said).toMatch(/\nRemoved the dumps of 20260314-0001\n$/);
    expect(readdirSync(out)).toEqual([NEW]);
    expect((await publishing('--version', NEW, '--format', 'parquet')).code).toBe(5);
    expect((await publishing('--version', NEW, '--format', 'parquet', '--force')).code).toBe(0);
    // A version that is published again stays, however old it is.
    await publishing('--version', OLD, '--format', 'csv');
    expect(readdirSync(out).sort()).toEqual([OLD, NEW]);
  });
});

describe('invalid arguments are reported in one line', () => {
  test.each([
    [
      'a format',
      ['--format', 'xml', '--out', 'x'],
      2,
      /^error: .*'xml' is invalid\. Allowed choices are parquet, duckdb, csv, ndjson\.$/m,
    ],
    ['no format', ['--out', 'x'], 2, /^error: required option '--format <format>' not specified$/m],
    ['no place', ['--format', 'csv'], 2, /^Say where the dump goes: --out <path>, or --publish$/m],
    ['two places', ['--format', 'csv', '--out', 'x', '--publish'], 2, /^Say where the dump goes: /],
    ['no folder to publish to', ['--format', 'csv', '--publish'], 2, /^--publish needs the setting DUMPS_DIR, /],
    ['decimals of text', ['--format', 'csv', '--decimals', 'double', '--out', 'x'], 2, /^--decimals is only for /],
    ['a dialect of Parquet', ['--format', 'parquet', '--dialect', 'excel', '--out', 'x'], 2, /^--dialect is only for /],
    [
      'a version',
      ['--format', 'csv', '--out', 'x', '--version', '20250101-0001'],
      5,
      /^There is no version 20250101-0001\. /,
    ],
    ['an ending', ['--format', 'csv', '--out', 'x.parquet'], 5, /^x\.parquet does not end with \.csv: /],
    ['a folder', ['--format', 'csv', '--out', '/proc/dumps'], 5, /^Nothing can be written into \/proc\/dumps: ENOENT/],
    [
      'a file as a folder',
      ['--format', 'csv', '--out', '/dev/null/x'],
      5,
      /^Nothing can be written into \/dev\/null\/x: ENOTDIR/,
    ],
  ] as const)('%s', async (_, words, code, message) => {
    const result = await exporting(...words);
    expect(result).toMatchObject({ code, out: '' });
    expect(result.err).toMatch(message);
    expect(existsSync('x')).toBe(false);
  });

  test('nothing to export', async () => {
    const result = await ingestHere(join(folder.path, 'empty'), ['export', '--format', 'csv', '--out', out]);
    expect(result).toMatchObject({ code: 5, err: 'Nothing is served yet, so there is nothing to export.\n' });
  });
});

describe('an export that ends early', () => {
  test.each(drawn(['parquet', 'csv', 'ndjson'], 1))(
    'by kill -9 leaves nothing that looks complete (%s)',
    async (format) => {
      const words = ['export', '--format', format, '--out', out];
      const begun = Date.now();
      expect((await ingest(warehouse, [...words.slice(0, -1), `${out}-whole`])).code).toBe(0);
      const duration = Date.now() - begun;
      for (let kill = 0; kill < 3; kill++) {
        const child = startIngest(warehouse, [...words, '--force']);
        const end = waitForExit(child);
        // The first third of a process's time is the start of Node itself.
        await pause(duration * (0.3 + (0.7 * (kill + Math.random())) / 3));
        child.kill('SIGKILL');
        await end;
        // A kill may also come too late.
        if (isSealed(out)) expect(manifestIn(out).rows).toBe(21_000);
      }
      expect((await ingestHere(warehouse, [...words, '--force'])).code).toBe(0);
      expect(isSealed(out)).toBe(true);
      expect(draftsIn(out)).toEqual([]);
      expect(manifestIn(out).files).toEqual(manifestIn(`${out}-whole`).files);
    },
  );

  test('by a signal leaves what was there, and reports it', async () => {
    await exporting('--format', 'csv', '--out', out, '--version', NEW);
    const child = startIngest(warehouse, ['export', '--format', 'ndjson', '--out', out, '--force', '--json']);
    const end = waitForExit(child);
    // The draft is there as soon as the first records are.
    await expect.poll(() => draftsIn(out).length, { interval: 5, timeout: 60_000 }).toBeGreaterThan(0);
    child.kill('SIGTERM');
    const { code, err } = await end;
    expect(code).toBe(143);
    expect(err).toContain('Stopped by SIGTERM: ');
    expect(draftsIn(out)).toEqual([]);
    expect(isSealed(out)).toBe(true);
    expect(manifestIn(out).version).toBe(NEW);
  });

  test.each(drawn(['parquet', 'csv'], 1))('by a full disk leaves nothing (%s)', async (format) => {
    const blocks = format === 'parquet' ? 20 : 500;
    const words = ['export', '--format', format, '--out', out];
    const { code, err } = await ingestWithLimit(warehouse, `ulimit -f ${blocks}`, words);
    expect(code).toBe(1);
    expect(err.trim().split('\n').at(-1)).toMatch(/^The disk is full: .*make room and try again\.$/);
    expect(existsSync(out)).toBe(false);
  });
});

describe('a version that is exported', () => {
  test('stays readable to the end while a new one is published and it is pruned', async () => {
    const other = join(folder.path, 'other');
    mkdirSync(other);
    for (const id of [OLD, NEW]) {
      await buildVersion(other, id, async (connection) => {
        await connection.run(
          `INSERT INTO units BY NAME
           SELECT 'SEE9' || lpad(CAST(i AS VARCHAR), 11, '0') AS mastrNummer, 'wind' AS einheitTyp, 35 AS statusId,
             CAST($id AS VARCHAR) AS name, 1 AS bruttoleistungKw, 1 AS region, 0 AS signals FROM range(13000) AS zahlen(i)`,
          { id },
        );
      });
    }
    publish(other, OLD, 'build', new Date());
    const signal = new AbortController().signal;
    const source = await openDuckdbSource(other, OLD, 256, signal);
    const work = join(folder.path, 'work');
    const form = { format: 'ndjson', decimals: 'exact', dialect: null, geo: false, changes: false } as const;
    const engine = await source.engine(false, work, silentProgress);
    const names = new Set<string>();
    let records = 0;
    for await (const { path, rows } of piecesOf(engine, unitsOf(source.units), form, work, '2026-03-16')) {
      if (records === 0) {
        publish(other, NEW, 'build', new Date());
        expect(prune(other, 1)).toEqual([OLD]);
        expect(existsSync(versionFolder(other, OLD))).toBe(false);
      }
      for (const line of readFileSync(path, 'utf8').trim().split('\n')) names.add(JSON.parse(line).name);
      records += rows;
    }
    await source.close();
    expect(records).toBe(13_000);
    expect([...names]).toEqual([OLD]);
  });

  test('of an older release that lacks a column is refused in one line', async () => {
    const older = join(folder.path, 'older');
    mkdirSync(older);
    await buildVersion(older, OLD, async () => {});
    const instance = await DuckDBInstance.create(versionFile(older, OLD));
    const connection = await instance.connect();
    await connection.run('ALTER TABLE units DROP COLUMN solarpark');
    connection.closeSync();
    instance.closeSync();
    publish(older, OLD, 'build', new Date());
    const { code, err } = await ingestHere(older, ['export', '--format', 'csv', '--out', out]);
    expect(code).toBe(5);
    expect(err).toBe(`${OLD} was built by an older release and has no solarpark: build the export again\n`);
    expect(existsSync(out)).toBe(false);
  });
});

test('a terminal and a log show its progress', async () => {
  const child = startIngest(warehouse, ['export', '--format', 'csv', '--out', out]);
  const end = waitForExit(child);
  await waitForOutput(child, 'csv ');
  expect((await end).err).toMatch(/^csv +21,000 units of 21,000 units, .* in /m);
});
