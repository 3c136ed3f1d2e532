import { z } from 'zod';
import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import { sqlFile, withPieces } from '../../sql/query/sql-files.ts';
import type { WarehouseStatement } from '../../sql/query/statement.ts';
import { dayNumber, monthOfDay } from '../../sql/warehouse/regions/layout.ts';
import type { DaysReader, VersionReader } from '../warehouse/version.ts';
import { nextDay } from '../wire/time.ts';
import { daysOf, daysOfRegions, monthsOf } from './days.ts';
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

/** Every day of the register lies between these. */
const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

/** A row of zeitreihe.sql; capacities in kW. */
export const sumsRow = z.strictObject({
  /** Periods since the beginning of year 0. */
  periode: z.number(),
  energietraeger: z.string(),
  zubauAnzahl: z.number(),
  zubauKw: z.number(),
  abbauAnzahl: z.number(),
  abbauKw: z.number(),
  pipelineAnzahl: z.number(),
  pipelineKw: z.number(),
});

type Sums = z.infer<typeof sumsRow>;

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
  const found = await daysOfRegions(regionOf(question), version);
  if (found !== null) return sumsOfDays(found.regions, found.days, question);
  if (regionOf(question) !== null || !isWholeMonths(question)) {
    return version.query(sumsRow, sumsStatement(question, version));
  }
  const everyMonth = { energietraeger: CARRIERS, periode: 'monat' } as const;
  return sumsOfMonths(await version.kept(sumsRow, sumsStatement(everyMonth, version)), question);
}

export function sumsStatement(question: Question, { dialects }: Pick<VersionReader, 'dialects'>): WarehouseStatement {
  const days = (isWholeMonths(question) ? monthsOf : daysOf)(regionOf(question), dialects);
  const periode = PERIODS[question.periode].sql(dialects.units.year('tag'), dialects.units.month('tag'));
  return {
    text: withPieces(SQL, { days: days.sql, condition: carrierCondition(dialects), periode }),
    values: {
      ...days.values,
      energietraeger: question.energietraeger,
      von: { day: question.von ?? FIRST_DAY },
      bis: { day: question.bis ?? LAST_DAY },
    },
  };
}

/** Returns true when each bound of the span is that of a month, or missing. */
const isWholeMonths = ({ von, bis }: Pick<Question, 'bis' | 'von'>): boolean =>
  (von === undefined || von.endsWith('-01')) && (bis === undefined || nextDay(bis).endsWith('-01'));

/**
 * Adds up months to periods, as the statement would.
 * @param rows every month of every carrier, by month and carrier; the result has the same order
 */
function sumsOfMonths(rows: readonly Sums[], { periode: name, energietraeger, von, bis }: Question): readonly Sums[] {
  const months = 12 / PERIODS[name].ofYear;
  const carriers = new Set(energietraeger);
  const first = von === undefined ? Number.NEGATIVE_INFINITY : monthOf(von);
  const last = bis === undefined ? Number.POSITIVE_INFINITY : monthOf(bis);
  const chosen = rows.filter(
    ({ periode, energietraeger }) => periode >= first && periode <= last && carriers.has(energietraeger),
  );
  if (months === 1) return chosen;
  const sums = new Map<string, Sums>();
  for (const row of chosen) {
    const periode = Math.floor(row.periode / months);
    const key = `${periode} ${row.energietraeger}`;
    sums.set(key, added({ ...row, periode }, sums.get(key)));
  }
  return [...sums.values()].sort(byPeriodAndCarrier);
}

/** Counts months from the beginning of year 0. */
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

const added = (one: Sums, other: Sums | undefined): Sums =>
  other === undefined
    ? one
    : {
        periode: one.periode,
        energietraeger: one.energietraeger,
        zubauAnzahl: one.zubauAnzahl + other.zubauAnzahl,
        zubauKw: addedKw(one.zubauKw, other.zubauKw),
        abbauAnzahl: one.abbauAnzahl + other.abbauAnzahl,
        abbauKw: addedKw(one.abbauKw, other.abbauKw),
        pipelineAnzahl: one.pipelineAnzahl + other.pipelineAnzahl,
        pipelineKw: addedKw(one.pipelineKw, other.pipelineKw),
      };

/** Watts are whole numbers, so their sum loses nothing. */
const addedKw = (one: number, other: number): number => (Math.round(one * 1000) + Math.round(other * 1000)) / 1000;

/** Each has two columns of sums, in this order. */
const SERIES: readonly string[] = ['inbetriebnahme', 'stilllegung', 'planung'];

const NO_SUMS = new Float64Array();

/** Adds up the days of regions to periods, as the statement would. Watts are whole numbers, so nothing is lost. */
async function sumsOfDays(regions: readonly number[], days: DaysReader, question: Question): Promise<readonly Sums[]> {
  const { periode: name, energietraeger, von = FIRST_DAY, bis = LAST_DAY } = question;
  const months = 12 / PERIODS[name].ofYear;
  const [first, last] = [dayNumber(von), dayNumber(bis)];
  const byCarrier = new Map(energietraeger.map((carrier) => [carrier, new Map<number, Float64Array>()]));
  await days.read(regions, ({ serie, einheitTyp }) => {
    const periods = byCarrier.get(einheitTyp);
    const at = 2 * SERIES.indexOf(serie);
    if (periods === undefined || at < 0) return null;
    let sums: Float64Array = NO_SUMS;
    let ofPeriod = -1;
    return (day, units, watts) => {
      // Units without a day have the number 0, which lies before every bound.
      if (day < first || day > last) return;
      const period = Math.floor(monthOfDay(day) / months);
      if (period !== ofPeriod) {
        ofPeriod = period;
        sums = periods.get(period) ?? new Float64Array(2 * SERIES.length);
        periods.set(period, sums);
      }
      sums[at] = (sums[at] ?? 0) + units;
      sums[at + 1] = (sums[at + 1] ?? 0) + watts;
    };
  });
  return [...byCarrier]
    .flatMap(([energietraeger, periods]) =>
      [...periods].map(([periode, sums]) => sumsRowOf(periode, energietraeger, sums)),
    )
    .sort(byPeriodAndCarrier);
}

function sumsRowOf(periode: number, energietraeger: string, sums: Float64Array): Sums {
  const [zubauAnzahl = 0, zubau = 0, abbauAnzahl = 0, abbau = 0, pipelineAnzahl = 0, pipeline = 0] = sums;
  const [zubauKw, abbauKw, pipelineKw] = [zubau / 1000, abbau / 1000, pipeline / 1000];
  return { periode, energietraeger, zubauAnzahl, zubauKw, abbauAnzahl, abbauKw, pipelineAnzahl, pipelineKw };
}

const byPeriodAndCarrier = (one: Sums, other: Sums): number =>
  one.periode - other.periode || (one.energietraeger < other.energietraeger ? -1 : 1);
