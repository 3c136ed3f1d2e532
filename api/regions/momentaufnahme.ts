import { z } from 'zod';
import { sqlFile, withPieces } from '../../sql/query/sql-files.ts';
import type { WarehouseStatement } from '../../sql/query/statement.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { dayNumber, IN_OPERATION, IN_PLANNING, NO_DAY } from '../../sql/warehouse/regions/layout.ts';
import type { TakeDay } from '../../sql/warehouse/regions/reader.ts';
import { reusableOperation } from '../operation/operation.ts';
import { type Divisors, NOWHERE, ratioShape, ratios } from '../places/per-place.ts';
import { momentOf, standParameter, stateShape } from '../state/state.ts';
import { asksPortfolio } from '../units/portfolio.ts';
import type { DaysReader, VersionReader } from '../warehouse/version.ts';
import { queryNotation } from '../wire/notation.ts';
import { always, calendarDay } from '../wire/parameters.ts';
import { nextDay } from '../wire/time.ts';
import { bezugShape, withBezug } from './bezug.ts';
import { type Conspicuous, type CountedDay, conspicuousDays, conspicuousMeta, left } from './conspicuous.ts';
import { regionMeta, regionMetaShape } from './covered.ts';
import { daysOf, daysOfRegions } from './days.ts';
import { daysBefore, energyShape, megawattHours, megawatts, share, yearsBefore } from './figures.ts';
import {
  carrierCondition,
  levelAndRegionTogether,
  portfolioQuestion,
  type RegionQuery,
  regionParameters,
  rowColumns,
} from './parameters.ts';
import { callsOfPlaces, placeOfRow } from './region-parameter.ts';
import { ofEachPlace, placesMetaShape } from './several.ts';

const SQL = sqlFile(import.meta.url, 'momentaufnahme.sql');

/** Days of the window, the last one included (interface.md, Limits). */
const WINDOW_DAYS = 90;

const snapshotQuery = z
  .strictObject({
    ...regionParameters,
    stand: standParameter(queryNotation),
    bis: calendarDay()
      .optional()
      .describe(
        'Last day of the window, as of which wind turbines have their age; default the day of the query, or `stand`',
      ),
  })
  .superRefine(levelAndRegionTogether, always);

/** The one row of momentaufnahme.sql; capacities in kW, energy in kWh. */
const sumsRow = z.strictObject({
  zubauAnzahl: z.number(),
  zubauKw: z.number(),
  zubauKwh: z.number(),
  abbauAnzahl: z.number(),
  abbauKw: z.number(),
  abbauKwh: z.number(),
  pipelineAnzahl: z.number(),
  pipelineKw: z.number(),
  pipelineKwh: z.number(),
  pipelineMitDatum: z.number(),
  windGesamt: z.number(),
  windAlt: z.number(),
});

const countAndMw = z.strictObject({
  anzahl: z.int(),
  mw: z.number(),
  mwh: energyShape('storage among them'),
  ...ratioShape('Units of the places in `meta.bezug`'),
});

const keyFiguresShape = z.strictObject({
  einwohner: z.int().nullable().describe('Inhabitants of the places in `meta.bezug`'),
  flaecheKm2: z.number().nullable().describe('Their area (km²)'),
  zubau90Tage: countAndMw,
  abbau90Tage: countAndMw,
  netto90TageMw: z.number(),
  pipeline: countAndMw.extend({ mitDatumAnzahl: z.int(), mitDatumAnteil: z.number().nullable() }),
  windUeber20Jahre: z.strictObject({ anzahl: z.int(), gesamt: z.int(), anteil: z.number().nullable() }),
});

const row = z.strictObject({ ...placeOfRow, ...keyFiguresShape.shape });

/** Key figures of a region without a time series. */
export const momentaufnahme = reusableOperation({
  id: 'region.momentaufnahme',
  method: 'GET',
  path: '/v1/region/momentaufnahme',
  summary: 'Key figures of a region',
  access: 'api',
  shared: true,
  scope: 'region:read',
  cost: 'expensive',
  callsOf: callsOfPlaces,
  source: 'register',
  dependsOnRecords: asksPortfolio,
  query: snapshotQuery,
  answer: z.strictObject({
    data: z.union([keyFiguresShape, z.array(row)]).describe('Key figures; with several places a list of those of each'),
    meta: z.strictObject({
      ...stateShape,
      ...regionMetaShape,
      ...bezugShape,
      ...placesMetaShape,
      fenster: z.strictObject({ tage: z.int(), von: z.iso.date(), bis: z.iso.date() }),
    }),
  }),
  table: 'data',
  problems: ['FILTER_CONFLICT', 'NOT_FOUND'],
  example: { query: 'ebene=bundesland&region=Niedersachsen&energietraeger=wind' },
  question: async ({ query: { auffaellige, bis, stand, ...region }, ...call }) => ({
    ...(await portfolioQuestion(region, call)),
    ...{ auffaellige, bis, stand },
  }),
  async reply({ question, ...call }) {
    const { version, today, asOf, stateMeta } = await momentOf(question.stand, call);
    const { bis = today } = question;
    const fenster = { tage: WINDOW_DAYS, von: daysBefore(bis, WINDOW_DAYS - 1), bis };
    const asked = { ...question, ...fenster, years20Ago: yearsBefore(bis, 20) };
    const { rows, told } = await ofEachPlace(asked, (one) => figuresOf(one, version));
    return {
      asOf,
      columns: rowColumns(row, question),
      body: { data: question.regionen === undefined ? rows[0] : rows, meta: { ...stateMeta, ...told, fenster } },
    };
  },
});

