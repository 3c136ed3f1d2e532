import { z } from 'zod';
import { reusableOperation } from '../operation/operation.ts';
import { momentOf, standParameter, stateShape } from '../state/state.ts';
import { asksPortfolio } from '../units/portfolio.ts';
import type { VersionReader } from '../warehouse/version.ts';
import { queryNotation } from '../wire/notation.ts';
import { always, calendarDay, fault, oneWord } from '../wire/parameters.ts';
import { bezugShape, withBezug } from './bezug.ts';
import { conspicuousMeta } from './conspicuous.ts';
import { regionMeta, regionMetaShape } from './covered.ts';
import { energyShape, megawattHours, megawatts } from './figures.ts';
import {
  levelAndRegionTogether,
  portfolioQuestion,
  regionParameters,
  registerCarrier,
  registerCarrierShape,
  rowColumns,
} from './parameters.ts';
import { seriesPerPlace, seriesPerPlaceShape } from './per-place.ts';
import { callsOfPlaces, placeOfRow } from './region-parameter.ts';
import { ofEachPlace, placesMetaShape } from './several.ts';
import { countedSums, PERIODS, rowOf } from './sums.ts';

/** The date field of each series. */
export const DATE_FIELDS = {
  zubau: 'inbetriebnahmedatum',
  abbau: 'stilllegungsdatum',
  pipeline: 'geplantesInbetriebnahmedatum',
} as const;

const query = z
  .strictObject({
    ...regionParameters,
    periode: oneWord(['monat', 'quartal', 'jahr']).default('monat').describe('Length of a period'),
    von: calendarDay().optional().describe('First day, inclusive; applies to each series on its own date field'),
    bis: calendarDay().optional().describe('Last day, inclusive'),
    stand: standParameter(queryNotation),
  })
  .superRefine(levelAndRegionTogether, always)
  .superRefine(({ von, bis }, context) => {
    if (von !== undefined && bis !== undefined && von > bis) {
      context.issues.push(fault('FILTER_CONFLICT', 'lies after bis', ['von']));
    }
  }, always);

const row = z.strictObject({
  ...placeOfRow,
  periode: z.string().describe('YYYY-MM, YYYY-Qn or YYYY'),
  energietraeger: z.string(),
  ...registerCarrierShape,
  zubauAnzahl: z.int(),
  zubauMw: z.number(),
  abbauAnzahl: z.int(),
  abbauMw: z.number(),
  pipelineAnzahl: z.int(),
  pipelineMw: z.number(),
  zubauMwh: energyShape('commissioned storage'),
  abbauMwh: energyShape('decommissioned storage'),
  pipelineMwh: energyShape('planned storage'),
  ...seriesPerPlaceShape,
});

/** Growth, decommissioning and pipeline over time; rows only where one of the three is not zero. */
export const zeitreihe = reusableOperation({
  id: 'region.zeitreihe',
  method: 'GET',
  path: '/v1/region/zeitreihe',
  summary: 'Growth, decommissioning and pipeline over time',
  access: 'api',
  shared: true,
  scope: 'region:read',
  cost: 'expensive',
  callsOf: callsOfPlaces,
  source: 'register',
  dependsOnRecords: asksPortfolio,
  query,
  answer: z.strictObject({
    data: z.array(row),
    meta: z.strictObject({
      count: z.int(),
      periode: z.enum(['monat', 'quartal', 'jahr']),
      ...stateShape,
      ...regionMetaShape,
      ...bezugShape,
      ...placesMetaShape,
      datumsfelder: z.strictObject({ zubau: z.string(), abbau: z.string(), pipeline: z.string() }),
    }),
  }),
  table: 'data',
  problems: ['FILTER_CONFLICT', 'NOT_FOUND'],
  example: { query: 'periode=jahr&energietraeger=wind&von=2020-01-01' },
  question: async ({ query: { periode, von, bis, stand, auffaellige, ...region }, ...call }) => ({
    ...(await portfolioQuestion(region, call)),
    ...{ periode, von, bis, stand, auffaellige },
  }),
  async reply({ question, ...call }) {
    const { version, asOf, stateMeta } = await momentOf(question.stand, call);
    const { rows, told } = await ofEachPlace(question, (one) => seriesOf(one, version));
    const { periode } = question;
    const meta = { count: rows.length, periode, ...stateMeta, ...told, datumsfelder: DATE_FIELDS };
    return { asOf, columns: rowColumns(row, question), body: { data: rows, meta } };
  },
});

type Question = Parameters<typeof countedSums>[0] & { readonly periode: keyof typeof PERIODS };

/** The series of one place, or of the country. */
async function seriesOf(question: Question, version: VersionReader) {
  const { ofYear, name } = PERIODS[question.periode];
  const { figures, ofPlaces, bezug } = await withBezug(question, version, (one) => countedSums(one, version));
  const { sums, conspicuous } = figures;
  const ofRow = ofPlaces === figures ? null : new Map(ofPlaces.sums.map((sum) => [rowOf(sum), sum]));
  const rows = sums.map((sum) => ({
    periode: name(String(Math.floor(sum.periode / ofYear)).padStart(4, '0'), sum.periode % ofYear),
    energietraeger: sum.energietraeger,
    ...registerCarrier(sum.registerEnergietraeger, question),
    zubauAnzahl: sum.zubauAnzahl,
    zubauMw: megawatts(sum.zubauKw),
    abbauAnzahl: sum.abbauAnzahl,
    abbauMw: megawatts(sum.abbauKw),
    pipelineAnzahl: sum.pipelineAnzahl,
    pipelineMw: megawatts(sum.pipelineKw),
    zubauMwh: megawattHours(sum.zubauKwh, version),
    abbauMwh: megawattHours(sum.abbauKwh, version),
    pipelineMwh: megawattHours(sum.pipelineKwh, version),
    ...seriesPerPlace(ofRow === null ? sum : ofRow.get(rowOf(sum)), bezug),
  }));
  const region = await regionMeta(question, rows.length === 0, version);
  return { rows, told: { ...region, bezug, ...conspicuousMeta(conspicuous) } };
}
