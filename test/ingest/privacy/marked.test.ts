import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { publishVersion } from '../../../ingest/build/build.ts';
import { silentProgress } from '../../../ingest/run/progress.ts';
import { STAGED_TABLES } from '../../../ingest/stage/tables.ts';
import { REGISTER_FIELDS } from '../../../sql/register/fields.ts';
import { queryRows } from '../../../sql/warehouse/clickhouse/query-rows.ts';
import { currentPublication, versionFile } from '../../../sql/warehouse/versions.ts';
import { administratorClient, serverTarget } from '../../support/clickhouse.ts';
import { ingestHere } from '../../support/command.ts';
import { type ExportServer, serveExports } from '../../support/export-server.ts';
import { folderOfTests, generateExport, RegisterExport } from '../../support/exports.ts';
import { buildIn, queryServed } from '../../support/warehouse.ts';
import { holdsMark, MARK, markedFiles, markedParquet, markedRows } from './mark.ts';
import { markedZip, markOf, OPEN, SERVED } from './marked-export.ts';

/**
 * Personal data, marked, in every place of every kind of file of an export: nothing that the ingest writes, loads or
 * says holds the mark. The export itself does, wherever it lies.
 */

const folder = folderOfTests();
const state = join(folder.path, 'state');
const crashed = join(folder.path, 'crashed');
const source = join(folder.path, 'exports', 'Gesamtdatenexport_20261101_26.1.zip');
const later = source.replace('1101', '1102');
const THE_EXPORT = /\.zip(\.damaged)?$/;
const client = await administratorClient();
const published = await serverTarget(state, 'energy_marked');
let server: ExportServer;

beforeAll(async () => {
  const register = await RegisterExport.read(await generateExport(folder.path, '2026-11-01'));
  const zip = markedZip(register.shorten(20, 'Katalogwerte', 'Katalogkategorien', 'Marktakteure'));
  mkdirSync(join(folder.path, 'exports'));
  for (const path of [source, later]) writeFileSync(path, zip);
  // A crash would leave of the build all that lies in its folder when reading is done.
  const stage = (name: string) => {
    if (name === 'look-ups') cpSync(join(state, 'building'), crashed, { recursive: true });
  };
  await buildIn(state, source, { force: true, progress: { ...silentProgress, stage } });
  server = await serveExports();
});

afterAll(async () => {
  await published.close();
  await client.close();
  await server?.stop();
  folder.remove();
});

test('the export was read, and its findings were reported', async () => {
  const rows = await queryServed<{ befund: string; n: bigint }>(
    state,
    'SELECT befund, sum(anzahl)::BIGINT AS n FROM befunde GROUP BY ALL',
  );
  const found = new Map(rows.map(({ befund, n }) => [befund, Number(n)]));
  for (const [kind, least] of Object.entries({
    datensatz_nicht_wohlgeformt: 700,
    schluessel_ungueltig: 15,
    schluessel_fehlt: 1,
    wert_unlesbar: 300,
    element_unbekannt: 2000,
    zeichen_verboten: 40,
    struktur_unerwartet: 200,
    datei_unbekannt: 5,
  })) {
    expect(found.get(kind), kind).toBeGreaterThanOrEqual(least);
  }
});

test('every personal element of the field table had the mark, except those that are served', () => {
  const personal = REGISTER_FIELDS.filter((field) => field.personal);
  const bare = personal.filter((field) => !holdsMark(Buffer.from(markOf(field)))).map(({ field }) => field);
  expect([...new Set(bare)].sort()).toEqual(Object.keys(SERVED).sort());
  expect(new Set(personal.map(({ field }) => field)).size).toBeGreaterThan(80);
});

