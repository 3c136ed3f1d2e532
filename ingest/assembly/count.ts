import { DIMENSIONS, isSignals } from '../../sql/query/dimensions.ts';
import { duckdbProjections } from '../../sql/query/duckdb.ts';
import { ALL_UNITS, FROM_COUNTED_UNITS, groupSelect, signalGroupSelect, totalsSelect } from '../../sql/query/groups.ts';
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
      groups: isSignals(dimension) ? signalGroupSelect(`(${groups}) AS masks`, duckdbProjections) : groups,
    };
  });
  const references = [...REFERENCE_SETS.values()].map((set) => ({
    filter: set.name,
    values: valuesOf(set, duckdbProjections),
  }));
  return [
    ...[{ dimension: ALL_UNITS, groups: totalsSelect() }, ...aggregations].map((values) =>
      warehouseSql('aggregations.sql', values),
    ),
    ...references.map((values) => warehouseSql('reference.sql', values)),
  ];
}
