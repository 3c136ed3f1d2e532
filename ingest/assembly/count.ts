import type { UnitField } from '../../sql/catalogue/field.ts';
import { FLAG_COLUMNS } from '../../sql/catalogue/packed-columns.ts';
import { hasColumn, type Projection } from '../../sql/catalogue/projections.ts';
import { UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import { comparisonTarget } from '../../sql/query/conditions.ts';
import { bitsOf, DIMENSIONS } from '../../sql/query/dimensions.ts';
import { duckdb, duckdbProjections, isDigest } from '../../sql/query/duckdb.ts';
import {
  ALL_UNITS,
  bitGroupSelect,
  COUNTED_UNITS,
  FROM_COUNTED_UNITS,
  groupSelect,
  groupsByValue,
  totalsSelect,
} from '../../sql/query/groups.ts';
import { REFERENCE_SETS, type ReferenceSet, valuesOf } from '../../sql/query/reference-sets.ts';
import { fromProjection } from '../../sql/query/unit-source.ts';
import { isSet } from '../../sql/warehouse/duckdb/projections.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';

/**
 * The statements that count the units of a finished version, in their order: by each dimension, and by the values of each
 * filter. Each reads two or three columns of a projection once.
 */
export function countStatements(): string[] {
  const aggregations = DIMENSIONS.map((dimension) => {
    const table = fromProjection(projectionWith(dimension.field));
    const groups = groupSelect(dimension, table, '', duckdbProjections);
    const bits = bitsOf(dimension);
    return {
      dimension: dimension.name,
      groups:
        bits === null
          ? groupsByValue(dimension, `(${groups}) AS counted`, duckdbProjections)
          : bitGroupSelect(bits, `(${groups}) AS masks`, duckdbProjections),
    };
  });
  const references = [...REFERENCE_SETS.values()].map((set) => ({ filter: set.name, values: valuesToCount(set) }));
  return [
    ...[{ dimension: ALL_UNITS, groups: totalsSelect(duckdbProjections) }, ...aggregations].map((values) =>
      warehouseSql('aggregations.sql', values),
    ),
    ...references.map((values) => warehouseSql('reference.sql', values)),
    flagStatement(),
  ];
}

/** The sets of places, with the statements that count them. */
export const placeSets = (): { readonly name: string; readonly statement: string }[] =>
  [...REFERENCE_SETS.values()]
    .filter(({ places }) => places !== null)
    .map((set) => ({
      name: set.name,
      statement: warehouseSql('reference.sql', { filter: set.name, values: valuesToCount(set) }),
    }));

/** The statements that count the values of each filter, as those above do, in `units` itself: where there are no projections. */
export function referenceStatements(): string[] {
  const flags = [...UNIT_FILTERS].flatMap(([filter, { field }]) => {
    const { name } = comparisonTarget(field);
    return duckdbProjections.flag(name) === null ? [] : [{ filter, name }];
  });
  const columns = [...new Set(flags.map(({ name }) => `coalesce(${isSet(name)}, false) AS ${name}`))];
  const values = flags.map(
    ({ filter, name }) => `SELECT '${filter}' AS filter, CAST(${name} AS VARCHAR) AS wert, * FROM combinations`,
  );
  return [
    ...[...REFERENCE_SETS.values()].map((set) =>
      warehouseSql('reference.sql', { filter: set.name, values: valuesOf(set, duckdb, FROM_UNITS) }),
    ),
    warehouseSql('flags.sql', {
      flagColumns: columns.join(', '),
      from: FROM_UNITS,
      values: values.join('\nUNION ALL\n'),
    }),
  ];
}

const FROM_UNITS = 'FROM units';

/** Selects the values of a set from a table that has them: projections have no more than a digest of long texts. */
function valuesToCount(set: ReferenceSet): string {
  if (isDigest(set.field.name)) return valuesOf(set, duckdb, FROM_UNITS);
  return valuesOf(set, duckdbProjections, fromProjection(projectionWith(set.field)));
}

/** The projection in which all units are counted by a field: not all have each column. @param field null = several columns, or none */
const projectionWith = (field: UnitField | null): Projection =>
  field === null || hasColumn(COUNTED_UNITS, field.name) ? COUNTED_UNITS : 'units_by_number';

/** Counts the units for which each flag is true, and false, that projections keep as a bit. */
function flagStatement(): string {
  const values = [...UNIT_FILTERS].flatMap(([filter, { field }]) => {
    const flag = duckdbProjections.flag(comparisonTarget(field).name);
    return flag === null
      ? []
      : [`SELECT '${filter}' AS filter, CAST(${flag} AS VARCHAR) AS wert, * FROM combinations AS units`];
  });
  const flagColumns = Object.keys(FLAG_COLUMNS).map((column) => `units.${column}`);
  return warehouseSql('flags.sql', {
    flagColumns: flagColumns.join(', '),
    from: FROM_COUNTED_UNITS,
    values: values.join('\nUNION ALL\n'),
  });
}
