import { DuckDBInstance } from '@duckdb/node-api';
import { rateStatements, supportStatements } from '../../../sql/eeg/support.ts';

/** Plants as the build hands them to the rules, and the results of the rules. */

const AWARD = {
  gebotstermin: 'INTEGER',
  technologie: 'VARCHAR',
  datum: 'DATE',
  bekanntgabe: 'DATE',
  mittel: 'DECIMAL(6,2)',
  hoechstes: 'DECIMAL(6,2)',
  einheitspreis: 'BOOLEAN',
  festePraemie: 'BOOLEAN',
  mengeKw: 'DECIMAL(18,3)',
  flurstueckGleich: 'BOOLEAN',
} as const;

const PLANT = {
  energietraegerId: 'INTEGER',
  statusId: 'INTEGER',
  inbetriebnahme: 'DATE',
  eigenesDatum: 'BOOLEAN',
  passt: 'BOOLEAN',
  verschieden: 'BOOLEAN',
  kw: 'DECIMAL(18,3)',
  zahlung: 'BOOLEAN',
  lageId: 'INTEGER',
  nutzungsbereichId: 'INTEGER',
  einspeisungsartId: 'INTEGER',
  mieterstrom: 'BOOLEAN',
  seelageId: 'INTEGER',
  pilot: 'BOOLEAN',
  prototyp: 'BOOLEAN',
  ertragSchaetzung: 'DECIMAL(18,3)',
  ertrag5: 'DECIMAL(18,3)',
  ertrag10: 'DECIMAL(18,3)',
  ertrag15: 'DECIMAL(18,3)',
  suedregion: 'BOOLEAN',
  hauptbrennstoffId: 'INTEGER',
  biomasseartId: 'INTEGER',
  technologieId: 'INTEGER',
  wasserkraftartId: 'INTEGER',
  ertuechtigt: 'BOOLEAN',
  buergerenergie: 'BOOLEAN',
  davorKw: 'DECIMAL(18,3)',
  hatZuschlag: 'BOOLEAN',
} as const;

type Input = string | number | boolean | null;

export type Award = Partial<Record<keyof typeof AWARD, Input>>;

export type Plant = Partial<Record<keyof typeof PLANT, Input>> & { zuschlaege?: readonly Award[] | null };

/** Rates in cents; days as YYYY-MM-DD. */
export interface Support {
  readonly foerderbeginn: string | null;
  readonly foerderende: string | null;
  readonly verguetung: number | null;
  readonly anzulegenderWert: number | null;
  readonly referenzertrag: number | null;
  readonly phasenwechsel: string | null;
  readonly ableitbarkeit: string;
  readonly gesetz: string | null;
  readonly art: string | null;
  readonly gruende: readonly string[];
  readonly raten: readonly number[];
}

const COLUMNS = {
  eeg: 'BIGINT',
  einheit: 'BIGINT',
  einheitTyp: 'VARCHAR',
  ...PLANT,
  zuschlaege: `STRUCT(${Object.entries(AWARD)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')})[]`,
};

const SHAPE = JSON.stringify([
  { eeg: 'BIGINT', einheit: 'BIGINT', einheitTyp: 'VARCHAR', ...PLANT, zuschlaege: [AWARD] },
]);

/** The kinds of units by the register's own energy carrier. */
const KINDS: Readonly<Record<number, string>> = {
  ...{ 2403: 'geothermal', 2493: 'biomass', 2495: 'solar', 2496: 'storage', 2497: 'wind', 2498: 'hydro' },
};

const kindOf = ({ energietraegerId }: Plant): string => KINDS[Number(energietraegerId)] ?? 'combustion';

/** An engine with the rates, for the plants of a whole test file. */
export async function supportRules(): Promise<{
  supportOf(plants: readonly Plant[], today: string): Promise<Support[]>;
  rows<T>(sql: string): Promise<T[]>;
  close(): void;
}> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  for (const sql of rateStatements()) await connection.run(sql);
  const rows = async <T>(sql: string): Promise<T[]> =>
    (await connection.runAndReadAll(sql)).getRowObjectsJson() as unknown as T[];
  return {
    rows,
    async supportOf(plants, today) {
      const columns = Object.entries(COLUMNS).map(([name, type]) => `${name} ${type}`);
      await connection.run(`CREATE OR REPLACE TEMP TABLE eeg_plants (${columns.join(', ')})`);
      await connection.run(
        `INSERT INTO eeg_plants BY NAME SELECT unnest(from_json($plants, '${SHAPE}'), max_depth := 2)`,
        {
          plants: JSON.stringify(
            plants.map((plant, eeg) => ({ eeg, einheit: eeg, einheitTyp: kindOf(plant), ...plant })),
          ),
        },
      );
      for (const sql of supportStatements(today)) await connection.run(sql);
      return rows<Support>(`SELECT * EXCLUDE (eeg, einheit, einheitTyp, statusId) REPLACE (CAST(verguetung AS DOUBLE) AS verguetung,
        CAST(anzulegenderWert AS DOUBLE) AS anzulegenderWert, CAST(referenzertrag AS DOUBLE) AS referenzertrag)
        FROM eeg_support ORDER BY eeg`);
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** The ids of the register that the rules know, by what they mean. */
export const LAGE = { roof: 853, ground: 852, other: 2484, plugIn: 2961 } as const;
export const FULL = 688;
export const PART = 689;
export const HOUSEHOLD = 713;

/** A plant in operation with its own EEG date, without any doubt but those that come with its carrier. */
const plant = (energietraegerId: number, kw: number, inbetriebnahme: string | null, more: Plant): Plant => ({
  energietraegerId,
  kw,
  inbetriebnahme,
  statusId: 35,
  eigenesDatum: true,
  passt: true,
  verschieden: false,
  zahlung: true,
  davorKw: 0,
  hatZuschlag: false,
  ...more,
});

export const roof = (kw: number, day: string | null, more: Plant = {}): Plant =>
  plant(2495, kw, day, { lageId: LAGE.roof, nutzungsbereichId: HOUSEHOLD, einspeisungsartId: PART, ...more });

export const ground = (kw: number, day: string | null, more: Plant = {}): Plant =>
  plant(2495, kw, day, { lageId: LAGE.ground, einspeisungsartId: FULL, ...more });

export const wind = (kw: number, day: string | null, more: Plant = {}): Plant => plant(2497, kw, day, more);

export const hydro = (kw: number, day: string | null, more: Plant = {}): Plant => plant(2498, kw, day, more);

export const geothermal = (kw: number, day: string | null, more: Plant = {}): Plant => plant(2403, kw, day, more);

export const mineGas = (kw: number, day: string | null, more: Plant = {}): Plant => plant(2406, kw, day, more);

/** Wood chips, of which the register leaves no doubt that they are no biogas. */
export const wood = (kw: number, day: string | null, more: Plant = {}): Plant =>
  plant(2493, kw, day, { hauptbrennstoffId: 2421, biomasseartId: 720, ...more });

export const landfillGas = (kw: number, day: string | null, more: Plant = {}): Plant =>
  wood(kw, day, { hauptbrennstoffId: 2447, biomasseartId: 721, ...more });

export const sewageGas = (kw: number, day: string | null, more: Plant = {}): Plant =>
  wood(kw, day, { hauptbrennstoffId: 2448, biomasseartId: 721, ...more });

/** An award whose round has a mean and many prices. */
export const award = (technologie: string, datum: string, mittel: number | null, more: Award = {}): Award => ({
  technologie,
  datum,
  mittel,
  einheitspreis: false,
  festePraemie: false,
  flurstueckGleich: false,
  ...more,
});
