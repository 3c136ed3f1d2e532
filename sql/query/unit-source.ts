import { OF_SPACE, type Projection } from '../catalogue/projections.ts';
import { type Condition, conditionSql } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { type Area, areaOf, inAreasSql, isArea, withCoordinates } from './space.ts';
import type { Binder } from './statement.ts';

/** The units of a projection that meet conditions: where a statement reads them. */
export interface UnitSource {
  /** FROM with a table, or a SELECT of it, under the alias `units`. */
  readonly from: string;
  /** What is left for WHERE. */
  readonly conditions: readonly string[];
}

/** Conditions call the projection `units`, whichever it is. */
export const fromProjection = (table: Projection): string => `FROM ${table} AS units`;

export function unitsMeeting(
  conditions: readonly Condition[],
  table: Projection,
  dialect: Dialect,
  values: Binder,
): UnitSource {
  const own = table === OF_SPACE ? withCoordinates(dialect) : dialect;
  const areas = conditions.filter(isArea).map(areaOf);
  const inParts = table === OF_SPACE && dialect.space === 'in parts' && areas.length > 0;
  const others = inParts ? conditions.filter((condition) => !isArea(condition)) : conditions;
  const from = inParts ? fromParts(areas, others, dialect, values) : fromProjection(table);
  return { from, conditions: others.map((condition) => conditionSql(condition, own, values)) };
}

/** Either alternative lies in a few blocks, which an engine finds where it is a condition by itself. */
function fromParts(areas: readonly Area[], others: readonly Condition[], dialect: Dialect, values: Binder): string {
  const parts = inAreasSql(areas, dialect, values);
  const located = others.find(({ filter }) => filter.name === 'hatKoordinaten')?.value;
  const read = [
    ...(located === false ? [] : [parts.byCoordinates]),
    ...(located === true ? [] : [parts.byMunicipality]),
  ];
  const selects = read.map((condition) => `SELECT * ${fromProjection(OF_SPACE)} WHERE ${condition}`);
  return `FROM (\n  ${selects.join('\n  UNION ALL ')}\n) AS units`;
}