/** The key figures of one place, or of the country. */
async function figuresOf(question: Question & Conspicuous, version: VersionReader) {
  const { figures, ofPlaces, bezug } = await withBezug(question, version, (one) => countedSums(one, version));
  const { sums, conspicuous } = figures;
  const isEmpty = Object.values(sums).every((sum) => sum === 0);
  const region = await regionMeta(question, isEmpty, version);
  return {
    rows: [keyFigures(sums, ofPlaces.sums, bezug ?? NOWHERE, version)],
    told: { ...region, bezug, ...conspicuousMeta(conspicuous) },
  };
}

/** The sums of a question with or without conspicuous units, and these. */
async function countedSums(question: Question & Conspicuous, version: VersionReader) {
  const [all, conspicuous] = await Promise.all([
    readSums(question, version),
    conspicuousDays(question, (day) => countsOf(day, question).length > 0, version, boundsOf(question)),
  ]);
  return { sums: question.auffaellige === 'mit' ? all : sumsWithout(all, left(conspicuous), question), conspicuous };
}

/** The days from which a figure counts others. */
const boundsOf = ({ von, bis, years20Ago }: Question): string[] => [von, nextDay(bis), nextDay(years20Ago)];

/** A question about the key figures of a region. */
interface Question extends RegionQuery {
  readonly energietraeger: readonly string[];
  /** First and last day of the window. */
  readonly von: string;
  readonly bis: string;
  readonly years20Ago: string;
}

type Sums = z.infer<typeof sumsRow>;

export async function readSums(question: Question, version: VersionReader): Promise<Sums> {
  const found = await daysOfRegions(question, version);
  if (found !== null) return sumsOfDays(found.regions, found.days, question);
  return firstRow(await version.query(sumsRow, sumsStatement(question, version)));
}

export function sumsStatement(question: Question, { dialects }: Pick<VersionReader, 'dialects'>): WarehouseStatement {
  const { energietraeger, von, bis, years20Ago } = question;
  const days = daysOf(question, dialects);
  return {
    text: withPieces(SQL, { days: days.sql, condition: carrierCondition(dialects) }),
    values: {
      ...days.values,
      energietraeger,
      von: { day: von },
      bis: { day: bis },
      years20Ago: { day: years20Ago },
    },
  };
}

/** Adds up the days of regions, as the statement would. */
async function sumsOfDays(regions: readonly number[], days: DaysReader, question: Question): Promise<Sums> {
  const [von, bis, years20Ago] = [question.von, question.bis, question.years20Ago].map(dayNumber) as [
    number,
    number,
    number,
  ];
  const zubau = { units: 0, watts: 0, wattHours: 0 };
  const abbau = { units: 0, watts: 0, wattHours: 0 };
  const pipeline = { units: 0, watts: 0, wattHours: 0, withDay: 0 };
  const wind = { units: 0, old: 0 };
  const inWindow =
    (sums: { units: number; watts: number; wattHours: number }): TakeDay =>
    (day, units, watts, wattHours) => {
      if (day < von || day > bis) return;
      sums.units += units;
      sums.watts += watts;
      sums.wattHours += wattHours;
    };
  const commissioned = inWindow(zubau);
  const commissionedWind: TakeDay = (day, units, watts, wattHours) => {
    commissioned(day, units, watts, wattHours);
    wind.units += units;
    if (day !== NO_DAY && day <= years20Ago) wind.old += units;
  };
  const decommissioned = inWindow(abbau);
  const planned: TakeDay = (day, units, watts, wattHours) => {
    pipeline.units += units;
    pipeline.watts += watts;
    pipeline.wattHours += wattHours;
    if (day !== NO_DAY) pipeline.withDay += units;
  };
  await days.read(regions, ({ serie, einheitTyp, statusId }) => {
    if (!question.energietraeger.includes(einheitTyp)) return null;
    switch (serie) {
      case 'inbetriebnahme':
        return einheitTyp === 'wind' && statusId === IN_OPERATION ? commissionedWind : commissioned;
      case 'stilllegung':
        return decommissioned;
      default:
        return statusId === IN_PLANNING ? planned : null;
    }
  });
  return {
    zubauAnzahl: zubau.units,
    zubauKw: zubau.watts / 1000,
    zubauKwh: zubau.wattHours / 1000,
    abbauAnzahl: abbau.units,
    abbauKw: abbau.watts / 1000,
    abbauKwh: abbau.wattHours / 1000,
    pipelineAnzahl: pipeline.units,
    pipelineKw: pipeline.watts / 1000,
    pipelineKwh: pipeline.wattHours / 1000,
    pipelineMitDatum: pipeline.withDay,
    windGesamt: wind.units,
    windAlt: wind.old,
  };
}

