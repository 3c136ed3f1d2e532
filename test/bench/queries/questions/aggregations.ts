import { SIGNALS } from '../../../../sql/catalogue/signals.ts';
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

/** Units counted in groups, by every dimension of the interface. */

/** Dimensions by the key that puts a unit into a group. */
const DIMENSIONS: Readonly<Record<string, string>> = {
  einheitTyp: 'einheittyp',
  bundesland: 'bundesland',
  landkreis: 'landkreis',
  gemeinde: 'gemeinde',
  plz: 'plz',
  betriebsStatus: 'betriebsstatus',
  einspeisungsart: 'einspeisungsart',
  netzbetreiber: 'netzbetreiber',
  spannungsebene: 'spannungsebene',
  regelzone: 'regelzone',
  inbetriebnahmejahr: 'extract(year FROM inbetriebnahmedatum)::text',
  leistungsklasse: `CASE WHEN bruttoleistungkw < 1 THEN '0-1' WHEN bruttoleistungkw < 10 THEN '1-10'
    WHEN bruttoleistungkw < 30 THEN '10-30' WHEN bruttoleistungkw < 100 THEN '30-100'
    WHEN bruttoleistungkw < 750 THEN '100-750' WHEN bruttoleistungkw < 1000 THEN '750-1000'
    WHEN bruttoleistungkw < 10000 THEN '1000-10000' WHEN bruttoleistungkw >= 10000 THEN '10000+' END`,
  windHersteller: 'windhersteller',
  windTypenbezeichnung: 'windtypenbezeichnung',
  solarLage: 'solarlage',
  hauptbrennstoff: 'hauptbrennstoff',
  biomasseart: 'biomasseart',
  speichertechnologie: 'speichertechnologie',
  // No value is set yet: every unit is in the one group without a key.
  eegAbleitbarkeit: 'NULL::text',
  signals: 'signals',
};

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

/** A unit counts in each of its signals, of which the column has a bit each. */
const SIGNAL_GROUPS = `SELECT signal.id AS key, sum(count) AS count, sum(kw) AS kw,
  (SELECT sum(count) FROM gruppen) AS total, (SELECT sum(kw) FROM gruppen) AS total_kw
FROM gruppen
JOIN (VALUES ${Object.keys(SIGNALS)
  .map((id, bit) => `(${2 ** bit}, '${id}')`)
  .join(', ')}) AS signal (bit, id) ON gruppen.key & signal.bit <> 0
GROUP BY signal.id`;

const groups = (dimension: string, filters: readonly Filter[]): BenchRequest => ({
  path: pathOf('/v1/aggregations', filters, { groupBy: dimension }),
  sql: [groupsSql(dimension, filters)],
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
    aims: { p50: 5, p99: 20 },
    requests: independent((_, random) => groups(random.of(NAMES), [])),
  },
  {
    id: 'aggregation-filtered',
    name: 'aggregation with two filters',
    aims: { p50: 30, p99: 120 },
    requests: independent((sample, random) => groups(random.of(NAMES), filtersOf(random.of(FILTERS), sample, random))),
  },
];