describe('the mark is', () => {
  test('in no table of the version', async () => {
    expect(await markedRows(versionFile(state, currentPublication(state)!.version))).toEqual([]);
  });

  test('in no file below STATE_DIR, byte by byte', () => {
    expect(holdsMark(readFileSync(source)) || holdsMark(Buffer.from(MARK, 'utf16le'))).toBe(true);
    expect(markedFiles(state)).toEqual([]);
  });

  test('in no table in ClickHouse', async () => {
    const work = { folder: join(folder.path, 'work'), memoryMb: 300, progress: silentProgress };
    await publishVersion(published, { version: currentPublication(state)!.version, failedChecks: [] }, work);
    const tables = await queryRows(
      client,
      z.strictObject({ database: z.string(), name: z.string() }),
      `SELECT database, name FROM system.tables WHERE startsWith(database, 'energy_marked') AND engine NOT LIKE '%View'`,
      {},
    );
    expect(tables.length).toBeGreaterThan(20);
    const found: string[] = [];
    for (const { database, name } of tables) {
      const [row] = await queryRows(
        client,
        z.strictObject({ n: z.int() }),
        `SELECT toInt32(count()) AS n FROM ${database}.${name} WHERE positionCaseInsensitive(formatRow('JSONEachRow', *), {mark:String}) > 0`,
        { mark: MARK },
      );
      if (row!.n > 0) found.push(name);
    }
    expect(found).toEqual([]);
  });

  test('in nothing that a crash leaves, except the numbers and names of roles, which the tables show for organisations', async () => {
    const { files, found } = await markedParquet(crashed);
    // Each staged table has a file at least.
    expect(files).toBeGreaterThanOrEqual(STAGED_TABLES.length);
    expect(found).toEqual(['rolle.Marktrolle', 'rolle.MastrNummer']);
  });

  test('in no dump', async () => {
    for (const format of ['csv', 'ndjson', 'parquet']) {
      const out = join(state, 'dumps', format);
      const result = await ingestHere(state, ['export', '--format', format, '--out', out]);
      expect(result).toMatchObject({ code: 0 });
      expect(holdsMark(Buffer.from(result.out + result.err))).toBe(false);
    }
    expect(markedFiles(join(state, 'dumps'))).toEqual([]);
    expect((await markedParquet(join(state, 'dumps'))).found).toEqual([]);
  });

  test('in no history of an older export', async () => {
    const older = source.replace('20261101', '20261001');
    writeFileSync(older, readFileSync(source));
    const result = await ingestHere(state, ['build', '--backfill', older]);
    expect(result).toMatchObject({ code: 0 });
    expect(holdsMark(Buffer.from(result.out + result.err))).toBe(false);
    const { files, found } = await markedParquet(join(state, 'history'));
    expect({ files, found }).toEqual({ files: 1, found: [] });
  });

  test('in no output of a command: build, report, status, versions', async () => {
    const environment = { BAND_SHRINK: '0.9' };
    for (const words of [['build', later, '--force', '--json'], ['report'], ['status'], ['versions']]) {
      const { code, out, err } = await ingestHere(state, words, environment);
      expect(code, words.join(' ')).toBe(0);
      expect(holdsMark(Buffer.from(out + err)), words.join(' ')).toBe(false);
    }
    expect(markedFiles(state)).toEqual([]);
  });

  test('in no record of a night, and in none of its output', async () => {
    const night = join(folder.path, 'night');
    server.put('/Gesamtdatenexport_20261101_26.1.zip', readFileSync(source));
    server.link('/Gesamtdatenexport_20261101_26.1.zip');
    const { out, err } = await ingestHere(night, ['nightly'], {
      EXPORT_PAGE_URL: server.page,
      FETCH_PAUSE_SECONDS: '0',
      TODAY: '2026-11-01',
    });
    expect(out).toContain('report:');
    expect(holdsMark(Buffer.from(out + err))).toBe(false);
    expect(markedFiles(night, THE_EXPORT)).toEqual([]);
  });
});

test('texts of elements that are known and not personal are kept', async () => {
  const rows = await queryServed<{ feld: string }>(state, `SELECT DISTINCT feld FROM befunde WHERE roh = '${OPEN}'`);
  const fields = rows.map(({ feld }) => feld);
  for (const feld of ['Bruttoleistung', 'Inbetriebnahmedatum', 'Bundesland']) expect(fields).toContain(feld);
  for (const feld of ['Laengengrad', 'AnlagenbetreiberMastrNummer']) expect(fields).not.toContain(feld);
});
