import { z } from 'zod';
import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import { sqlFile, withPieces } from '../../sql/query/sql-files.ts';
import type { WarehouseStatement } from '../../sql/query/statement.ts';
import { withToday } from '../../sql/query/units.ts';
import { dayNumber, monthOfDay } from '../../sql/warehouse/regions/layout.ts';
import type { DaysReader, VersionReader } from '../warehouse/version.ts';
import { nextDay } from '../wire/time.ts';
import { type Conspicuous, type CountedDay, conspicuousDays, FIRST_DAY, left } from './conspicuous.ts';
import { daysOf, daysOfRegions, monthsOf, needsUnits } from './days.ts';
import { carrierCondition, type RegionQuery, regionOf } from './parameters.ts';

/** The sums of a time series. */

const SQL = sqlFile(import.meta.url, 'zeitreihe.sql');

/** Periods of a year with their names; `number` counts them from 0. */
export const PERIODS = {
  monat: {
    ofYear: 12,
    sql: (year: string, month: string) => `${year} * 12 + ${month} - 1`,
    name: (year: string, number: number) => `${year}-${String(number + 1).padStart(2, '0')}`,
  },
  quartal: {
    ofYear: 4,
    sql: (year: string, month: string) => `${year} * 4 + floor((${month} - 1) / 3)`,
    name: (year: string, number: number) => `${year}-Q${number + 1}`,
  },
  jahr: { ofYear: 1, sql: (year: string) => year, name: (year: string) => year },
} as const;

/** Every day of the register is as early, or earlier. */
const LAST_DAY = '9999-12-31';

/** A row of zeitreihe.sql; capacity in kW, energy in kWh. */
const seriesRow = z.strictObject({
  /** Periods since the beginning of year 0. */
  periode: z.number(),
  energietraeger: z.string(),
  registerEnergietraeger: z.string().nullable(),
  serie: z.string(),
  anzahl: z.number(),
  kw: z.number(),
  kwh: z.number(),
});

/** The sums of a carrier in a period; capacities in kW, energy in kWh. */
export interface Sums {
  /** Periods since the beginning of year 0. */
  readonly periode: number;
  readonly energietraeger: string;
  /** Null where no carriers of the register are asked for. */
  readonly registerEnergietraeger: string | null;
  readonly zubauAnzahl: number;
  readonly zubauKw: number;
  readonly zubauKwh: number;
  readonly abbauAnzahl: number;
  readonly abbauKw: number;
  readonly abbauKwh: number;
  readonly pipelineAnzahl: number;
  readonly pipelineKw: number;
  readonly pipelineKwh: number;
}

/** A question about a time series. */
interface Question extends RegionQuery {
  readonly energietraeger: readonly string[];
  readonly periode: keyof typeof PERIODS;
  /** First day, inclusive; undefined = from the beginning. */
  readonly von?: string | undefined;
  /** Last day, inclusive. */
  readonly bis?: string | undefined;
}

/**
 * Reads the sums of a question, by period and carrier. The months of the whole country are few, and many ask for spans of them:
 * the version keeps them, and they are added up here, as are the days of regions.
 */
export async function readSums(question: Question, version: VersionReader): Promise<readonly Sums[]> {
  const found = await daysOfRegions(question, version);
  if (found !== null) return sumsOfDays(found.regions, found.days, question);
  const isOfCountry = regionOf(question) === null && !needsUnits(question);
  if (!isOfCountry || !isWholeMonths(question)) return sumsByStatement(question, version);
  const everyMonth = { energietraeger: CARRIERS, periode: 'monat' } as const;
  return sumsOfMonths(await version.kept(seriesRow, sumsStatement(everyMonth, version)), question);
}

/** The sums of a question with or without conspicuous units, and these. */
export async function countedSums(question: Question & Conspicuous, version: VersionReader) {
  const isCounted = question.auffaellige === 'mit';
  const [all, conspicuous] = await Promise.all([
    readSums(question, version),
    conspicuousDays(question, isInSeries(question), version, isCounted ? boundsOf(question) : null),
  ]);
  return { sums: isCounted ? all : sumsWithout(all, left(conspicuous), question), conspicuous };
}

/** The name of a row. */
export const rowOf = ({ periode, ...traeger }: Traeger & Pick<Sums, 'periode'>): string =>
  `${periode} ${traegerKey(traeger)}`;

/** Rows tell these apart beside the period. */
type Traeger = Pick<Sums, 'energietraeger' | 'registerEnergietraeger'>;

