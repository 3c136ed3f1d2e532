import { milliseconds } from '../../query/duckdb.ts';
import { UNIT_COLUMNS } from './columns.ts';

/** The tables that ClickHouse gets from the engine of a build, or from the file of a version; views fill the projections and the roll-ups. */

const daysSinceEpoch = (column: string): string => `${column} - DATE '1970-01-01'`;

/** The lists of an award; empty instead of NULL on the server, where arrays cannot be NULL. */
const AWARD_LISTS = ['mastrNummern', 'foerderNummern', 'foerderNummernAbgeleitet'];

/** The days of `foerderung`. */
const SUPPORT_DAYS = ['inbetriebnahme', 'foerderbeginn', 'foerderende', 'phasenwechsel'];

/** A column of `units` as DuckDB hands it over: values of the type that units.sql of ClickHouse declares. */
const clickhouseValues = UNIT_COLUMNS.map(({ name, kind }) => {
  if (kind === 'day') return `${daysSinceEpoch(name)} AS ${name}`;
  if (kind === 'time') return `${milliseconds(name)} AS ${name}`;
  if (kind === 'list' || kind === 'integers') return `coalesce(${name}, []) AS ${name}`;
  return name;
});

/**
 * Converts days, times and lists of `units` back, for a select list of DuckDB over rows that come from ClickHouse.
 * @param columns those that are selected; all by default
 */
export function duckdbValues(columns: readonly string[] | null = null): string {
  const changed = UNIT_COLUMNS.flatMap(({ name, kind }) => {
    if (columns !== null && !columns.includes(name)) return [];
    if (kind === 'day') return [`DATE '1970-01-01' + ${name}::INTEGER AS ${name}`];
    if (kind === 'time') return [`make_timestamp(${name} * 1000) AS ${name}`];
    if (kind === 'list' || kind === 'integers') return [`CASE WHEN len(${name}) > 0 THEN ${name} END AS ${name}`];
    return [];
  });
  return changed.length === 0 ? '' : `REPLACE (${changed.join(', ')})`;
}

/** Converts the rows of `foerderung` back in the same way. */
export function duckdbSupportValues(columns: readonly string[] | null = null): string {
  const changed = [
    ...SUPPORT_DAYS.map((name) => [name, `DATE '1970-01-01' + ${name}::INTEGER`] as const),
    ['zuschlaege', 'zuschlaege::JSON'] as const,
  ].filter(([name]) => columns === null || columns.includes(name));
  return `REPLACE (${changed.map(([name, value]) => `${value} AS ${name}`).join(', ')})`;
}

/** Tables in the order of copying, with their select lists in DuckDB. `dataset` comes last, as it marks a version complete. */
export const COPIED_TABLES = {
  units: clickhouseValues.join(', '),
  units_departed: ['abgangSeit', 'abgangGrund', ...clickhouseValues].join(', '),
  units_ersetzt: ['ersetztSeit', 'ersetztAm', `coalesce(abgangGrund, '') AS abgangGrund`, ...clickhouseValues].join(
    ', ',
  ),
  vorgaenger: '*',
  staende: '*',
  auffaelligkeiten_verlauf: '*',
  marktakteure: '* REPLACE (coalesce(marktrollen, []) AS marktrollen)',
  akteurnamen: '*',
  loeschungen: '*',
  suchtexte: '*',
  suchnamen: '*',
  regionen: '*',
  gebiete: '*',
  regionen_verlauf: '*',
  gebiete_verlauf: '*',
  orte: `* REPLACE (${daysSinceEpoch('gebietsstand')} AS gebietsstand, ${daysSinceEpoch('einwohnerAm')} AS einwohnerAm)`,
  referenzwerte: '*',
  katalogwerte: '*',
  zusatztabellen: '*',
  gebotstermine: `* REPLACE (${daysSinceEpoch('datum')} AS datum, ${daysSinceEpoch('bekanntgabe')} AS bekanntgabe)`,
  hoechstwerte: '*',
  zuschlaege: `* REPLACE (${AWARD_LISTS.map((name) => `coalesce(${name}, []) AS ${name}`).join(', ')})`,
  zuschlag_einheiten: '*',
  foerderung: `* REPLACE (${SUPPORT_DAYS.map((name) => `${daysSinceEpoch(name)} AS ${name}`).join(', ')},
    to_json(zuschlaege)::VARCHAR AS zuschlaege, coalesce(gruende, []) AS gruende, coalesce(raten, []) AS raten)`,
  saetze: '*',
  grundlagen: '*',
  verweise_ins_leere: '*',
  dateien: '*',
  befunde: '*',
  dataset: '*',
} satisfies Readonly<Record<string, string>>;

/**
 * Tables that files of an earlier release lack and can be loaded without: on the server they stay empty, which the service
 * answers as it answers such a file.
 */
export const OPTIONAL_TABLES: ReadonlySet<string> = new Set<keyof typeof COPIED_TABLES>([
  'hoechstwerte',
  'foerderung',
  'auffaelligkeiten_verlauf',
  'orte',
  'saetze',
  'grundlagen',
  'verweise_ins_leere',
  'staende',
  'akteurnamen',
  'loeschungen',
  'regionen_verlauf',
  'gebiete_verlauf',
]);
