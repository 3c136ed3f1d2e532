import { z } from 'zod';
import { sqlFile, withPieces } from '../../sql/query/sql-files.ts';
import { reusableOperation } from '../operation/operation.ts';
import { always, calendarDay, fault, oneWord } from '../wire/parameters.ts';
import { nextDay } from '../wire/time.ts';
import { regionMeta, regionMetaShape } from './covered.ts';
import { daysOf, monthsOf } from './days.ts';
import { megawatts } from './figures.ts';
import { carrierCondition, levelAndRegionTogether, regionOf, regionParameters, regionQuestion } from './parameters.ts';

const SQL = sqlFile(import.meta.url, 'zeitreihe.sql');

/** Periods of a year with their names; `number` counts them from 0. */
const PERIODS = {
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

/** The date field of each series. */
const DATE_FIELDS = {
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
  })
  .superRefine(levelAndRegionTogether, always)
  .superRefine(({ von, bis }, context) => {
    if (von !== undefined && bis !== undefined && von > bis) {
      context.issues.push(fault('FILTER_CONFLICT', 'lies after bis', ['von']));
    }
  }, always);

const row = z.strictObject({
  periode: z.string().describe('YYYY-MM, YYYY-Qn or YYYY'),
  energietraeger: z.string(),
  zubauAnzahl: z.int(),
  zubauMw: z.number(),
  abbauAnzahl: z.int(),
  abbauMw: z.number(),
  pipelineAnzahl: z.int(),
  pipelineMw: z.number(),
});

/** A row of zeitreihe.sql; capacities in kW. */
const sumsRow = z.strictObject({
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

/** Growth, decommissioning and pipeline over time; rows only where one of the three is not zero. */
export const zeitreihe = reusableOperation({
  id: 'region.zeitreihe',
  method: 'GET',
  path: '/v1/region/zeitreihe',
  summary: 'Growth, decommissioning and pipeline over time',
  access: 'api',
  scope: 'region:read',
  cost: 'expensive',
  source: 'register',
  query,
  answer: z.strictObject({
    data: z.array(row),
    meta: z.strictObject({
      count: z.int(),
      periode: z.enum(['monat', 'quartal', 'jahr']),
      ...regionMetaShape,
      datumsfelder: z.strictObject({ zubau: z.string(), abbau: z.string(), pipeline: z.string() }),
    }),
  }),
  table: 'data',
  problems: ['FILTER_CONFLICT'],
  example: { query: 'periode=jahr&energietraeger=wind&von=2020-01-01' },
  question: ({ query: { periode, von, bis, ...region } }) => ({ ...regionQuestion(region), periode, von, bis }),
  async reply({ question, dataset }) {
    const { ofYear, sql, name } = PERIODS[question.periode];
    const version = dataset();
    const { dialects } = version;
    const days = (isWholeMonths(question) ? monthsOf : daysOf)(regionOf(question), dialects);
    const sums = await version.query(sumsRow, {
      text: withPieces(SQL, {
        days: days.sql,
        condition: carrierCondition(dialects),
        periode: sql(dialects.units.year('tag'), dialects.units.month('tag')),
      }),
      values: {
        ...days.values,
        energietraeger: question.energietraeger,
        von: { day: question.von ?? FIRST_DAY },
        bis: { day: question.bis ?? LAST_DAY },
      },
    });
    const data = sums.map((sum) => ({
      periode: name(String(Math.floor(sum.periode / ofYear)).padStart(4, '0'), sum.periode % ofYear),
      energietraeger: sum.energietraeger,
      zubauAnzahl: sum.zubauAnzahl,
      zubauMw: megawatts(sum.zubauKw),
      abbauAnzahl: sum.abbauAnzahl,
      abbauMw: megawatts(sum.abbauKw),
      pipelineAnzahl: sum.pipelineAnzahl,
      pipelineMw: megawatts(sum.pipelineKw),
    }));
    const region = await regionMeta(question, data.length === 0, version);
    const meta = { count: data.length, periode: question.periode, ...region, datumsfelder: DATE_FIELDS };
    return { body: { data, meta } };
  },
});

/** Returns true when each bound of the span is that of a month, or missing. */
const isWholeMonths = ({ von, bis }: Pick<z.output<typeof query>, 'von' | 'bis'>): boolean =>
  (von === undefined || von.endsWith('-01')) && (bis === undefined || nextDay(bis).endsWith('-01'));
