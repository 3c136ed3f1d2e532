import { SIGNALS } from '../../../../sql/catalogue/signals.ts';

/**
 * Counts that PostgreSQL makes beforehand, as materialised views: the same as the tables of a version that answer without its
 * units (sql/warehouse/duckdb/tables.sql).
 */

/** Dimensions by the key that puts a unit into a group. */
export const DIMENSIONS: Readonly<Record<string, string>> = {
  einheitTyp: 'einheittyp',
  energietraeger: 'energietraeger',
  bundesland: 'bundesland',
  // Places, not names: several places share one.
  landkreis: 'left(gemeindeschluessel, 5)',
  gemeinde: 'gemeindeschluessel',
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
  eegAbleitbarkeit: 'eegableitbarkeit',
  signals: 'signals',
};

/** A unit counts in each of its signals, of which the column has a bit each. @param masks groups by bit mask */
export const signalGroups = (masks: string): string => `SELECT signal.id AS key, sum(count) AS count, sum(kw) AS kw
FROM ${masks}
JOIN (VALUES ${Object.keys(SIGNALS)
  .map((id, bit) => `(${2 ** bit}, '${id}')`)
  .join(', ')}) AS signal (bit, id) ON ${masks}.key & signal.bit <> 0
GROUP BY signal.id`;

const dimensionSelect = (name: string, key: string): string => {
  const groups = `SELECT ${key} AS key, count(*) AS count, sum(bruttoleistungkw) AS kw FROM units GROUP BY 1`;
  const shown = name === 'signals' ? `WITH masks AS (${groups}) ${signalGroups('masks')}` : groups;
  return `SELECT '${name}' AS dimension, key::text, count::double precision, kw FROM (${shown}) AS ${name.toLowerCase()}`;
};

const AGGREGATIONS = `CREATE MATERIALIZED VIEW aggregationen AS
SELECT 'alle' AS dimension, NULL::text AS key, count(*)::double precision AS count, sum(bruttoleistungkw) AS kw FROM units
UNION ALL ${Object.entries(DIMENSIONS)
  .map(([name, key]) => dimensionSelect(name, key))
  .join('\nUNION ALL ')}`;

/** Filters of the measured questions whose values are counted. */
const COUNTED_FILTERS = ['einheitTyp', 'betriebsStatus', 'bundesland', 'plz', 'netzbetreiber', 'spannungsebene'];

const VALUES = `CREATE MATERIALIZED VIEW referenzwerte AS ${COUNTED_FILTERS.map(
  (name) => `SELECT '${name}' AS filter, einheittyp, ${name} AS wert, count(*) AS anzahl FROM units GROUP BY 2, 3`,
).join('\nUNION ALL ')}`;

/** The three series that count on a day of their own. */
export const SERIES = [
  { name: 'zubau', day: 'inbetriebnahmedatum', condition: 'inbetriebnahmedatum IS NOT NULL' },
  { name: 'abbau', day: 'stilllegungsdatum', condition: 'stilllegungsdatum IS NOT NULL' },
  {
    name: 'pipeline',
    day: 'geplantesinbetriebnahmedatum',
    condition: 'geplantesinbetriebnahmedatum IS NOT NULL AND inbetriebnahmedatum IS NULL',
  },
];

const DAYS = `CREATE MATERIALIZED VIEW plz_tage AS
${SERIES.map(
  ({ name, day, condition }) => `SELECT '${name}' AS serie, plz, einheittyp, ${day} AS tag, count(*) AS anzahl,
  sum(bruttoleistungkw) AS kw FROM units WHERE ${condition} GROUP BY 2, 3, 4`,
).join('\nUNION ALL ')}
ORDER BY plz, serie, einheittyp, tag`;

const summedUp = (view: string, from: string, day: string): string => `CREATE MATERIALIZED VIEW ${view} AS
SELECT serie, einheittyp, ${day} AS tag, sum(anzahl) AS anzahl, sum(kw) AS kw FROM ${from} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

/** Statements that make the views, to be run in this order over a loaded table of units. */
export const COUNTED_VIEWS: readonly string[] = [
  AGGREGATIONS,
  'CREATE INDEX aggregationen_dimension ON aggregationen (dimension, count DESC)',
  VALUES,
  'CREATE INDEX referenzwerte_wert ON referenzwerte (filter, wert text_pattern_ops)',
  DAYS,
  'CREATE INDEX plz_tage_plz ON plz_tage (plz text_pattern_ops)',
  summedUp('deutschland_tage', 'plz_tage', 'tag'),
  summedUp('deutschland_monate', 'deutschland_tage', "date_trunc('month', tag::timestamp)::date"),
  ...['aggregationen', 'referenzwerte', 'plz_tage', 'deutschland_tage', 'deutschland_monate'].map(
    (view) => `ANALYZE ${view}`,
  ),
];
