import { IS_CONSPICUOUS } from '../../catalogue/anomalies.ts';
import { COORDINATES, OF_SPACE, PROJECTIONS } from '../../catalogue/projections.ts';
import { clickhouse } from '../../query/clickhouse.ts';
import { CONSPICUOUS_UNITS } from '../../query/conspicuous.ts';
import { bitsOf, DIMENSIONS, type Dimension } from '../../query/dimensions.ts';
import { ALL_UNITS } from '../../query/groups.ts';
import { LOCATIONS } from '../../query/neighbours.ts';
import { sqlFile, statementsOf, withPieces } from '../../query/sql-files.ts';
import { clickhouseMastrBits } from '../../register/mastr-number.ts';
import { UNIT_TEXTS } from '../duckdb/rows.ts';
import { clickhouseUnitColumns, coordinateColumns, projectionColumns, projectionSelectList } from './columns.ts';
import { LISTED_TEXTS } from './listed-texts.ts';
import { isSharded, ONE_SERVER, type Placement, placementPieces } from './placement.ts';
import { ROLLUPS } from './recount.ts';
import { clickhouseRowText, rowFields } from './rows.ts';

/** The tables of a dataset version in ClickHouse, and the views that fill some of them from others. */

const SUBJECTS = [
  'dataset',
  'units',
  'rows',
  'projections',
  'conspicuous',
  'locations',
  'regions',
  'counts',
  'search',
  'actors',
  'tenders',
  'support',
  'night',
] as const;

/**
 * A table of a version has its UUID as its name in Keeper. A name that comes again would be no name: if a replica is away while
 * a broken load is dropped, Keeper keeps what that load has sent, and the next one would take its own blocks for repeated.
 */
const KEEPER_NAME = '{uuid}';

/** A table recognises so many blocks when they are sent again; replicated tables do by themselves. */
const keptSettings = 'non_replicated_deduplication_window = 1000';

const partSettings = [
  keptSettings,
  // Each part costs a page something, and few equal ones would stay. A build fills tables steadily, so none is this old meanwhile.
  'min_age_to_force_merge_seconds = 120',
  'min_age_to_force_merge_on_partition_only = 1',
].join(', ');

/**
 * Tables that begin as those of the version before in a night. To merge them into one part again would write all of them anew, so
 * they are left to the merges that the server does by itself.
 */
export const CLONED_TABLES: readonly string[] = [
  ...['units', 'units_departed', 'units_ersetzt', 'foerderung', 'saetze', 'zeilen', CONSPICUOUS_UNITS, LOCATIONS],
  ...Object.keys(PROJECTIONS),
  ...ROLLUPS,
];

/**
 * The statements that create the tables of a version in the database of the session, in order. The views come with the
 * tables that they fill, after `units`: every later insert into it fills all of them.
 * @param made in a night, some tables begin as those of the version before
 */
export function schemaStatements(placement: Placement, made: 'from nothing' | 'in a night' = 'from nothing'): string[] {
  const pieces = { ...placementPieces(placement, KEEPER_NAME), cluster: placement.cluster ?? '' };
  const tables = SUBJECTS.flatMap(written);
  const placed = [...tables, ...(isSharded(placement) ? tables.flatMap(inFrontOf) : [])];
  return placed.map((text) => {
    const isCloned = made === 'in a night' && CLONED_TABLES.includes(/^CREATE TABLE (\w+)/m.exec(text)?.[1] ?? '');
    const settings = { partSettings: isCloned ? keptSettings : partSettings };
    return withSingleSpaces(withPieces(text, { ...pieces, ...settings }));
  });
}

/**
 * The statements that take units off the roll-ups: what the views would add for the rows of an expression, with the opposite sign.
 * @param rows a table expression with the columns of `units`
 */
export function subtractions(rows: string): ReadonlyMap<string, string> {
  const views = schemaStatements(ONE_SERVER).flatMap((text) => {
    const [, table, select] = /^CREATE MATERIALIZED VIEW \w+ +TO (\w+) AS\s+(SELECT.*)$/ms.exec(text) ?? [];
    return table === undefined || select === undefined || !ROLLUPS.includes(table) ? [] : [{ table, select }];
  });
  return new Map(
    views.map(({ table, select }) => [
      table,
      // The order is fixed, so that the server recognises the block when it is asked again.
      `INSERT INTO ${table} SELECT * REPLACE (${SUMMED.filter((name) => select.includes(`AS ${name}`))
        .map((name) => `-${name} AS ${name}`)
        .join(', ')}) FROM (${select.replace('FROM units AS units', () => `FROM ${rows} AS units`)}) ORDER BY ALL`,
    ]),
  );
}

/** What roll-ups add up. */
const SUMMED = ['anzahl', 'kw', 'mitLeistung', 'kwh'];

/** The table in front of a table that lies on the shards; none for any other. */
function inFrontOf(statement: string): string[] {
  const table = /^CREATE TABLE (\w+)\{\{shard\}\}/m.exec(statement)?.[1];
  if (table === undefined) return [];
  // Units are inserted through it. Views fill the other tables on the shard of their unit.
  const shardingKey = table.startsWith('units') ? 'cityHash64(mastrNummer)' : 'rand()';
  return statementsOf(withPieces(sqlFile(import.meta.url, 'shards.sql'), { table, shardingKey }));
}

