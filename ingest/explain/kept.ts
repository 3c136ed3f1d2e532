import { z } from 'zod';
import { clickhouseMastrBits, mastrBits } from '../../sql/register/mastr-number.ts';
import type { WantedTables } from '../destination/version-tables.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { columnsOf } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';
import { BuildRefused } from '../run/build-refused.ts';
import { type Claim, readClaim, type SeriesRow } from './claim.ts';

/** The support values of a unit with their inputs, as a version keeps them. */

const award = z.object({
  gebotstermin: z.number(),
  technologie: z.string(),
  datum: z.string(),
  bekanntgabe: z.string().nullable(),
  /** Volume-weighted mean and highest value of the round, ct/kWh. */
  mittel: z.number().nullable(),
  hoechstes: z.number().nullable(),
  einheitspreis: z.boolean().nullable(),
  festePraemie: z.boolean().nullable(),
  mengeKw: z.number().nullable(),
  flurstueckGleich: z.boolean().nullable(),
});

/** A row of the table `foerderung`; its columns say what they are in tables.sql. */
const plant = z.object({
  inbetriebnahme: z.string().nullable(),
  eigenesDatum: z.boolean(),
  einheitTyp: z.string(),
  statusId: z.number().nullable(),
  kw: z.number().nullable(),
  zahlung: z.boolean().nullable(),
  lageId: z.number().nullable(),
  nutzungsbereichId: z.number().nullable(),
  einspeisungsartId: z.number().nullable(),
  mieterstrom: z.boolean(),
  seelageId: z.number().nullable(),
  pilot: z.boolean(),
  prototyp: z.boolean(),
  ertragSchaetzung: z.number().nullable(),
  ertrag5: z.number().nullable(),
  ertrag10: z.number().nullable(),
  ertrag15: z.number().nullable(),
  suedregion: z.boolean().nullable(),
  hauptbrennstoffId: z.number().nullable(),
  biomasseartId: z.number().nullable(),
  technologieId: z.number().nullable(),
  wasserkraftartId: z.number().nullable(),
  ertuechtigt: z.boolean(),
  buergerenergie: z.boolean(),
  davorKw: z.number().nullable(),
  zuschlaege: z.array(award).nullable(),
  hatZuschlag: z.boolean(),
  foerderbeginn: z.string().nullable(),
  foerderende: z.string().nullable(),
  verguetung: z.number().nullable(),
  anzulegenderWert: z.number().nullable(),
  referenzertrag: z.number().nullable(),
  phasenwechsel: z.string().nullable(),
  ableitbarkeit: z.enum(['exakt', 'geschaetzt', 'nicht_ableitbar']),
  gesetz: z.string().nullable(),
  art: z.string().nullable(),
  gruende: z.array(z.string()).nullable(),
  raten: z.array(z.number()).nullable(),
});

/** A row of `zuschlag_einheiten`. */
const link = z.object({
  mastrNummer: z.string(),
  gebotstermin: z.number().nullable(),
  zuschlagsnummer: z.string().nullable(),
  zuordnung: z.string(),
  regel: z.string(),
  sicherheit: z.string(),
});

const unit = z.object({
  mastrNummer: z.string(),
  einheitTyp: z.string().nullable(),
  betriebsStatus: z.string().nullable(),
  eegMastrNummer: z.string().nullable(),
});

export type KeptPlant = z.infer<typeof plant>;
export type KeptAward = z.infer<typeof award>;
export type AwardLink = z.infer<typeof link>;

export interface KeptSupport {
  readonly exportDay: string;
  readonly unit: z.infer<typeof unit>;
  /** Null when the unit has no EEG plant that the export contains. */
  readonly plant: KeptPlant | null;
  /** Numbers of the units of the plant that share these values; the first is the one whose properties stand for them. */
  readonly units: readonly string[];
  /** Numbers of the other units of the plant. */
  readonly others: readonly string[];
  /** The links of all these units with awards. */
  readonly links: readonly AwardLink[];
  /** The rules asked this of the rate table for the plant; the rows are all that the table has of that series. */
  readonly claim: Claim | null;
  readonly rows: readonly SeriesRow[];
  /** Texts of the catalogue ids. */
  readonly labels: ReadonlyMap<number, string>;
}

/** The rows that `readSupport` reads of a unit. */
export function supportTables(number: string): WantedTables {
  const bits = mastrBits(number);
  const plants = `SELECT eegMastrNummer FROM units WHERE nummer = ${bits} AND eegMastrNummer IS NOT NULL`;
  return {
    units: {
      columns: ['nummer', 'mastrNummer', 'einheitTyp', 'betriebsStatus', 'statusId', 'eegMastrNummer'],
      where: `nummer = ${bits} OR eegMastrNummer IN (${plants})`,
    },
    foerderung: { where: `eeg IN (SELECT ${clickhouseMastrBits('assumeNotNull(eegMastrNummer)')} FROM (${plants}))` },
    zuschlag_einheiten: {
      where: `einheit IN (SELECT nummer FROM units WHERE nummer = ${bits} OR eegMastrNummer IN (${plants}))`,
    },
    katalogwerte: {},
    dataset: { columns: ['exportDay'] },
  };
}

