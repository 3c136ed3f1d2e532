import { z } from 'zod';
import { entryOf } from '../../runtime/present.ts';
import { bitOfRule } from '../catalogue/anomalies.ts';
import type { RuleId } from '../catalogue/plausibility.ts';
import { fieldNamed, UNIT_FILTERS } from '../catalogue/unit-fields.ts';
import { tableToCount } from './access-paths.ts';
import { bitTable } from './bit-sets.ts';
import { type Condition, fieldExpression, whereAll } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import type { Dimension } from './dimensions.ts';
import { placeMembers, placesSelect } from './places.ts';
import { binder, type WarehouseStatement } from './statement.ts';
import { unitsMeeting } from './unit-source.ts';
import { type UnitCriteria, withToday } from './units.ts';

/** Units counted by the rules of plausibility that apply to them, and by the groups of a dimension. */

export interface RuleGroupRequest extends UnitCriteria {
  readonly dimension: Dimension;
  readonly rules: readonly RuleId[];
  /** Maximum number of groups, those with the most findings. */
  readonly limit: number;
}

export const ruleGroupRow = z.strictObject({
  regel: z.string(),
  key: z.string().nullable(),
  ...placeMembers,
  count: z.number(),
  /** Gross capacity, kW; unknown capacity adds nothing. */
  kw: z.number(),
  /** Place of the group among all, from 1. */
  rang: z.number(),
});

/** Selects a row for each group and rule that applies to a unit of it: the most units first, then by rule and group. */
export function ruleGroupStatement(request: RuleGroupRequest, dialect: Dialect): WarehouseStatement {
  const { dimension, rules, limit, today } = request;
  const { places } = dimension;
  const conditions = [...request.conditions, isNamedBy(rules)];
  const values = binder();
  const grouped = dimension.field === null ? [] : [dimension.field.name];
  const units = unitsMeeting(conditions, tableToCount(conditions, dialect, grouped), dialect, values);
  const bits = rules.map((id) => ({ id, bit: bitOfRule(id) }));
  const key = dimension.valueOf('masks.schluessel', dialect) ?? 'masks.schluessel';
  const text = [
    'WITH masks AS (',
    `  SELECT ${dimension.key(dialect)} AS schluessel, ${fieldExpression(fieldNamed('auffaelligkeiten'), dialect)} AS maske,`,
    '    count(*) AS anzahl, coalesce(sum(units.bruttoleistungKw), 0) AS kw',
    `  ${units.from}`,
    whereAll(units.conditions),
    '  GROUP BY ALL',
    '),',
    // As text, so that both engines put groups of equal size into one order.
    `rule_groups AS (`,
    `  SELECT CAST(${key} AS VARCHAR) AS gruppe, one.id AS regel, sum(masks.anzahl) AS einheiten, sum(masks.kw) AS capacity`,
    `  FROM masks CROSS JOIN ${bitTable(bits)}`,
    `  WHERE ${dialect.sharesBits('masks.maske', 'one.bit')}`,
    '  GROUP BY 1, 2',
    '),',
    'sized AS (SELECT *, sum(einheiten) OVER (PARTITION BY gruppe) AS named FROM rule_groups),',
    'ranked AS (SELECT *, dense_rank() OVER (ORDER BY named DESC, gruppe NULLS LAST) AS rang FROM sized)',
    'SELECT CAST(ranked.regel AS VARCHAR) AS regel,',
    `  ${places === null ? 'ranked.gruppe' : 'places.wert'} AS "key",`,
    ...(places === null
      ? []
      : ['  places.schluessel AS schluessel, places.name AS name, places.bundesland AS bundesland,']),
    '  CAST(ranked.einheiten AS DOUBLE) AS "count", CAST(ranked.capacity AS DOUBLE) AS kw, CAST(ranked.rang AS DOUBLE) AS rang',
    'FROM ranked',
    ...(places === null
      ? []
      : [`LEFT JOIN ${placesSelect(places, dialect)} ON places.gebiet = CAST(ranked.gruppe AS INTEGER)`]),
    `WHERE ranked.rang <= ${values.bind(limit)}`,
    'ORDER BY ranked.einheiten DESC, ranked.regel, "key" NULLS LAST',
  ];
  return withToday(text, values.values, today, dialect);
}

/** The condition that one of the rules applies to a unit. */
const isNamedBy = (rules: readonly RuleId[]): Condition => ({
  ...entryOf(UNIT_FILTERS, 'auffaelligkeit'),
  value: rules,
});
