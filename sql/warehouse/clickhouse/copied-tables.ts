import { milliseconds } from '../../query/duckdb.ts';
import { UNIT_COLUMNS } from './columns.ts';

/** What of the local file is copied into ClickHouse; the question tables and the roll-ups are filled by views. */

/** A column of `units` as DuckDB hands it over: values of the type that units.sql of ClickHouse declares. */
const clickhouseValues = UNIT_COLUMNS.map(({ name, kind }) => {
  if (kind === 'day') return `${name} - DATE '1970-01-01' AS ${name}`;
  if (kind === 'time') return `${milliseconds(name)} AS ${name}`;
  if (kind === 'list') return `coalesce(${name}, []) AS ${name}`;
  return name;
});

/**
 * Days, times and lists of `units` as the local file has them: the opposite, for a select list of DuckDB over rows that
 * come from ClickHouse.
 * @param columns those that are selected; all when left out
 */
export function duckdbValues(columns: readonly string[] | null = null): string {
  const changed = UNIT_COLUMNS.flatMap(({ name, kind }) => {
    if (columns !== null && !columns.includes(name)) return [];
    if (kind === 'day') return [`DATE '1970-01-01' + ${name} AS ${name}`];
    if (kind === 'time') return [`make_timestamp(${name} * 1000) AS ${name}`];
    if (kind === 'list') return [`CASE WHEN len(${name}) > 0 THEN ${name} END AS ${name}`];
    return [];
  });
  return `REPLACE (${changed.join(', ')})`;
}

/** Tables in the order of copying, with their select lists in DuckDB. `dataset` comes last: it says that all is there. */
export const COPIED_TABLES = {
  units: clickhouseValues.join(', '),
  units_departed: ['abgangSeit', 'abgangGrund', ...clickhouseValues].join(', '),
  units_ersetzt: ['ersetztSeit', 'ersetztAm', ...clickhouseValues].join(', '),
  vorgaenger: '*',
  marktakteure: '* REPLACE (coalesce(marktrollen, []) AS marktrollen)',
  suchtexte: '*',
  suchnamen: '*',
  regionen: '*',
  referenzwerte: '*',
  katalogwerte: '*',
  zusatztabellen: '*',
  dateien: '*',
  befunde: '*',
  dataset: '*',
} satisfies Readonly<Record<string, string>>;