/**
 * Reads what is kept of a unit; null when the version has no such unit.
 * @throws BuildRefused when an older release has built the version
 */
export async function readSupport(
  engine: WarehouseConnection,
  version: string,
  number: string,
): Promise<KeptSupport | null> {
  const [{ database } = { database: '' }] = await engine.rows<{ database: string }>(
    'SELECT current_database() AS database',
  );
  if ((await columnsOf(engine, database, 'foerderung')).size === 0) {
    throw new BuildRefused(
      `${version} was built by an older release and does not keep how support values came about: build the export again`,
    );
  }
  const [row] = await jsonRows(
    engine,
    unit,
    `SELECT mastrNummer, einheitTyp, betriebsStatus, eegMastrNummer FROM units WHERE nummer = ${mastrBits(number)}`,
  );
  if (row === undefined) return null;
  const { eegMastrNummer: eeg } = row;
  const selected = eeg === null ? null : supportOf(number, eeg);
  const [kept] = selected === null || row.einheitTyp === 'storage' ? [] : await jsonRows(engine, plant, selected);
  const units = eeg === null ? [] : await unitsOf(engine, number, eeg);
  const [{ day } = { day: '' }] = await engine.rows<{ day: string }>('SELECT exportDay::VARCHAR AS day FROM dataset');
  const { claim, rows } =
    kept === undefined || selected === null ? { claim: null, rows: [] } : await readClaim(engine, selected, day);
  return {
    exportDay: day,
    unit: row,
    plant: kept ?? null,
    units: units.flatMap(({ mastrNummer, shares }) => (shares ? [mastrNummer] : [])),
    others: units.flatMap(({ mastrNummer, shares }) => (shares ? [] : [mastrNummer])),
    links: eeg === null ? [] : await linksOf(engine, eeg),
    claim,
    rows,
    labels: await labelsOf(engine, kept),
  };
}

/** The state of a unit, which decides with its carrier what it shares with other units of its plant: in operation, planned, else. */
const STATE = 'CASE WHEN statusId IN (31, 35) THEN statusId ELSE 0 END';

/** The row of the unit's carrier and state; versions of earlier releases have one for the whole plant. */
const supportOf = (number: string, eeg: string): string =>
  `WITH own AS (SELECT einheitTyp, ${STATE} AS state FROM units WHERE nummer = ${mastrBits(number)})
   SELECT foerderung.* FROM foerderung, own WHERE eeg = ${mastrBits(eeg)}
   ORDER BY foerderung.einheitTyp = own.einheitTyp AND ${STATE} = own.state DESC LIMIT 1`;

const linksOf = (engine: WarehouseConnection, eeg: string): Promise<AwardLink[]> =>
  jsonRows(
    engine,
    link,
    `SELECT mastrNummer, gebotstermin, zuschlagsnummer, zuordnung, regel, sicherheit
     FROM zuschlag_einheiten JOIN units ON units.nummer = einheit
     WHERE eegMastrNummer = ${literal(eeg)} ORDER BY zuschlagsnummer, mastrNummer`,
  );

const unitsOf = (
  engine: WarehouseConnection,
  number: string,
  eeg: string,
): Promise<{ mastrNummer: string; shares: boolean }[]> =>
  engine.rows(
    `WITH own AS (SELECT einheitTyp, ${STATE} AS state FROM units WHERE nummer = ${mastrBits(number)})
     SELECT mastrNummer, units.einheitTyp = own.einheitTyp AND ${STATE} = own.state AS shares
     FROM units, own WHERE eegMastrNummer = ${literal(eeg)}
     ORDER BY nummer IN (SELECT einheit FROM foerderung WHERE eeg = ${mastrBits(eeg)}) DESC, nummer`,
  );

/** Ids of the catalogue, whose values are numbered across all categories; the system lists number from 1 each. */
const FIRST_CATALOGUE_ID = 100;

async function labelsOf(engine: WarehouseConnection, kept: KeptPlant | undefined): Promise<Map<number, string>> {
  const ids = Object.entries(kept ?? {}).flatMap(([name, value]) =>
    name.endsWith('Id') && typeof value === 'number' && value >= FIRST_CATALOGUE_ID ? [value] : [],
  );
  if (ids.length === 0) return new Map();
  const rows = await engine.rows<{ id: number; wert: string }>(
    `SELECT id, wert FROM katalogwerte WHERE id IN (${ids.join(', ')})`,
  );
  return new Map(rows.map(({ id, wert }) => [id, wert]));
}

/** Rows as JSON, so that days are texts and decimals numbers, checked against a shape. */
async function jsonRows<Shape extends z.ZodType>(
  engine: WarehouseConnection,
  shape: Shape,
  sql: string,
): Promise<z.output<Shape>[]> {
  const rows = await engine.rows<{ row: string }>(`SELECT to_json(one)::VARCHAR AS row FROM (${sql}) AS one`);
  return rows.map(({ row }) => shape.parse(JSON.parse(row)));
}
