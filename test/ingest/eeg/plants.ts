import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findSharedPlants,
  prepareRates,
  supportAcrossSlices,
  supportOfSlice,
} from '../../../ingest/assembly/support.ts';
import { openReadWrite, type WarehouseConnection } from '../../../ingest/duckdb/connection.ts';
import { literal, macroStatements, warehouseSql } from '../../../ingest/duckdb/sql-files.ts';

/** Staged units and EEG plants by hand, and the rows that the build makes of them. */

type Values = Readonly<Record<string, string | number | boolean | null>>;

/** Number of a unit, a plant or a location as the staged files have it: any order-keeping numbers do. */
const FIRST_UNIT = BigInt('13498500000000000');

/** The staged elements of a unit that the support values read, with their types. */
const UNIT_ELEMENTS = {
  EinheitMastrNummer: 'BIGINT',
  EegMaStRNummer: 'BIGINT',
  LokationMaStRNummer: 'BIGINT',
  Gemeindeschluessel: 'VARCHAR',
  Gemarkung: 'VARCHAR',
  FlurFlurstuecknummern: 'VARCHAR',
  _art: 'VARCHAR',
  Energietraeger_id: 'INTEGER',
  EinheitBetriebsstatus_id: 'INTEGER',
  Inbetriebnahmedatum: 'DATE',
  Bruttoleistung: 'DECIMAL(18, 3)',
  Nettonennleistung: 'DECIMAL(18, 3)',
  ArtDerSolaranlage_id: 'INTEGER',
  Nutzungsbereich_id: 'INTEGER',
  Einspeisungsart_id: 'INTEGER',
  WindAnLandOderAufSee_id: 'INTEGER',
  Hauptbrennstoff_id: 'INTEGER',
  Biomasseart_id: 'INTEGER',
  Technologie_id: 'INTEGER',
  ArtDerWasserkraftanlage_id: 'INTEGER',
  Buergerenergie: 'BOOLEAN',
} as const;

const PLANT_ELEMENTS = {
  _art: 'VARCHAR',
  EegMaStRNummer: 'BIGINT',
  EegInbetriebnahmedatum: 'DATE',
  InstallierteLeistung: 'DECIMAL(18, 3)',
  InanspruchnahmeZahlungNachEeg: 'BOOLEAN',
  MieterstromZugeordnet: 'BOOLEAN',
  AusschreibungZuschlag: 'BOOLEAN',
  PilotAnlage: 'BOOLEAN',
  PrototypAnlage: 'BOOLEAN',
  VerhaeltnisErtragsschaetzungReferenzertrag: 'DECIMAL(18, 3)',
  VerhaeltnisReferenzertragErtrag5Jahre: 'DECIMAL(18, 3)',
  VerhaeltnisReferenzertragErtrag10Jahre: 'DECIMAL(18, 3)',
  VerhaeltnisReferenzertragErtrag15Jahre: 'DECIMAL(18, 3)',
  ErtuechtigungIds: 'VARCHAR',
} as const;

/** A roof in operation, of 10 kW. */
const ROOF: Values = {
  _art: 'EinheitenSolar',
  Energietraeger_id: 2495,
  EinheitBetriebsstatus_id: 35,
  Inbetriebnahmedatum: '2020-06-15',
  Bruttoleistung: 10,
  Nettonennleistung: 8,
  ArtDerSolaranlage_id: 853,
};

/** A unit with the numbers of its plant and its location; all that is not given is as in ROOF. */
export type Unit = { readonly unit: number; readonly plant: number; readonly location?: number } & Values;

export interface Register {
  readonly units: readonly Unit[];
  /** Plants by number; those of the units that are not listed have no values of their own. */
  readonly plants?: readonly ({ readonly plant: number } & Values)[];
  /** Plants that units name and the export does not have. */
  readonly missing?: readonly number[];
}

export type Kept = Readonly<Record<string, unknown>>;