/** The figures in which a day counts, without those of its capacity. */
function countsOf(
  { serie, einheitTyp, statusId, tag }: CountedDay,
  { von, bis, years20Ago }: Question,
): (keyof Sums)[] {
  const isInWindow = tag !== null && tag >= von && tag <= bis;
  if (serie === 'stilllegung') return isInWindow ? ['abbauAnzahl'] : [];
  if (serie !== 'inbetriebnahme') {
    if (statusId !== IN_PLANNING) return [];
    return tag === null ? ['pipelineAnzahl'] : ['pipelineAnzahl', 'pipelineMitDatum'];
  }
  const isWind = statusId === IN_OPERATION && einheitTyp === 'wind';
  return [
    ...(isInWindow ? (['zubauAnzahl'] as const) : []),
    ...(isWind ? (['windGesamt'] as const) : []),
    ...(isWind && tag !== null && tag <= years20Ago ? (['windAlt'] as const) : []),
  ];
}

/** The figures of capacity and of energy that go with one. */
const MEASURES_OF: Partial<Record<keyof Sums, Readonly<Record<'kw' | 'kwh', keyof Sums>>>> = {
  zubauAnzahl: { kw: 'zubauKw', kwh: 'zubauKwh' },
  abbauAnzahl: { kw: 'abbauKw', kwh: 'abbauKwh' },
  pipelineAnzahl: { kw: 'pipelineKw', kwh: 'pipelineKwh' },
};

/** Takes days out of the sums that have counted them. */
function sumsWithout(sums: Sums, days: readonly CountedDay[], question: Question): Sums {
  const others = { ...sums };
  for (const day of days) {
    for (const figure of countsOf(day, question)) {
      others[figure] -= day.anzahl;
      const measures = MEASURES_OF[figure];
      if (measures === undefined) continue;
      others[measures.kw] = without(others[measures.kw], day.kw);
      others[measures.kwh] = without(others[measures.kwh], day.kwh);
    }
  }
  return others;
}

/** Watts and watt hours are whole numbers, so their difference is exact. */
const without = (sum: number, part: number): number => (Math.round(sum * 1000) - Math.round(part * 1000)) / 1000;

/** @param ofPlaces the sums of the places of the official list, by which figures are divided */
const keyFigures = (sums: Sums, ofPlaces: Sums, { einwohner, flaecheKm2 }: Divisors, version: VersionReader) => ({
  einwohner,
  flaecheKm2,
  zubau90Tage: {
    anzahl: sums.zubauAnzahl,
    mw: megawatts(sums.zubauKw),
    mwh: megawattHours(sums.zubauKwh, version),
    ...ratios(ofPlaces.zubauAnzahl, ofPlaces.zubauKw, { einwohner, flaecheKm2 }),
  },
  abbau90Tage: {
    anzahl: sums.abbauAnzahl,
    mw: megawatts(sums.abbauKw),
    mwh: megawattHours(sums.abbauKwh, version),
    ...ratios(ofPlaces.abbauAnzahl, ofPlaces.abbauKw, { einwohner, flaecheKm2 }),
  },
  netto90TageMw: megawatts(sums.zubauKw - sums.abbauKw),
  pipeline: {
    anzahl: sums.pipelineAnzahl,
    mw: megawatts(sums.pipelineKw),
    mwh: megawattHours(sums.pipelineKwh, version),
    ...ratios(ofPlaces.pipelineAnzahl, ofPlaces.pipelineKw, { einwohner, flaecheKm2 }),
    mitDatumAnzahl: sums.pipelineMitDatum,
    mitDatumAnteil: share(sums.pipelineMitDatum, sums.pipelineAnzahl),
  },
  windUeber20Jahre: {
    anzahl: sums.windAlt,
    gesamt: sums.windGesamt,
    anteil: share(sums.windAlt, sums.windGesamt),
  },
});
