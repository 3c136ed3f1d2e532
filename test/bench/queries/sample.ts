import { DuckDBInstance } from '@duckdb/node-api';
import { sqlFile } from '../../../sql/query/sql-files.ts';
import type { Random } from './random.ts';

/** A unit of the measured version, as far as requests are made of it. */
export interface SampledUnit {
  readonly mastrNummer: string;
  readonly einheitTyp: string;
  readonly betriebsStatus: string | null;
  readonly bundesland: string | null;
  readonly landkreis: string | null;
  readonly gemeinde: string | null;
  readonly plz: string | null;
  readonly bruttoleistungKw: number | null;
  readonly inbetriebnahmedatum: string | null;
  readonly betreiberMastrNummer: string | null;
  readonly netzbetreiber: string | null;
  readonly spannungsebene: string | null;
  readonly name: string | null;
  readonly ort: string | null;
  readonly betreiberName: string | null;
}

/** Values that occur in the version, from which requests are made. */
export interface Sample {
  /** Units of the whole version. */
  readonly size: number;
  readonly units: readonly SampledUnit[];
  /** The numbers of many more, from the whole version. */
  readonly numbers: readonly string[];
  /** A unit that has every one of these values. @throws RangeError when no sampled unit has */
  unitWith(random: Random, ...fields: readonly (keyof SampledUnit)[]): SampledUnit;
  /** Two words, one of the name and one of the place, as one unit has them. */
  words(random: Random): readonly [string, string];
  /** The first three letters of a word of a name. */
  beginning(random: Random): string;
}

const NUMBERS_SQL = sqlFile(import.meta.url, 'sample.sql');
const UNITS_SQL = sqlFile(import.meta.url, 'sample-values.sql');

/** More numbers than a run asks for, and as many whole units as memory takes easily. */
const SIZES = { numbers: 200_000, units: 20_000 };

/** @param file the database file of a version; it is only read */
export async function sampleOf(file: string, sizes = SIZES): Promise<Sample> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    const numbers = (await connection.runAndReadAll(NUMBERS_SQL, { numbers: sizes.numbers })).getRowsJS();
    const units = (await connection.runAndReadAll(UNITS_SQL, { units: sizes.units })).getRowObjectsJS();
    const [[size] = []] = (await connection.runAndReadAll('SELECT count(*) FROM units')).getRowsJS();
    return sampleFrom(units as unknown as SampledUnit[], Number(size), numbers.map(String));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** @param size units of the whole version */
export function sampleFrom(units: readonly SampledUnit[], size: number, numbers: readonly string[]): Sample {
  const having = new Map<string, readonly SampledUnit[]>();
  const named = units.filter(({ name, ort }) => wordsOf(name).length > 0 && wordsOf(ort).length > 0);
  return {
    size,
    units,
    numbers,
    unitWith(random, ...fields) {
      const key = fields.join();
      const known = having.get(key) ?? units.filter((unit) => fields.every((field) => unit[field] !== null));
      having.set(key, known);
      return random.of(known);
    },
    words(random) {
      const { name, ort } = random.of(named);
      return [random.of(wordsOf(name)), random.of(wordsOf(ort))];
    },
    beginning(random) {
      const { name, betreiberName } = random.of(named);
      return random.of(wordsOf(`${name} ${betreiberName ?? ''}`)).slice(0, 3);
    },
  };
}

/** Words of letters without accents: these look alike wherever they are folded. */
const wordsOf = (text: string | null): string[] =>
  (text ?? '')
    .split(' ')
    .filter((word) => /^[a-z]{4,}$/i.test(word))
    .map((word) => word.toLowerCase());
