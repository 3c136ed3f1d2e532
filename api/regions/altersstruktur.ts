import { z } from 'zod';
import { itemAt } from '../../runtime/present.ts';
import { sqlFile, withPieces } from '../../sql/query/sql-files.ts';
import type { WarehouseStatement } from '../../sql/query/statement.ts';
import { dayNumber, IN_OPERATION, NO_DAY } from '../../sql/warehouse/regions/layout.ts';
import { reusableOperation } from '../operation/operation.ts';
import { asksPortfolio } from '../units/portfolio.ts';
import type { DaysReader, VersionReader } from '../warehouse/version.ts';
import { nextDay } from '../wire/time.ts';
import { type Conspicuous, type CountedDay, conspicuousDays, conspicuousMeta, left } from './conspicuous.ts';
import { regionMeta, regionMetaShape } from './covered.ts';
import { daysOf, daysOfRegions } from './days.ts';
import { energyShape, megawattHours, megawatts, yearsBefore } from './figures.ts';
import {
  carrierCondition,
  portfolioQuestion,
  type RegionQuery,
  regionQuery,
  registerCarrier,
  registerCarrierShape,
  rowColumns,
} from './parameters.ts';
import { callsOfPlaces, placeOfRow } from './region-parameter.ts';
import { ofEachPlace, placesMetaShape } from './several.ts';

const SQL = sqlFile(import.meta.url, 'altersstruktur.sql');

/** Completed years between commissioning and `stichtag`: lower bound inclusive, upper exclusive. */
const COHORTS = [
  { name: '0-20', vonJahre: 0, bisJahre: 20 },
  { name: '20-25', vonJahre: 20, bisJahre: 25 },
  { name: '25+', vonJahre: 25, bisJahre: null },
];

/** A row of altersstruktur.sql; capacity in kW, energy in kWh. */
const cohortRow = z.strictObject({
  kohorte: z.string(),
  energietraeger: z.string(),
  registerEnergietraeger: z.string().nullable(),
  anzahl: z.number(),
  kw: z.number(),
  kwh: z.number(),
});

type Cohort = z.infer<typeof cohortRow>;

/** A question about the age structure. */
interface Question extends RegionQuery {
  readonly energietraeger: readonly string[];
}

const row = z.strictObject({
  ...placeOfRow,
  kohorte: z.string(),
  energietraeger: z.string(),
  ...registerCarrierShape,
  anzahl: z.int(),
  mw: z.number(),
  mwh: energyShape('storage among them'),
});

/** Age structure of the units in operation; one row per cohort and carrier, young to old, empty cohorts are missing. */
export const altersstruktur = reusableOperation({
  id: 'region.altersstruktur',
  method: 'GET',
  path: '/v1/region/altersstruktur',
  summary: 'Age structure of the stock by cohort',
  access: 'api',
  shared: true,
  scope: 'region:read',
  cost: 'expensive',
  callsOf: callsOfPlaces,
  source: 'register',
  dependsOnRecords: asksPortfolio,
  query: regionQuery,
  answer: z.strictObject({
    data: z.array(row),
    meta: z.strictObject({
      count: z.int(),
      ...regionMetaShape,
      ...placesMetaShape,
      kohorten: z.array(z.strictObject({ name: z.string(), vonJahre: z.int(), bisJahre: z.int().nullable() })),
      stichtag: z.iso.date(),
    }),
  }),
  table: 'data',
  problems: ['FILTER_CONFLICT', 'NOT_FOUND'],
  example: { query: 'ebene=bundesland&region=Niedersachsen&energietraeger=wind' },
  question: async ({ query: { auffaellige, ...region }, ...call }) => ({
    ...(await portfolioQuestion(region, call)),
    auffaellige,
  }),
  async reply({ question, today, dataset }) {
    const version = dataset();
    const { rows, told } = await ofEachPlace(question, (one) => cohortsOf(one, today, version));
    const meta = { count: rows.length, ...told, kohorten: COHORTS, stichtag: today };
    return { columns: rowColumns(row, question), body: { data: rows, meta } };
  },
});

/** The cohorts of one place, or of the country. */
async function cohortsOf(question: Question & Conspicuous, today: string, version: VersionReader) {
  const [all, conspicuous] = await Promise.all([
    readCohorts(question, today, version),
    conspicuousDays(
      question,
      isInCohorts,
      version,
      [20, 25].map((years) => nextDay(yearsBefore(today, years))),
    ),
  ]);
  const cohorts = question.auffaellige === 'mit' ? all : cohortsWithout(all, left(conspicuous), today);
  const rows = cohorts.map(({ kohorte, energietraeger, registerEnergietraeger, anzahl, kw, kwh }) => ({
    ...{ kohorte, energietraeger },
    ...registerCarrier(registerEnergietraeger, question),
    anzahl,
    mw: megawatts(kw),
    mwh: megawattHours(kwh, version),
  }));
  const region = await regionMeta(question, rows.length === 0, version);
  return { rows, told: { ...region, ...conspicuousMeta(conspicuous) } };
}

