import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STORED_FIELDS } from '../../../sql/catalogue/unit-fields.ts';
import { folderOfTests, generateExport, RegisterExport, type Row } from '../../support/exports.ts';
import { buildIn, queryVersion, type Values } from '../../support/warehouse.ts';

const folder = folderOfTests();
const present = join(folder.path, 'present');
const former = join(folder.path, 'former');
const ID = '20240401-0001';

afterAll(() => folder.remove());

/** Elements of level 26.1 and what level 23.1 or 24.1 called them (format reference, section 1.6). */
const FORMER_NAMES: readonly [kind: string, now: string, then: string][] = [
  ['EinheitenSolar', 'ArtDerSolaranlage', 'Lage'],
  ['EinheitenSolar', 'GroesseDerInAnspruchGenommenenFlaecheInHektar', 'InAnspruchGenommeneFlaeche'],
  [
    'EinheitenSolar',
    'UeberwiegendeNutzungsartDerFlaecheVorErrichtung',
    'UeberwiegendeNutzungsartDerFlaecheVorErrichtungDerSolaranlage',
  ],
  ['EinheitenWind', 'WindAnLandOderAufSee', 'Lage'],
  ['EinheitenWind', 'GebietNachDemFlaechenentwicklungsplanNordsee', 'ClusterNordsee'],
  ['EinheitenWind', 'GebietNachDemFlaechenentwicklungsplanOstsee', 'ClusterOstsee'],
  ['EinheitenWind', 'AltAnlagenbetreiberMastrNummer', 'AltAnlagenbentreiberMastrNummer'],
  ['EinheitenSolar', 'AltAnlagenbetreiberMastrNummer', 'AltAnlagenbentreiberMastrNummer'],
  ['Netzanschlusspunkte', 'BilanzierungsgebietNetzanschlusspunktId', 'BilanzierungsgebietNetzanschlusspunkId'],
];

const FORMER_FILES: readonly [now: string, then: string, record: string][] = [
  [
    'EinheitenGeothermieGrubengasDruckentspannung',
    'EinheitenGeoSolarthermieGrubenKlaerschlammDruckentspannung',
    'EinheitGeoSolarthermieGrubenKlaerschlammDruckentspannung',
  ],
  [
    'AnlagenEegGeothermieGrubengasDruckentspannung',
    'AnlagenEegGeoSolarthermieGrubenKlaerschlammDruckentspannung',
    'AnlageEegGeoSolarthermieGrubenKlaerschlammDruckentspannung',
  ],
  ['MarktakteureUndRollen', 'Marktrollen', 'Marktrolle'],
];

const NOT_YET_THERE = [
  'Marktrollen',
  'Marktfunktionen',
  'Einheitentypen',
  'Lokationstypen',
  'GeloeschteUndDeaktivierteMarktakteure',
  'EinheitenAenderungNetzbetreiberzuordnungen',
];

function rename(row: Row, now: string, then: string): Row {
  return Object.fromEntries(Object.entries(row).map(([name, text]) => [name === now ? then : name, text]));
}

/** The same register as an export of level 24.1 would have told of it. */
function asOfLevel24(register: RegisterExport): RegisterExport {
  const old = register.copy();
  for (const kind of NOT_YET_THERE) old.drop(kind);
  for (const [kind, now, then] of FORMER_NAMES) {
    for (const document of old.starting(kind)) document.records = document.records.map((row) => rename(row, now, then));
  }
  for (const { records } of old.starting('Einheiten')) {
    for (const row of records) {
      if (row.NetzbetreiberpruefungStatus === '2954') row.NetzbetreiberpruefungStatus = '1';
      if (row.NetzbetreiberpruefungStatus === '2955') row.NetzbetreiberpruefungStatus = '0';
    }
  }
  for (const [now, then, record] of FORMER_FILES) old.rename(now, then, record);
  return old;
}

let register: RegisterExport;

