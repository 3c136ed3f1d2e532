import { IS_CONSPICUOUS } from '../../catalogue/anomalies.ts';
import { PROJECTIONS } from '../../catalogue/projections.ts';
import { clickhouse } from '../../query/clickhouse.ts';
import { bitsOf, DIMENSIONS, type Dimension } from '../../query/dimensions.ts';
import { ALL_UNITS } from '../../query/groups.ts';
import { sqlFile, statementsOf, withPieces } from '../../query/sql-files.ts';
import { clickhouseMastrBits } from '../../register/mastr-number.ts';
import { UNIT_TEXTS } from '../duckdb/rows.ts';
import { clickhouseUnitColumns, projectionColumns, projectionSelectList } from './columns.ts';
import { LISTED_TEXTS } from './listed-texts.ts';
import { isSharded, type Placement, placementPieces } from './placement.ts';
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
] as const;

/**
 * A table of a version has its UUID as its name in Keeper. A name that comes again would be no name: if a replica is away while
 * a broken load is dropped, Keeper keeps what that load has sent, and the next one would take its own blocks for repeated.
 */
const KEEPER_NAME = '{uuid}';

const partSettings = [
  // A table recognises so many blocks when they are sent again; replicated tables do by themselves.
  'non_replicated_deduplication_window = 1000',
  // Each part costs a page something, and few equal ones would stay. A build fills tables steadily, so none is this old meanwhile.
  'min_age_to_force_merge_seconds = 120',
  'min_age_to_force_merge_on_partition_only = 1',
].join(', ');

/**
 * The statements that create the tables of a version in the database of the session, in order. The views come with the
 * tables that they fill, after `units`: every later insert into it fills all of them.
 */
export function schemaStatements(placement: Placement): string[] {
  const pieces = { ...placementPieces(placement, KEEPER_NAME), cluster: placement.cluster ?? '', partSettings };
  const tables = SUBJECTS.flatMap(written);
  const placed = [...tables, ...(isSharded(placement) ? tables.flatMap(inFrontOf) : [])];
  return placed.map((text) => withSingleSpaces(withPieces(text, pieces)));
}

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
        ...(LYING_TOGETHER[table] ?? []).map((name) => `  INDEX ${name}_von_bis ${name} TYPE minmax GRANULARITY 1`),
      ].join(',\n'),
      projectionSelect: [projectionSelectList(), ...(listed === undefined ? [] : [listTextWhere(listed)])].join(',\n'),
      granule: listed === undefined ? USUAL_GRANULE : GRANULE_WITH_TEXTS,
    };
    return statementsOf(withPieces(text, pieces));
  });
}

/** Columns of which equal values lie together although the table is sorted by others first: a place is asked for without its state. */
const LYING_TOGETHER: Readonly<Record<string, readonly string[]>> = {
  units_by_place: ['landkreis', 'landkreisgebiet', 'gemeinde', 'gemeindegebiet', 'plz'],
};

/** The statement that creates the table of the rows that a build carries over from earlier versions. */
export const carriedStatement = (placement: Placement): string =>
  withPieces(sqlFile(import.meta.url, 'carried.sql'), { ...placementPieces(placement, KEEPER_NAME), partSettings });

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
  projectionColumns: projectionColumns(),
  projectionSelect: projectionSelectList(),
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
