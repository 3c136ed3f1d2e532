import { DIMENSIONS, isSignals } from '../../sql/query/dimensions.ts';
import { duckdb } from '../../sql/query/duckdb.ts';
import { duckdbProjections, isDigest } from '../../sql/query/duckdb-projections.ts';
import {
  ALL_UNITS,
  FROM_COUNTED_UNITS,
  groupSelect,
  labelledGroups,
  signalGroupSelect,
  totalsSelect,
} from '../../sql/query/groups.ts';
import { REFERENCE_SETS, valuesOf } from '../../sql/query/reference-sets.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';

/**
 * The statements that count the units of a finished version, in their order: by each dimension, and by the values of each
 * filter. Each reads two or three columns of a projection once.
 */
export function countStatements(): string[] {
  const aggregations = DIMENSIONS.map((dimension) => {
    const groups = groupSelect(dimension, FROM_COUNTED_UNITS, '', duckdbProjections);
    return {
      dimension: dimension.name,
      groups: isSignals(dimension)
        ? signalGroupSelect(`(${groups}) AS masks`, duckdbProjections)
        : labelledGroups(dimension, `(${groups}) AS counted`, duckdbProjections),
    };
  });
  const references = [...REFERENCE_SETS.values()].map((set) => ({
    filter: set.name,
    // Of a long text the projections have a digest alone.
    values: isDigest(set.field.name) ? valuesOf(set, duckdb, 'FROM units') : valuesOf(set, duckdbProjections),
  }));
  return [
    ...[{ dimension: ALL_UNITS, groups: totalsSelect() }, ...aggregations].map((values) =>
      warehouseSql('aggregations.sql', values),
    ),
    ...references.map((values) => warehouseSql('reference.sql', values)),
  ];
}