beforeAll(async () => {
  register = await RegisterExport.read(await generateExport(folder.path, '2026-11-01'));
  // Every renamed element occurs at least once, with a value that can be read.
  const anyLabel = register.of('Katalogwerte').records[0]!.Id!;
  for (const [kind, now] of FORMER_NAMES) {
    const { records } = register.of(kind);
    if (records.some((row) => row[now] !== undefined)) continue;
    records[0]![now] = now.endsWith('MastrNummer') ? 'ABR900000000001' : now.endsWith('Hektar') ? '3.5' : anyLabel;
  }
  await buildIn(present, register.write(join(folder.path, 'zip'), '2024-04-01'));
  await buildIn(former, asOfLevel24(register).writeFolder(join(folder.path, 'Gesamtdatenexport_20240401_24.1')));
});

const columns = STORED_FIELDS.map(({ name }) => name).join(', ');
const both = (sql: string): Promise<[Values[], Values[]]> =>
  Promise.all([queryVersion(present, ID, sql), queryVersion(former, ID, sql)]) as Promise<[Values[], Values[]]>;

describe('an export of level 24.1, extracted into a folder and encoded as UTF-8', () => {
  it('has the same served units as level 26.1', async () => {
    const [now, then] = await both(`SELECT ${columns} FROM units ORDER BY mastrNummer`);
    expect(now.length).toBeGreaterThan(400);
    expect(then).toEqual(now);
  });

  it('has the same roll-ups and places', async () => {
    for (const table of ['regionen', 'region_tage', 'bundesland_tage', 'deutschland_tage', 'deutschland_monate']) {
      const [now, then] = await both(`FROM ${table} ORDER BY ALL`);
      expect(then, table).toEqual(now);
    }
  });

  it('reports level and day, and no renamed element among the findings', async () => {
    const [dataset] = await queryVersion(former, ID, 'SELECT exportLevel, exportDay FROM dataset');
    expect(dataset).toEqual({ exportLevel: '24.1', exportDay: new Date('2024-04-01T00:00:00Z') });
    const [now, then] = await both(`SELECT feld, anzahl FROM befunde WHERE befund = 'element_unbekannt' ORDER BY ALL`);
    expect(then).toEqual(now);
    expect(await queryVersion(former, ID, `FROM befunde WHERE befund = 'datei_unbekannt'`)).toEqual([]);
  });

  it('keeps the state of the check by the grid operator, which was a flag', async () => {
    const [now, then] = await both(
      'SELECT netzbetreiberpruefung AS status, count(*) AS n FROM units GROUP BY ALL ORDER BY ALL',
    );
    expect(now.map(({ status }) => status)).toEqual(expect.arrayContaining(['Geprüft', 'In Prüfung']));
    expect(then).toEqual(now);
  });

  it('reads Marktrollen.xml as the roles of actors, which it held then, and not as a list of labels', async () => {
    const [now, then] = await both('SELECT mastrNummer, name, marktrollen FROM marktakteure ORDER BY ALL');
    expect(now.some(({ marktrollen }) => marktrollen !== null)).toBe(true);
    expect(then).toEqual(now);
    expect(await queryVersion(former, ID, `FROM katalogwerte WHERE kategorie = 'Marktrollen'`)).toEqual([]);
    const [file] = await queryVersion(
      former,
      ID,
      `SELECT verwendung, gelesen, geladen FROM dateien WHERE art = 'Marktrollen'`,
    );
    const count = BigInt(register.of('MarktakteureUndRollen').records.length);
    expect(file).toMatchObject({ verwendung: 'tabelle', gelesen: count });
    const [labels] = await queryVersion(present, ID, `SELECT verwendung FROM dateien WHERE art = 'Marktrollen'`);
    expect(labels).toEqual({ verwendung: 'katalog' });
  });
});

describe('a connection point before level 25.2, which does not name its grid operator', () => {
  it('has the operator of its grid', async () => {
    const old = asOfLevel24(register);
    for (const { records } of old.starting('Netzanschlusspunkte')) {
      for (const row of records) delete row.NetzbetreiberMaStRNummer;
    }
    const warehouse = join(folder.path, 'points');
    await buildIn(warehouse, old.writeFolder(join(folder.path, 'Gesamtdatenexport_20240401_23.1')));
    const sql = 'SELECT mastrNummer, netzbetreiber FROM units WHERE netzbetreiber IS NOT NULL ORDER BY ALL';
    const now = await queryVersion(present, ID, sql);
    expect(now.length).toBeGreaterThan(100);
    expect(await queryVersion(warehouse, ID, sql)).toEqual(now);
  });
});