/** A piece that is empty leaves two spaces. */
const withSingleSpaces = (text: string): string => text.replaceAll(/ +(?=[(]| TO )/g, ' ');

function written(subject: (typeof SUBJECTS)[number]): string[] {
  const text = sqlFile(import.meta.url, `${subject}.sql`);
  if (subject === 'conspicuous') return statementsOf(withPieces(text, CONSPICUOUS_PIECES));
  if (subject !== 'projections') return statementsOf(withPieces(text, PIECES));
  return Object.entries(PROJECTIONS).flatMap(([table, keys]) => {
    const order = [...keys.filter((name) => name !== 'mastrNummer'), 'mastrNummer'].join(', ');
    const listed = LISTED_TEXTS.get(table);
    const pieces = {
      ...{ table, order },
      projectionColumns: [
        projectionColumns(),
        ...(listed === undefined ? [] : [LIST_TEXT]),
        ...(table === OF_SPACE ? [coordinateColumns(), PLACED] : []),
        ...(LYING_TOGETHER[table] ?? []).map((name) => `  INDEX ${name}_von_bis ${name} TYPE minmax GRANULARITY 1`),
      ].join(',\n'),
      projectionSelect: [
        projectionSelectList(),
        ...(listed === undefined ? [] : [listTextWhere(listed)]),
        ...(table === OF_SPACE ? COORDINATE_SELECTS : []),
      ].join(',\n'),
      granule: listed === undefined ? USUAL_GRANULE : GRANULE_WITH_TEXTS,
    };
    return statementsOf(withPieces(text, pieces));
  });
}

/** Columns of which equal values lie together although the table is sorted by others first: a place is asked for without its state. */
const LYING_TOGETHER: Readonly<Record<string, readonly string[]>> = {
  units_by_place: ['landkreis', 'landkreisgebiet', 'gemeinde', 'gemeindegebiet', 'plz'],
};

/** One index over what an area compares with, as units with and without coordinates are alternatives of one condition. */
const PLACED = '  INDEX platz_von_bis (breite, laenge, gemeindegebiet) TYPE minmax GRANULARITY 1';

const COORDINATE_SELECTS = Object.entries(COORDINATES).map(([column, name]) => `  units.${column} AS ${name}`);

/**
 * The statement that creates a table that lasts as long as the work: `carried` of the rows that a build carries over from earlier
 * versions, `affected` of those that a night replaces.
 */
export const tableOfWork = (name: 'carried' | 'affected', placement: Placement): string =>
  withPieces(sqlFile(import.meta.url, `${name}.sql`), { ...placementPieces(placement, KEEPER_NAME), partSettings });

/** The text of a unit as lists show it, which `units` has made. */
const LIST_TEXT = `  zeile String COMMENT '${rowFields(UNIT_TEXTS.liste)}' CODEC(ZSTD(1))`;

/** @param column a unit without it has an empty text; null for texts of all units */
const listTextWhere = (column: string | null): string =>
  column === null ? '  zeile' : `  if(units.${column} IS NULL, '', units.zeile) AS zeile`;

/** Rows of a granule. A page unpacks the texts of one or two. */
const GRANULE_WITH_TEXTS = '1024';
const USUAL_GRANULE = '8192';

const text = (value: string): string => `'${value}'`;

/** The dimensions by which the view of `aggregationen` groups units, with the names of their keys. */
const GROUPED = DIMENSIONS.map((dimension) => ({ dimension, column: `gruppe_${dimension.name}` }));

/** Returns the dimension and the key of a group as a pair. */
const group = (name: string, key: string): string => `(${text(name)}, CAST(${key} AS Nullable(String)))`;

/** Of a dimension whose keys are bit masks, a case of the keys that a group becomes: one for each bit. */
function keysOfBits(dimension: Dimension, column: string): string {
  const bits = bitsOf(dimension);
  if (bits === null) return '';
  const pairs = bits.map(({ bit, id }) => `(${bit}, ${text(id)})`);
  return `
  gruppen.gruppe.1 = ${text(dimension.name)},
  arrayMap(
    one -> CAST(one.2 AS Nullable(String)),
    arrayFilter(one -> bitAnd(ifNull(gruppen.${column}, 0), one.1) <> 0, [${pairs.join(', ')}])
  ),`;
}

const CONSPICUOUS_PIECES = {
  projectionColumns: [projectionColumns(), coordinateColumns()].join(',\n'),
  projectionSelect: [projectionSelectList(), ...COORDINATE_SELECTS].join(',\n'),
  isConspicuous: IS_CONSPICUOUS,
};

const PIECES = {
  location: clickhouseMastrBits('units.lokationMastrNummer'),
  unitColumns: clickhouseUnitColumns(),
  listFields: rowFields(UNIT_TEXTS.liste),
  listText: clickhouseRowText(UNIT_TEXTS.liste),
  furtherFields: rowFields(UNIT_TEXTS.weitere),
  furtherText: clickhouseRowText(UNIT_TEXTS.weitere),
  series: sqlFile(import.meta.url, 'series.sql'),
  groupKeys: GROUPED.map(({ dimension, column }) => `    ${dimension.key(clickhouse)} AS ${column}`).join(',\n'),
  groups: [
    ...GROUPED.map(({ dimension, column }) => `      grouping(${column}) = 0, ${group(dimension.name, column)}`),
    `      ${group(ALL_UNITS, 'NULL')}`,
  ].join(',\n'),
  groupingSets: GROUPED.map(({ column }) => `(${column})`).join(', '),
  keysOfBits: GROUPED.map(({ dimension, column }) => keysOfBits(dimension, column)).join(''),
};
