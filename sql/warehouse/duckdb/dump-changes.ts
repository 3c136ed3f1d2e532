import { columnsRead, field, isCompared, type UnitField } from '../../catalogue/field.ts';
import { PERSONAL_COLUMNS } from '../../catalogue/personal.ts';
import { SIGNAL_IDS, turnsWithDay } from '../../catalogue/signals.ts';
import { READABLE_FIELDS } from '../../catalogue/unit-fields.ts';
import { formerUnitsAt } from '../../query/state.ts';
import { plainText } from './dump.ts';

/** The changes of a version against the one before it: a row for each field that changed, and for each unit that came or left. */

export const CHANGE_FIELDS: readonly UnitField[] = [
  field('mastrNummer', 'number', null, 'MaStR-Nummer der Einheit'),
  field('einheitTyp', 'label', null, 'Energieträger der Einheit'),
  field('art', 'label', null, 'neu, geaendert oder entfallen', { values: ['neu', 'geaendert', 'entfallen'] }),
  field('grund', 'label', null, 'Bei entfallen: geloescht, verschwunden oder zurueckgenommen; leer = nicht bekannt'),
  field('feld', 'label', null, 'Bei geaendert: das Feld'),
  field('vorher', 'text', null, 'Bei geaendert: der Wert davor, geschrieben wie in CSV; leer = keiner'),
  field('nachher', 'text', null, 'Bei geaendert: der Wert danach, ebenso'),
  field('datumLetzteAktualisierung', 'time', null, 'Letzte Aktualisierung im Register; bei entfallen die davor'),
];

const COMPARED = READABLE_FIELDS.filter(isCompared);

/** The columns of `units` that changes are read from. */
const CHANGE_COLUMNS: readonly string[] = [
  ...new Set([
    ...['nummer', 'mastrNummer', 'einheitTyp', 'bruttoleistungKw', 'datumLetzteAktualisierung'],
    ...COMPARED.flatMap(columnsRead),
  ]),
];

const TURNING = SIGNAL_IDS.filter(turnsWithDay);

/** True where a changed field came by itself, as in api/history/compared.ts: the signals that differ all turn with the day. */
const CAME_BY_ITSELF = `(feld = 'ibnVerschiebungTage' OR feld = 'signals' AND ${stableSignals('vorher')} = ${stableSignals('nachher')})`;

function stableSignals(text: string): string {
  const ids = TURNING.map((id) => `'${id}'`).join(', ');
  return `list_sort(list_filter(regexp_extract_all(coalesce(${text}, ''), '[a-z_0-9]+'), lambda id: id NOT IN (${ids})))`;
}

/** A part of a table. */
export interface TablePart {
  readonly table: string;
  readonly columns: readonly string[];
  /** What stands after its name. */
  readonly rows: string;
}

/** The build before, in a version that knows it. */
const BEFORE = '(SELECT max(sequence) FROM staende WHERE sequence < (SELECT max(sequence) FROM staende))';

/** What `changesSelect` reads, also of what is erased: a server is asked for it. */
export const CHANGE_TABLES: readonly TablePart[] = [
  ...(
    [
      ['units', 'gueltigSeit', []],
      ['units_ersetzt', 'ersetztSeit', ['ersetztSeit']],
      ['units_departed', 'abgangSeit', ['abgangSeit', 'abgangGrund']],
    ] as const
  ).map(([table, since, also]) => ({
    table,
    columns: [...new Set([...CHANGE_COLUMNS, ...PERSONAL_COLUMNS, 'gueltigSeit', 'inhaltSeit', ...also])],
    rows: `WHERE ${since} > ${BEFORE}`,
  })),
  { table: 'marktakteure', columns: ['mastrNummer', 'name'], rows: '' },
  { table: 'akteurnamen', columns: ['mastrNummer', 'name', 'bis'], rows: '' },
  { table: 'staende', columns: ['version', 'sequence', 'exportDay'], rows: '' },
];

/**
 * Selects the changes of some units as columns of CHANGE_FIELDS, to be sorted by `nummer` and `platz`.
 * @param before number of the build before, whose state is known
 * @param among condition over `nummer`
 */
export function changesSelect(before: number, among: string): string {
  const texts = COMPARED.map((one) => plainText(one, '1970-01-01')).join(', ');
  const names = COMPARED.map(({ name }) => `'${name}'`).join(', ');
  const isForgotten = PERSONAL_COLUMNS.map((name) => `${name} IS NULL`).join(' AND ');
  const isPersonal = COMPARED.filter((one) => columnsRead(one).some((name) => PERSONAL_COLUMNS.includes(name)));
  const side = (rows: string): string =>
    `SELECT nummer, mastrNummer, einheitTyp, datumLetzteAktualisierung, [${texts}] AS werte, ${isForgotten} AS vergessen FROM (${rows}) AS units WHERE ${among}`;
  const about = (of: string): string =>
    `${of}.nummer, ${of}.mastrNummer, ${of}.einheitTyp, ${of}.datumLetzteAktualisierung`;
  return `WITH later AS MATERIALIZED (${side(`SELECT ${CHANGE_COLUMNS.join(', ')} FROM units WHERE gueltigSeit > ${before}`)}),
earlier AS MATERIALIZED (${side(formerUnitsAt(before, CHANGE_COLUMNS))}),
compared AS (
  SELECT ${about('later')}, earlier.vergessen, unnest([${names}]) AS feld, unnest(range(${COMPARED.length})) AS platz,
    unnest(earlier.werte) AS vorher, unnest(later.werte) AS nachher
  FROM later JOIN earlier USING (nummer)
)
SELECT ${about('compared')}, 'geaendert' AS art, NULL AS grund, feld, vorher, nachher, platz FROM compared
WHERE vorher IS DISTINCT FROM nachher AND NOT (vergessen AND feld IN (${isPersonal.map(({ name }) => `'${name}'`).join(', ')}))
QUALIFY bool_or(NOT ${CAME_BY_ITSELF}) OVER (PARTITION BY compared.nummer)
UNION ALL
SELECT ${about('later')}, 'neu', NULL, NULL, NULL, NULL, 0 FROM later ANTI JOIN earlier USING (nummer)
UNION ALL
SELECT ${about('earlier')}, 'entfallen', CAST(units_departed.abgangGrund AS VARCHAR), NULL, NULL, NULL, 0
FROM (FROM earlier ANTI JOIN later USING (nummer)) AS earlier LEFT JOIN units_departed ON units_departed.nummer = earlier.nummer`;
}

/** Selects the numbers of the units that changed, as `nummer`. */
export const changedNumbers = (before: number): string =>
  `SELECT nummer FROM units WHERE gueltigSeit > ${before} UNION SELECT nummer FROM (${formerUnitsAt(before, ['nummer'])}) AS former`;

/** Selects the version before the one whose tables these are, as `version`, `build` and `asOf`; none where it is not known. */
export const VERSION_BEFORE = `SELECT version, sequence AS build, CAST(exportDay AS VARCHAR) AS "asOf" FROM staende
  WHERE sequence < (SELECT max(sequence) FROM staende) ORDER BY sequence DESC LIMIT 1`;
