import { whereAll } from '../../../../sql/query/conditions.ts';
import type { Body } from '../client.ts';
import { conditionsOf, type Filter, type FilterName, filtersOf, pathOf } from '../filters.ts';
import {
  type BenchRequest,
  bindings,
  bound,
  independent,
  type Pairs,
  type Question,
  type Row,
  type Sql,
} from '../question.ts';
import { DIMENSIONS, signalGroups } from './counted.ts';

/** Units counted in groups, by every dimension of the interface. */

const NAMES = Object.keys(DIMENSIONS);

const FILTERS: readonly (readonly FilterName[])[] = [
  ['einheitTyp', 'bundesland'],
  ['einheitTyp', 'betriebsStatus'],
  ['bundesland', 'betriebsStatus'],
  ['bundesland', 'inbetriebnahmeVon'],
  ['einheitTyp', 'leistungMinKw'],
  ['einheitTyp', 'inbetriebnahmeBis'],
  ['landkreis', 'betriebsStatus'],
  ['plzBereich', 'leistungMaxKw'],
  ['netzbetreiber', 'einheitTyp'],
  ['spannungsebene', 'bundesland'],
];

const MAX_GROUPS = 1000;

/** Groups by count, then by key, with the totals of all groups in each row. */
function groupsSql(dimension: string, filters: readonly Filter[]): Sql {
  const { values, bind } = bindings();
  const where = whereAll(bound(conditionsOf(filters), bind));
  const text = `WITH gruppen AS (
  SELECT ${DIMENSIONS[dimension]} AS key, count(*) AS count, sum(bruttoleistungkw) AS kw
  FROM units ${where} GROUP BY 1
)
${dimension === 'signals' ? SIGNAL_GROUPS : GROUPS}
ORDER BY count DESC, key NULLS LAST
LIMIT ${MAX_GROUPS}`;
  return { text, values };
}

const GROUPS = 'SELECT key, count, kw, sum(count) OVER () AS total, sum(kw) OVER () AS total_kw FROM gruppen';

const SIGNAL_GROUPS = `SELECT signale.*,
  (SELECT sum(count) FROM gruppen) AS total, (SELECT sum(kw) FROM gruppen) AS total_kw
FROM (${signalGroups('gruppen')}) AS signale`;

/** The same without filters, as it was counted beforehand. */
const countedGroupsSql = (dimension: string): Sql => ({
  text: `SELECT gruppen.key, gruppen.count, gruppen.kw, alle.count AS total, alle.kw AS total_kw
FROM aggregationen AS gruppen JOIN aggregationen AS alle ON alle.dimension = 'alle'
WHERE gruppen.dimension = $1
ORDER BY gruppen.count DESC, gruppen.key NULLS LAST
LIMIT ${MAX_GROUPS}`,
  values: [dimension],
});

const groups = (dimension: string, filters: readonly Filter[]): BenchRequest => ({
  path: pathOf('/v1/aggregations', filters, { groupBy: dimension }),
  ...(filters.length === 0
    ? { sql: [countedGroupsSql(dimension)], plainSql: [groupsSql(dimension, filters)] }
    : { sql: [groupsSql(dimension, filters)] }),
  // Without groups there is no row that could contain the totals.
  pairs: ({ data }, [rows]) => [['groups', data.groups.length, rows!.length], ...rows!.slice(0, 1).flatMap(same(data))],
});

const same =
  ({ groups: [group], totals }: Body) =>
  (first: Row): Pairs => [
    ['first count', group?.count, first.count],
    ['first capacity', group?.bruttoleistungKw, first.kw ?? 0],
    ['total', totals.count, first.total],
    ['total capacity', totals.bruttoleistungKw, first.total_kw ?? 0],
  ];

export const AGGREGATION_QUESTIONS: readonly Question[] = [
  {
    id: 'aggregation-all',
    name: 'aggregation over the whole register',
    aims: { p50: 3, p99: 12 },
    requests: independent((_, random) => groups(random.of(NAMES), [])),
  },
  {
    id: 'aggregation-filtered',
    name: 'aggregation with two filters',
    aims: { p50: 12, p99: 80 },
    requests: independent((sample, random) => groups(random.of(NAMES), filtersOf(random.of(FILTERS), sample, random))),
  },
];