const isInCohorts = ({ serie, statusId, tag }: CountedDay): boolean =>
  serie === 'inbetriebnahme' && statusId === IN_OPERATION && tag !== null;

/** Takes days out of the cohorts that have counted them. */
function cohortsWithout(cohorts: readonly Cohort[], days: readonly CountedDay[], today: string): readonly Cohort[] {
  const [oldest, old] = [yearsBefore(today, 25), yearsBefore(today, 20)];
  const cohortOf = (tag: string) => itemAt(COHORTS, tag > old ? 0 : tag > oldest ? 1 : 2).name;
  const others = cohorts.map(({ anzahl, kw, kwh, ...cohort }) => {
    const those = days.filter(
      ({ einheitTyp, registerEnergietraeger, tag }) =>
        einheitTyp === cohort.energietraeger &&
        registerEnergietraeger === cohort.registerEnergietraeger &&
        tag !== null &&
        cohortOf(tag) === cohort.kohorte,
    );
    const watts = those.reduce((sum, day) => sum - Math.round(day.kw * 1000), Math.round(kw * 1000));
    const wattHours = those.reduce((sum, day) => sum - Math.round(day.kwh * 1000), Math.round(kwh * 1000));
    return {
      ...cohort,
      anzahl: those.reduce((sum, day) => sum - day.anzahl, anzahl),
      kw: watts / 1000,
      kwh: wattHours / 1000,
    };
  });
  return others.filter(({ anzahl }) => anzahl > 0);
}

/** Reads the cohorts of a region, young to old and then by carrier. */
export async function readCohorts(
  question: Question,
  today: string,
  version: VersionReader,
): Promise<readonly Cohort[]> {
  const found = await daysOfRegions(question, version);
  if (found !== null) return cohortsOfDays(found.regions, found.days, question, today);
  return version.query(cohortRow, cohortsStatement(question, today, version));
}

export function cohortsStatement(
  question: Question,
  today: string,
  { dialects }: Pick<VersionReader, 'dialects'>,
): WarehouseStatement {
  const days = daysOf(question, dialects);
  return {
    text: withPieces(SQL, { days: days.sql, condition: carrierCondition(dialects), register: days.register }),
    values: {
      ...days.values,
      energietraeger: question.energietraeger,
      years20Ago: { day: yearsBefore(today, 20) },
      years25Ago: { day: yearsBefore(today, 25) },
    },
  };
}

/** Adds up the days of regions to cohorts, as the statement would. */
async function cohortsOfDays(
  regions: readonly number[],
  days: DaysReader,
  { energietraeger: carriers }: Question,
  today: string,
): Promise<readonly Cohort[]> {
  const oldest = dayNumber(yearsBefore(today, 25));
  const old = dayNumber(yearsBefore(today, 20));
  const cohorts = COHORTS.map(({ name }) => ({
    name,
    byCarrier: new Map<string, { anzahl: number; watts: number; wattHours: number }>(),
  }));
  await days.read(regions, ({ serie, einheitTyp, statusId }) => {
    if (serie !== 'inbetriebnahme' || statusId !== IN_OPERATION || !carriers.includes(einheitTyp)) return null;
    return (day, units, watts, wattHours) => {
      if (day === NO_DAY) return;
      const { byCarrier } = itemAt(cohorts, day > old ? 0 : day > oldest ? 1 : 2);
      const sum = byCarrier.get(einheitTyp);
      if (sum === undefined) {
        byCarrier.set(einheitTyp, { anzahl: units, watts, wattHours });
      } else {
        sum.anzahl += units;
        sum.watts += watts;
        sum.wattHours += wattHours;
      }
    };
  });
  return cohorts.flatMap(({ name: kohorte, byCarrier }) =>
    [...byCarrier]
      .map(([energietraeger, { anzahl, watts, wattHours }]) => ({
        ...{ kohorte, energietraeger, registerEnergietraeger: null, anzahl },
        ...{ kw: watts / 1000, kwh: wattHours / 1000 },
      }))
      .sort((one, other) => (one.energietraeger < other.energietraeger ? -1 : 1)),
  );
}
