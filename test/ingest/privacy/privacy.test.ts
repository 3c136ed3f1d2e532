import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readReport } from '../../../ingest/run/build-report.ts';
import { requireStagedTable } from '../../../ingest/stage/tables.ts';
import { currentPublication } from '../../../sql/warehouse/versions.ts';
import { folderOfTests, generateExport, RegisterExport, type Row } from '../../support/exports.ts';
import { buildIn, queryServed } from '../../support/warehouse.ts';

/**
 * Privacy in the data: an export in which everything that must not be served carries a mark is built, and no table of
 * the version may hold a mark. What is protected is said by the field table (classes address and contact) and by the
 * rules for actors.
 */

const DAY = '2026-11-01';
const MARK = 'GEHEIM';
const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');

/** Elements that the field table protects, by kind of file. Postal code and town are served, of units and of organisations. */
const PROTECTED = readFileSync(new URL('../../../sql/register/fields.csv', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.split(','))
  .filter(([, , , type, , , privacy]) => type === 'text' && (privacy === 'address' || privacy === 'contact'))
  .map(([file, , field]) => ({ file: file!, field: field! }))
  .filter(({ field }) => field !== 'Postleitzahl' && field !== 'Ort');

const isPerson = (actor: Row) => actor.Personenart !== '517';

beforeAll(async () => {
  const register = await RegisterExport.read(await generateExport(folder.path, DAY));
  for (const { file, field } of PROTECTED) {
    for (const document of register.starting(file)) {
      if (document.root !== file) continue;
      for (const row of document.records) row[field] = `${MARK} ${field}`;
    }
  }
  for (const { root, records } of register.starting('Marktakteure')) {
    if (root !== 'Marktakteure') continue;
    for (const actor of records.filter(isPerson)) actor.Firmenname = `${MARK} Person ${actor.MastrNummer}`;
  }
  for (const { root, records } of register.starting('Einheiten')) {
    if (!/^Einheiten(Solar|Wind|StromSpeicher)$/.test(root)) continue;
    for (const unit of records) {
      unit.Breitengrad = '51.123456';
      unit.Laengengrad = '10.654321';
    }
    delete records[0]!.Bruttoleistung;
    records[1]!.Bruttoleistung = '29.999';
    records[2]!.Bruttoleistung = '30.000';
  }
  await buildIn(warehouse, register.write(join(folder.path, 'marked'), DAY));
}, 120_000);

afterAll(folder.remove);

describe('data that must not be served', () => {
  test('is protected by the field table: streets, house numbers, parcels, contacts', () => {
    const fields = new Set(PROTECTED.map(({ field }) => field));
    for (const field of [
      'Strasse',
      'Hausnummer',
      'FlurFlurstuecknummern',
      'Email',
      'Telefon',
      'KontaktdatenMarktrolle',
    ]) {
      expect(fields).toContain(field);
    }
  });

  test('parcels are staged of units above 30 kW, which are compared, and are in no table', async () => {
    // Values that may be staged are there, so that the next test has something to find.
    const [row] = await queryServed<{ units: bigint }>(
      warehouse,
      `SELECT count(*) AS units FROM units WHERE einheitTyp IN ('wind', 'solar', 'biomass') AND bruttoleistungKw > 30`,
    );
    expect(Number(row!.units)).toBeGreaterThan(0);
    const withheld = requireStagedTable('einheit').withheld!.find(({ elements }) => elements.includes('Gemarkung'))!;
    const allowed = ['30', '30.001', '3000.000', '', 'unlesbar'].filter((text) => {
      const units = Uint16Array.from(text, (letter) => letter.charCodeAt(0));
      return withheld.allows(units, 0, units.length);
    });
    expect(allowed).toEqual(['30.001', '3000.000']);
    expect(withheld).toMatchObject({
      elements: ['Gemarkung', 'FlurFlurstuecknummern'],
      kinds: [
        'EinheitenWind',
        'EinheitenSolar',
        'EinheitenBiomasse',
        'EinheitenWasser',
        'EinheitenGeothermieGrubengasDruckentspannung',
      ],
      unless: 'Bruttoleistung',
    });
  });

  test('is in no text of any table', async () => {
    const columns = await queryServed<{ place: string; text: string }>(
      warehouse,
      `SELECT table_name AS place, column_name AS text FROM duckdb_columns()
       WHERE NOT internal AND (data_type LIKE 'VARCHAR%')`,
    );
    expect(columns.length).toBeGreaterThan(80);
    const marked = columns.map(
      ({ place, text }) =>
        `SELECT '${place}.${text}' AS place, ${text}::VARCHAR AS text FROM ${place} WHERE ${text}::VARCHAR LIKE '%${MARK}%'`,
    );
    expect(await queryServed(warehouse, `${marked.join(' UNION ALL ')} LIMIT 3`)).toEqual([]);
  });

  test('is not in the report of the build', () => {
    const report = readReport(warehouse, currentPublication(warehouse)!.version);
    expect(JSON.stringify(report)).not.toContain(MARK);
  });

  test('coordinates below 30 kW or of unknown capacity are nowhere; from 30 kW they are', async () => {
    const [row] = await queryServed<{ hidden: bigint; atThirty: bigint; above: bigint; half: bigint }>(
      warehouse,
      `SELECT
         count(*) FILTER ((bruttoleistungKw < 30 OR bruttoleistungKw IS NULL)
           AND (latitude IS NOT NULL OR longitude IS NOT NULL)) AS hidden,
         count(*) FILTER (bruttoleistungKw = 30 AND latitude IS NOT NULL) AS atThirty,
         count(*) FILTER (bruttoleistungKw > 30 AND latitude IS NOT NULL) AS above,
         count(*) FILTER ((latitude IS NULL) <> (longitude IS NULL)) AS half
       FROM units`,
    );
    expect(Number(row!.hidden)).toBe(0);
    expect(Number(row!.half)).toBe(0);
    expect(Number(row!.atThirty)).toBeGreaterThan(0);
    expect(Number(row!.above)).toBeGreaterThan(0);
  });

  test('natural persons have no row in marktakteure, and no name as operators', async () => {
    const named = await queryServed(
      warehouse,
      `SELECT mastrNummer FROM units WHERE betreiberName IS NOT NULL
       AND betreiberMastrNummer NOT IN (SELECT mastrNummer FROM marktakteure)`,
    );
    expect(named).toEqual([]);
  });
});
