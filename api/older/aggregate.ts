import { z } from 'zod';
import { projectionToCount } from '../../sql/query/access-paths.ts';
import { conditionSql, whereAll } from '../../sql/query/conditions.ts';
import { sqlFile, withPieces } from '../../sql/query/sql-files.ts';
import { binder } from '../../sql/query/statement.ts';
import { fromProjection } from '../../sql/query/unit-source.ts';
import { operation } from '../operation/operation.ts';
import { megawatts } from '../regions/figures.ts';
import { oneWord } from '../wire/parameters.ts';
import { carrierFilter, olderConditions, stateFilter } from './filters.ts';

const SQL = sqlFile(import.meta.url, 'aggregations.sql');

/** The column of each dimension. */
const COLUMNS = { energyType: 'einheitTyp', bundesland: 'bundesland' } as const;

const groupRow = z.strictObject({
  key: z.string().nullable(),
  count: z.number(),
  kw: z.number(),
  inBetriebCount: z.number(),
  inBetriebKw: z.number(),
});

const figures = { count: z.int(), totalMw: z.number(), inBetriebCount: z.int(), inBetriebMw: z.number() };

/** Counts units by carrier or state, for the older variant. */
export const aggregateOlder = operation({
  id: 'older.aggregations',
  method: 'GET',
  path: '/api/v1/aggregations',
  summary: 'Units counted by carrier or state (older variant)',
  older: true,
  access: 'key',
  scope: 'units:read',
  cost: 'expensive',
  metered: false,
  source: 'register',
  query: z.strictObject({
    groupBy: oneWord(['energyType', 'bundesland']).describe('What the units are counted by'),
    energyType: carrierFilter(),
    bundesland: stateFilter(),
  }),
  answer: z.strictObject({
    data: z.strictObject({
      groupBy: z.enum(['energyType', 'bundesland']),
      groups: z.array(
        z.union([
          z.strictObject({ energyType: z.string(), ...figures }),
          z.strictObject({ bundesland: z.string().nullable(), ...figures }),
        ]),
      ),
      totals: z.strictObject({ count: z.int(), totalMw: z.number() }),
    }),
    meta: z.strictObject({}),
  }),
  example: { query: 'groupBy=energyType&bundesland=Bayern' },
  async handle({ query, dataset }) {
    const { groupBy } = query;
    const values = binder();
    const conditions = olderConditions(query);
    const { dialects, query: select } = dataset();
    const where = whereAll(conditions.map((condition) => conditionSql(condition, dialects.projections, values)));
    const text = withPieces(SQL, {
      dimension: COLUMNS[groupBy],
      from: fromProjection(projectionToCount(conditions, dialects.projections)),
      where,
    });
    const rows = await select(groupRow, { text, values: values.values });
    const groups = rows.map(({ key, count, kw, inBetriebCount, inBetriebKw }) => ({
      [groupBy]: key,
      count,
      totalMw: megawatts(kw),
      inBetriebCount,
      inBetriebMw: megawatts(inBetriebKw),
    }));
    // Watts are whole numbers, so their sum loses nothing.
    const watts = rows.reduce((sum, { kw }) => sum + Math.round(kw * 1000), 0);
    const totals = { count: rows.reduce((sum, { count }) => sum + count, 0), totalMw: watts / 1e6 };
    return { body: { data: { groupBy, groups, totals }, meta: {} } };
  },
});