/** Sorts by the carrier of the interface first. */
const traegerKey = ({ energietraeger, registerEnergietraeger }: Traeger): string =>
  `${energietraeger} ${registerEnergietraeger ?? ''}`;

/** Reads them by a statement, whatever the version has beside its tables. */
export async function sumsByStatement(question: Question, version: VersionReader): Promise<readonly Sums[]> {
  const sums = periodSums();
  for (const row of await version.query(seriesRow, sumsStatement(question, version))) {
    // Of a former state, the units of a group may all be others.
    if (row.anzahl === 0) continue;
    sums.seriesOf(row)(row.periode, row.anzahl, wattsOf(row.kw), wattsOf(row.kwh));
  }
  return sums.rows();
}

function sumsStatement(question: Question, { dialects }: Pick<VersionReader, 'dialects'>): WarehouseStatement {
  const days = (isWholeMonths(question) ? monthsOf : daysOf)(question, dialects);
  const periode = PERIODS[question.periode].sql(dialects.units.year('tag'), dialects.units.month('tag'));
  const condition = carrierCondition(dialects);
  const text = withPieces(SQL, { days: days.sql, condition, periode, register: days.register });
  const values = {
    ...days.values,
    energietraeger: question.energietraeger,
    von: { day: question.von ?? FIRST_DAY },
    bis: { day: question.bis ?? LAST_DAY },
  };
  return withToday([text], values, question.filtered?.today ?? '', dialects.projections);
}

/** Returns true when each bound of the span is that of a month, or missing. */
const isWholeMonths = ({ von, bis }: Pick<Question, 'bis' | 'von'>): boolean =>
  (von === undefined || von.endsWith('-01')) && (bis === undefined || nextDay(bis).endsWith('-01'));

/** Adds up months to periods, as the statement would. @param rows every month of every carrier */
function sumsOfMonths(
  rows: readonly z.infer<typeof seriesRow>[],
  { periode: name, energietraeger, von, bis }: Question,
): readonly Sums[] {
  const months = 12 / PERIODS[name].ofYear;
  const carriers = new Set(energietraeger);
  const first = von === undefined ? Number.NEGATIVE_INFINITY : monthOf(von);
  const last = bis === undefined ? Number.POSITIVE_INFINITY : monthOf(bis);
  const sums = periodSums();
  for (const row of rows) {
    if (row.anzahl === 0 || row.periode < first || row.periode > last || !carriers.has(row.energietraeger)) continue;
    sums.seriesOf(row)(Math.floor(row.periode / months), row.anzahl, wattsOf(row.kw), wattsOf(row.kwh));
  }
  return sums.rows();
}

/** Counts months from the beginning of year 0. */
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

/** Watts and watt hours are whole numbers, so their sum loses nothing. */
const wattsOf = (kw: number): number => Math.round(kw * 1000);

/** Adds up the days of regions to periods, as the statement would. */
async function sumsOfDays(regions: readonly number[], days: DaysReader, question: Question): Promise<readonly Sums[]> {
  const { periode: name, energietraeger, von = FIRST_DAY, bis = LAST_DAY } = question;
  const months = 12 / PERIODS[name].ofYear;
  const [first, last] = [dayNumber(von), dayNumber(bis)];
  const carriers = new Set(energietraeger);
  const sums = periodSums();
  await days.read(regions, ({ serie, einheitTyp }) => {
    if (!carriers.has(einheitTyp) || !SERIES.includes(serie)) return null;
    const add = sums.seriesOf({ energietraeger: einheitTyp, registerEnergietraeger: null, serie });
    return (day, units, watts, wattHours) => {
      // Units without a day have the number 0, which lies before every bound.
      if (day < first || day > last) return;
      add(Math.floor(monthOfDay(day) / months), units, watts, wattHours);
    };
  });
  return sums.rows();
}

/** The days from which days count, and no longer count. */
const boundsOf = ({ von = FIRST_DAY, bis }: Pick<Question, 'bis' | 'von'>): string[] => [
  von,
  ...(bis === undefined ? [] : [nextDay(bis)]),
];

/** Tells whether a day counts in the series of a question. */
const isInSeries =
  ({ von = FIRST_DAY, bis = LAST_DAY }: Pick<Question, 'bis' | 'von'>) =>
  ({ serie, tag }: CountedDay): boolean =>
    SERIES.includes(serie) && tag !== null && tag >= von && tag <= bis;

