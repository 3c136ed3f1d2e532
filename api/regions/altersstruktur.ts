import { z } from 'zod';
import { sqlFile, withPieces } from '../../sql/query/sql-files.ts';
import { reusableOperation } from '../operation/operation.ts';
import { regionMeta, regionMetaShape } from './covered.ts';
import { daysOf } from './days.ts';
import { megawatts, yearsBefore } from './figures.ts';
import { carrierCondition, regionOf, regionQuery, regionQuestion } from './parameters.ts';

const SQL = sqlFile(import.meta.url, 'altersstruktur.sql');

/** Completed years between commissioning and `stichtag`: lower bound inclusive, upper exclusive. */
const COHORTS = [
  { name: '0-20', vonJahre: 0, bisJahre: 20 },
  { name: '20-25', vonJahre: 20, bisJahre: 25 },
  { name: '25+', vonJahre: 25, bisJahre: null },
];

/** A row of altersstruktur.sql; capacity in kW. */
const cohortRow = z.strictObject({
  kohorte: z.string(),
  energietraeger: z.string(),
  anzahl: z.number(),
  kw: z.number(),
});

/** Age structure of the units in operation; one row per cohort and carrier, young to old, empty cohorts are missing. */
export const altersstruktur = reusableOperation({
  id: 'region.altersstruktur',
  method: 'GET',
  path: '/v1/region/altersstruktur',
  summary: 'Age structure of the stock by cohort',
  access: 'api',
  scope: 'region:read',
  cost: 'expensive',
  source: 'register',
  query: regionQuery,
  answer: z.strictObject({
    data: z.array(z.strictObject({ kohorte: z.string(), energietraeger: z.string(), anzahl: z.int(), mw: z.number() })),
    meta: z.strictObject({
      count: z.int(),
      ...regionMetaShape,
      kohorten: z.array(z.strictObject({ name: z.string(), vonJahre: z.int(), bisJahre: z.int().nullable() })),
      stichtag: z.iso.date(),
    }),
  }),
  table: 'data',
  example: { query: 'ebene=bundesland&region=Niedersachsen&energietraeger=wind' },
  question: ({ query }) => regionQuestion(query),
  async reply({ question, today, dataset }) {
    const version = dataset();
    const { dialects } = version;
    const days = daysOf(regionOf(question), dialects);
    const cohorts = await version.query(cohortRow, {
      text: withPieces(SQL, { days: days.sql, condition: carrierCondition(dialects) }),
      values: {
        ...days.values,
        energietraeger: question.energietraeger,
        years20Ago: { day: yearsBefore(today, 20) },
        years25Ago: { day: yearsBefore(today, 25) },
      },
    });
    const data = cohorts.map(({ kw, ...cohort }) => ({ ...cohort, mw: megawatts(kw) }));
    const region = await regionMeta(question, data.length === 0, version);
    return { body: { data, meta: { count: data.length, ...region, kohorten: COHORTS, stichtag: today } } };
  },
});
