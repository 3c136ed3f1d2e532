import { PROJECTIONS } from '../../catalogue/projections.ts';
import { SIGNAL_IDS, signalMask } from '../../catalogue/signals.ts';
import { clickhouse } from '../../query/clickhouse.ts';
import { DIMENSIONS, isSignals } from '../../query/dimensions.ts';
import { ALL_UNITS } from '../../query/groups.ts';
import { sqlFile, withPieces } from '../../query/sql-files.ts';
import { clickhouseUnitColumns, projectionColumns, projectionSelectList } from './columns.ts';
import { onCluster, type Placement } from './placement.ts';
import { clickhouseRowText, rowFields } from './rows.ts';

/** The tables of a dataset version in ClickHouse, and the views that fill some of them from others. */

const SUBJECTS = [
  'dataset',
  'units',
  'rows',
  'projections',
  'regions',
  'counts',
  'search',
  'actors',
  'tenders',
] as const;

/**
 * The statements that create the tables of a version in the database of the session, in order. The views come with the
 * tables that they fill, after `units`: every later insert into it fills all of them.
 */
export function schemaStatements(placement: Placement): string[] {
  const placed = {
    onCluster: onCluster(placement).trim(),
    replicated: placement.cluster === null ? '' : 'Replicated',
  };
  return SUBJECTS.flatMap(written).map((text) => withPieces(text, placed).replaceAll(/ +(?=[(]| TO )/g, ' '));
}

function written(subject: (typeof SUBJECTS)[number]): string[] {
  const text = sqlFile(import.meta.url, `${subject}.sql`);
  if (subject !== 'projections') return statementsOf(withPieces(text, PIECES));
  return Object.entries(PROJECTIONS).flatMap(([table, keys]) => {
    const order = [...keys.filter((name) => name !== 'mastrNummer'), 'mastrNummer'].join(', ');
    const pieces = { table, order, projectionColumns: projectionColumns(), projectionSelect: projectionSelectList() };
    return statementsOf(withPieces(text, pieces));
  });
}

const statementsOf = (text: string): string[] =>
  text
    .split(/;\n|;$/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

const text = (value: string): string => `'${value}'`;

/** The group of a unit in each dimension, as pairs of dimension and key. */
const groups = (): string =>
  [
    `    (${text(ALL_UNITS)}, CAST(NULL AS Nullable(String)))`,
    ...DIMENSIONS.filter((dimension) => !isSignals(dimension)).map(
      (dimension) => `    (${text(dimension.name)}, CAST(${dimension.key(clickhouse)} AS Nullable(String)))`,
    ),
  ].join(',\n');

const PIECES = {
  unitColumns: clickhouseUnitColumns(),
  rowFields: rowFields(),
  rowText: clickhouseRowText(),
  series: sqlFile(import.meta.url, 'series.sql'),
  groups: groups(),
  signals: SIGNAL_IDS.map((id) => `(${signalMask([id])}, ${text(id)})`).join(', '),
};