/** Takes days out of the sums that have counted them. */
function sumsWithout(
  sums: readonly Sums[],
  days: readonly CountedDay[],
  { periode: name }: Pick<Question, 'periode'>,
): readonly Sums[] {
  const months = 12 / PERIODS[name].ofYear;
  const others = periodSums();
  for (const row of sums) {
    const { periode, energietraeger, registerEnergietraeger } = row;
    const figures = [
      [row.zubauAnzahl, row.zubauKw, row.zubauKwh],
      [row.abbauAnzahl, row.abbauKw, row.abbauKwh],
      [row.pipelineAnzahl, row.pipelineKw, row.pipelineKwh],
    ] as const;
    for (const [at, serie] of SERIES.entries()) {
      const [units = 0, kw = 0, kwh = 0] = figures[at] ?? [];
      others.seriesOf({ energietraeger, registerEnergietraeger, serie })(periode, units, wattsOf(kw), wattsOf(kwh));
    }
  }
  for (const { einheitTyp: energietraeger, tag, anzahl, kw, kwh, ...day } of days) {
    const period = Math.floor(monthOf(tag ?? FIRST_DAY) / months);
    others.seriesOf({ energietraeger, ...day })(period, -anzahl, -wattsOf(kw), -wattsOf(kwh));
  }
  return others.rows().filter((row) => row.zubauAnzahl + row.abbauAnzahl + row.pipelineAnzahl > 0);
}

/** Each has three columns of sums, in this order. */
const SERIES: readonly string[] = ['inbetriebnahme', 'stilllegung', 'planung'];

/** Adds units, their watts and their watt hours to a period. */
type AddToPeriod = (periode: number, units: number, watts: number, wattHours: number) => void;

const SUMS_OF_SERIES = 3;

const NO_SUMS = new Float64Array();

/** Puts the series of each carrier side by side. */
function periodSums() {
  const byCarrier = new Map<string, { readonly traeger: Traeger; readonly periods: Map<number, Float64Array> }>();
  const added = new Map<string, AddToPeriod>();
  const adderOf = ({ energietraeger, registerEnergietraeger }: Traeger, serie: string): AddToPeriod => {
    const traeger = { energietraeger, registerEnergietraeger };
    const { periods } = byCarrier.get(traegerKey(traeger)) ?? { periods: new Map<number, Float64Array>() };
    byCarrier.set(traegerKey(traeger), { traeger, periods });
    const at = SUMS_OF_SERIES * SERIES.indexOf(serie);
    let sums: Float64Array = NO_SUMS;
    let ofPeriod = -1;
    return (periode, units, watts, wattHours) => {
      // Days come in their order, mostly several of a period.
      if (periode !== ofPeriod) {
        ofPeriod = periode;
        sums = periods.get(periode) ?? new Float64Array(SUMS_OF_SERIES * SERIES.length);
        periods.set(periode, sums);
      }
      sums[at] = (sums[at] ?? 0) + units;
      sums[at + 1] = (sums[at + 1] ?? 0) + watts;
      sums[at + 2] = (sums[at + 2] ?? 0) + wattHours;
    };
  };
  return {
    seriesOf({ serie, ...traeger }: Traeger & { readonly serie: string }): AddToPeriod {
      const key = `${traegerKey(traeger)} ${serie}`;
      const adder = added.get(key) ?? adderOf(traeger, serie);
      added.set(key, adder);
      return adder;
    },
    /** By period and carrier. */
    rows: (): Sums[] =>
      [...byCarrier.values()]
        .flatMap(({ traeger, periods }) => [...periods].map(([periode, sums]) => sumsRowOf(periode, traeger, sums)))
        .sort((one, other) => one.periode - other.periode || (traegerKey(one) < traegerKey(other) ? -1 : 1)),
  };
}

function sumsRowOf(periode: number, traeger: Traeger, sums: Float64Array): Sums {
  const [zubauAnzahl = 0, zubau = 0, zubauWh = 0, abbauAnzahl = 0, abbau = 0, abbauWh = 0] = sums;
  const [pipelineAnzahl = 0, pipeline = 0, pipelineWh = 0] = sums.subarray(2 * SUMS_OF_SERIES);
  return {
    ...{ periode, ...traeger },
    ...{ zubauAnzahl, zubauKw: zubau / 1000, zubauKwh: zubauWh / 1000 },
    ...{ abbauAnzahl, abbauKw: abbau / 1000, abbauKwh: abbauWh / 1000 },
    ...{ pipelineAnzahl, pipelineKw: pipeline / 1000, pipelineKwh: pipelineWh / 1000 },
  };
}
