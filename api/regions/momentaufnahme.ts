import { z } from 'zod';
import { sqlFile, withPieces } from '../../sql/query/sql-files.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { reusableOperation } from '../operation/operation.ts';
import { regionMeta, regionMetaShape } from './covered.ts';
import { daysOf } from './days.ts';
import { daysBefore, megawatts, share, yearsBefore } from './figures.ts';
import { carrierCondition, regionOf, regionQuery, regionQuestion } from './parameters.ts';

const SQL = sqlFile(import.meta.url, 'momentaufnahme.sql');

/** Days of the window, today included (interface.md, Limits). */
const WINDOW_DAYS = 90;

/** The one row of momentaufnahme.sql; capacities in kW. */
const sumsRow = z.strictObject({
  zubauAnzahl: z.number(),
  zubauKw: z.number(),
  abbauAnzahl: z.number(),
  abbauKw: z.number(),
  pipelineAnzahl: z.number(),
  pipelineKw: z.number(),
  pipelineMitDatum: z.number(),
  windGesamt: z.number(),
  windAlt: z.number(),
});

const countAndMw = z.strictObject({ anzahl: z.int(), mw: z.number() });

/** Key figures of a region without a time series. */
export const momentaufnahme = reusableOperation({
  id: 'region.momentaufnahme',
  method: 'GET',
  path: '/v1/region/momentaufnahme',
  summary: 'Key figures of a region',
  access: 'api',
  scope: 'region:read',
  cost: 'expensive',
  source: 'register',
  query: regionQuery,
  answer: z.strictObject({
    data: z.strictObject({
      zubau90Tage: countAndMw,
      abbau90Tage: countAndMw,
      netto90TageMw: z.number(),
      pipeline: countAndMw.extend({ mitDatumAnzahl: z.int(), mitDatumAnteil: z.number().nullable() }),
      windUeber20Jahre: z.strictObject({ anzahl: z.int(), gesamt: z.int(), anteil: z.number().nullable() }),
    }),
    meta: z.strictObject({
      ...regionMetaShape,
      fenster: z.strictObject({ tage: z.int(), von: z.iso.date(), bis: z.iso.date() }),
    }),
  }),
  table: 'data',
  example: { query: 'ebene=bundesland&region=Niedersachsen&energietraeger=wind' },
  question: ({ query }) => regionQuestion(query),
  async reply({ question, today, dataset }) {
    const fenster = { tage: WINDOW_DAYS, von: daysBefore(today, WINDOW_DAYS - 1), bis: today };
    const version = dataset();
    const { dialects } = version;
    const days = daysOf(regionOf(question), dialects);
    const rows = await version.query(sumsRow, {
      text: withPieces(SQL, { days: days.sql, condition: carrierCondition(dialects) }),
      values: {
        ...days.values,
        energietraeger: question.energietraeger,
        von: { day: fenster.von },
        bis: { day: fenster.bis },
        years20Ago: { day: yearsBefore(today, 20) },
      },
    });
    const sums = firstRow(rows);
    const isEmpty = Object.values(sums).every((sum) => sum === 0);
    return { body: { data: figures(sums), meta: { ...(await regionMeta(question, isEmpty, version)), fenster } } };
  },
});

const figures = (sums: z.infer<typeof sumsRow>) => ({
  zubau90Tage: { anzahl: sums.zubauAnzahl, mw: megawatts(sums.zubauKw) },
  abbau90Tage: { anzahl: sums.abbauAnzahl, mw: megawatts(sums.abbauKw) },
  netto90TageMw: megawatts(sums.zubauKw - sums.abbauKw),
  pipeline: {
    anzahl: sums.pipelineAnzahl,
    mw: megawatts(sums.pipelineKw),
    mitDatumAnzahl: sums.pipelineMitDatum,
    mitDatumAnteil: share(sums.pipelineMitDatum, sums.pipelineAnzahl),
  },
  windUeber20Jahre: {
    anzahl: sums.windAlt,
    gesamt: sums.windGesamt,
    anteil: share(sums.windAlt, sums.windGesamt),
  },
});