/**
 * The rows of `foerderung` by number of plant, of units in operation first, then by the unit that stands for others; the units are
 * in two slices, odd numbers before even ones.
 */
export async function keptPlants(register: Register): Promise<Map<number, Kept[]>> {
  const engine = await openReadWrite(':memory:', { memoryMb: 500, threads: 1, temporaryFolder: tmpdir() });
  const folder = mkdtempSync(join(tmpdir(), 'eeg-plants-'));
  try {
    await engine.run(warehouseSql('tables.sql'));
    await engine.run(macroStatements());
    await stage(engine, register);
    const assembly = { warehouse: engine, day: '2026-11-01', slices: 2 };
    await prepareRates([engine]);
    await findSharedPlants(engine, folder);
    await supportAcrossSlices(assembly);
    for (const remainder of [1, 0]) {
      await engine.run(`
        CREATE OR REPLACE TEMP TABLE slice AS FROM served_units WHERE EinheitMastrNummer % 2 = ${remainder};
        CREATE OR REPLACE TEMP TABLE slice_eeg AS FROM referenced_eeg SEMI JOIN slice USING (EegMaStRNummer);`);
      await supportOfSlice(assembly);
    }
    const rows = await engine.rows<Kept>(`
      SELECT * REPLACE (
        eeg::INTEGER AS eeg, (einheit - ${FIRST_UNIT})::INTEGER AS einheit, kw::DOUBLE AS kw, davorKw::DOUBLE AS davorKw,
        inbetriebnahme::VARCHAR AS inbetriebnahme, foerderende::VARCHAR AS foerderende
      ) FROM foerderung ORDER BY statusId IS DISTINCT FROM 35, einheit`);
    return Map.groupBy(rows, ({ eeg }) => Number(eeg));
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
}

async function stage(engine: WarehouseConnection, { units, plants = [], missing = [] }: Register): Promise<void> {
  const unitRows = units.map(({ unit, plant, location = null, ...values }) => ({
    ...ROOF,
    ...values,
    EinheitMastrNummer: `${FIRST_UNIT + BigInt(unit)}`,
    EegMaStRNummer: plant,
    LokationMaStRNummer: location,
  }));
  await insert(engine, 'served_units', UNIT_ELEMENTS, unitRows);
  const known = new Map(plants.map(({ plant, ...values }) => [plant, values]));
  const numbers = new Set(units.map(({ plant }) => plant).filter((plant) => !missing.includes(plant)));
  const kindOf = (plant: number): string =>
    String(
      units.find((unit) => unit.plant === plant && unit._art !== 'EinheitenStromSpeicher')?._art ?? ROOF._art,
    ).replace('Einheiten', 'AnlagenEeg');
  const plantRows = [...numbers].map((plant) => ({
    EegMaStRNummer: plant,
    _art: kindOf(plant),
    ...known.get(plant),
  }));
  await insert(engine, 'eeg', PLANT_ELEMENTS, plantRows);
  await engine.run('CREATE TEMP TABLE eeg_awards AS SELECT eeg, zuschlaege FROM foerderung LIMIT 0');
}

async function insert(
  engine: WarehouseConnection,
  table: string,
  elements: Readonly<Record<string, string>>,
  rows: readonly Values[],
): Promise<void> {
  const columns = Object.entries(elements).map(([name, type]) => `${name} ${type}`);
  await engine.run(`CREATE TEMP TABLE ${table} (${columns.join(', ')})`);
  const named = Object.keys(elements);
  for (const row of rows) {
    const unknown = Object.keys(row).filter((name) => !named.includes(name));
    if (unknown.length > 0) throw new Error(`${table} has no ${unknown.join(', ')}`);
    const values = named.map((name) => (row[name] == null ? 'NULL' : literal(String(row[name]))));
    await engine.run(`INSERT INTO ${table} VALUES (${values.join(', ')})`);
  }
}
