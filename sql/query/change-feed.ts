import { z } from 'zod';
import { columnsRead, type UnitField } from '../catalogue/field.ts';
import { UNIT_COLUMN_NAMES } from '../catalogue/unit-columns.ts';
import { type Condition, conditionSql, fieldExpression, whereAll } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { BEGIN, formerColumns, formerTable, placesIn, withNames, withNamesOfTheirTime } from './state.ts';
import { type Binder, binder, type WarehouseStatement } from './statement.ts';
import { type UnitCriteria, withToday } from './units.ts';

/** Changes of units between two builds: a row that ended, a row that began, or both, which is a unit that was changed. */

/** Builds, the first exclusive and the last inclusive; both are of versions whose state is known. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const KINDS = ['neu', 'geaendert', 'entfallen'] as const;

export type ChangeKind = (typeof KINDS)[number];

export interface FeedRequest extends UnitCriteria {
  readonly span: Span;
  readonly kinds: readonly ChangeKind[];
  /** Fields of which at least one has changed; null: whichever. */
  readonly fields: readonly UnitField[] | null;
  /** Build and digits of the last change that was delivered. */
  readonly after: readonly [build: number, digits: number] | null;
  readonly limit: number;
}

export const changeRow = z.strictObject({
  digits: z.number(),
  build: z.number(),
  kind: z.enum(KINDS),
  /** 1 where the row that began is served. */
  isPresent: z.number(),
});

/**
 * Selects changes, oldest first, as rows of changeRow: of units that meet the conditions before or after. With fields it has those in
 * which the register differs, whatever of it an answer may show.
 */
export function feedStatement(request: FeedRequest, dialect: Dialect): WarehouseStatement {
  const { conditions, span, kinds, fields, after, limit, today } = request;
  const values = binder();
  const both = rowsOfChanges(conditions, fields ?? [], span, dialect, values);
  const valueAt = (place: number, began: 0 | 1): string => `max(CASE WHEN began = ${began} THEN wert${place} END)`;
  const differing = fields?.map((_, place) => `${valueAt(place, 1)} IS DISTINCT FROM ${valueAt(place, 0)}`);
  const kind = "CASE WHEN later = 0 THEN 'entfallen' WHEN earlier = 0 THEN 'neu' ELSE 'geaendert' END";
  const lines = [
    `SELECT ${dialect.numberDigits('nummer')} AS digits, CAST(build AS DOUBLE) AS build, ${kind} AS kind, CAST(present AS DOUBLE) AS "isPresent"`,
    'FROM (',
    '  SELECT nummer, build, max(began) AS later, max(1 - began) AS earlier, max(present) AS present, max(meets) AS meets,',
    `    ${differing === undefined ? 'true' : ['false', ...differing].join(' OR ')} AS differs`,
    `  FROM (${both}) AS changed_rows GROUP BY nummer, build`,
    ') AS changes',
    whereAll([
      'meets = 1',
      `(differs OR later = 0 OR earlier = 0)`,
      `${kind} IN (${kinds.map((one) => values.bind(one)).join(', ')})`,
      ...(after === null ? [] : [isAfter(after, dialect, values)]),
    ]),
    `ORDER BY build, nummer LIMIT ${values.bind(limit)}`,
  ];
  return withToday(lines, values.values, today, dialect);
}

function isAfter([build, digits]: readonly [number, number], dialect: Dialect, values: Binder): string {
  const at = values.bind(build);
  return `(build > ${at} OR (build = ${at} AND ${dialect.numberDigits('nummer')} > ${values.bind(digits)}))`;
}

/**
 * The rows that began and those that ended, each with `began`, `present`, `build`, whether it meets the conditions, and the values of
 * fields as `wert0`, `wert1` …
 */
function rowsOfChanges(
  conditions: readonly Condition[],
  fields: readonly UnitField[],
  { from, to }: Span,
  dialect: Dialect,
  values: Binder,
): string {
  const meets = conditions.map((condition) => conditionSql(condition, dialect, values));
  const words = new Set(meets.join(' ').match(/\w+/g));
  const columns = [
    ...new Set([
      ...UNIT_COLUMN_NAMES.filter((name) => words.has(name)),
      ...fields.flatMap(columnsRead),
      ...['nummer', 'gueltigSeit', 'inhaltSeit'],
    ]),
  ];
  const holds = meets.length === 0 ? '1' : `CASE WHEN ${meets.join(' AND ')} THEN 1 ELSE 0 END`;
  const list = fields.map((field, place) => `, ${comparable(field, dialect)} AS wert${place}`).join('');
  // Rows of versions that were withdrawn are no changes.
  const isOfState = `(${BEGIN} <= ${from} OR ${BEGIN} IN (SELECT sequence FROM staende))`;
  const isBetween = (build: string): string => `${build} > ${from} AND ${build} <= ${to}`;
  const former = (where: (end: string) => string): string => {
    const rows = FORMER.map(
      ([table, end]) =>
        `SELECT ${formerColumns(columns).join(', ')}, ${end} AS ende FROM ${formerTable(table, columns, dialect)} AS had WHERE ${where(end)} AND ${isOfState}`,
    );
    return withNamesOfTheirTime(rows.join(' UNION ALL '), columns);
  };
  const select = (rows: string, build: string, began: 0 | 1, present: 0 | 1): string =>
    `SELECT units.nummer AS nummer, ${build} AS build, ${began} AS began, ${present} AS present,
      ${present === 1 ? holds : placesIn(holds, null)} AS meets${list}
    FROM (${rows}) AS units`;
  const begin = 'coalesce(units.gueltigSeit, units.inhaltSeit)';
  return [
    select(`SELECT ${columns.join(', ')} FROM units WHERE ${isBetween('gueltigSeit')}`, begin, 1, 1),
    select(
      former(() => isBetween(BEGIN)),
      begin,
      1,
      0,
    ),
    select(former(isBetween), 'units.ende', 0, 0),
  ].join('\n  UNION ALL ');
}

/** The tables of former rows, each with the build in which one ended. */
const FORMER = [
  ['units_ersetzt', 'ersetztSeit'],
  ['units_departed', 'abgangSeit'],
] as const;

/** The value of a field as something that has an order, which lists have not in ClickHouse. */
export function comparable(field: UnitField, dialect: Dialect): string {
  const expression = fieldExpression(field, dialect);
  return field.kind === 'list' ? `CAST(${expression} AS VARCHAR)` : expression;
}

/** The causes for which a sum moves. */
export const CAUSES = [
  'neu_registriert',
  'in_betrieb_genommen',
  'nach_oben_korrigiert',
  'nach_unten_korrigiert',
  'umgezogen',
  'stillgelegt',
  'entfallen',
  'anders_geaendert',
] as const;

export const causeRow = z.strictObject({
  cause: z.enum(CAUSES),
  /** Units that the cause concerns. */
  units: z.number(),
  /** By how much it moved the number of units, and their gross capacity, kW. */
  count: z.number(),
  kw: z.number(),
});

/** The catalogue's ids of a status. */
export const PLANNED = 31;
export const IN_OPERATION = 35;

/**
 * Selects by how much each cause moved the sum over the units that meet the conditions, as rows of causeRow.
 * @param before the day that counts as today in the state before
 */
export function causesStatement(
  { conditions, span, today, before }: UnitCriteria & { readonly span: Span; readonly before: string },
  dialect: Dialect,
): WarehouseStatement {
  const values = binder();
  const { from, to } = span;
  const rows = (state: number, now: 0 | 1, day: string): string => {
    const at = dialect.day(values.bind(day));
    const meets = conditions.map((condition) =>
      conditionSql(condition, dialect, values).replaceAll('$today', () => at),
    );
    const words = new Set(meets.join(' ').match(/\w+/g));
    const read = ['nummer', 'statusId', 'region', 'bruttoleistungKw'];
    const columns = [...new Set([...UNIT_COLUMN_NAMES.filter((name) => words.has(name)), ...read])];
    const changed = now === 1 ? `${BEGIN} > ${from}` : null;
    const former = FORMER.map(
      ([table, end]) =>
        `SELECT ${formerColumns(columns).join(', ')} FROM ${formerTable(table, columns, dialect)} AS had WHERE ${BEGIN} <= ${state} AND ${end} > ${state} AND ${changed ?? `${end} <= ${to}`}`,
    );
    const all = [
      ...(now === 1
        ? [`SELECT ${columns.join(', ')} FROM units WHERE gueltigSeit > ${from} AND gueltigSeit <= ${to}`]
        : []),
      withNames(former.join(' UNION ALL '), columns, state),
    ].join(' UNION ALL ');
    const has = meets.length === 0 ? '1' : `CASE WHEN ${placesIn(meets.join(' AND '), state)} THEN 1 ELSE 0 END`;
    return `SELECT units.nummer AS nummer, ${now} AS now, ${has} AS meets, units.statusId AS statusId, units.region AS region,
      coalesce(units.bruttoleistungKw, 0) AS kw FROM (${all}) AS units`;
  };
  const of = (now: 0 | 1, value: string): string => `max(CASE WHEN now = ${now} THEN ${value} END)`;
  const lines = [
    'SELECT cause AS cause, CAST(count(*) AS DOUBLE) AS units, CAST(sum(counted) AS DOUBLE) AS "count", CAST(sum(moved) AS DOUBLE) AS kw',
    'FROM (SELECT counted, moved, CASE',
    "    WHEN hadBefore = 0 THEN 'neu_registriert'",
    "    WHEN hasNow = 0 THEN 'entfallen'",
    "    WHEN meetsBefore = 1 AND meetsNow = 1 AND moved > 0 THEN 'nach_oben_korrigiert'",
    "    WHEN meetsBefore = 1 AND meetsNow = 1 THEN 'nach_unten_korrigiert'",
    `    WHEN statusBefore = ${PLANNED} AND statusNow = ${IN_OPERATION} THEN 'in_betrieb_genommen'`,
    `    WHEN statusBefore = ${IN_OPERATION} AND statusNow NOT IN (${PLANNED}, ${IN_OPERATION}) THEN 'stillgelegt'`,
    "    WHEN regionBefore IS DISTINCT FROM regionNow THEN 'umgezogen'",
    "    ELSE 'anders_geaendert' END AS cause",
    '  FROM (SELECT nummer, max(1 - now) AS hadBefore, max(now) AS hasNow,',
    '      sum((1 - now) * meets) AS meetsBefore, sum(now * meets) AS meetsNow,',
    `      ${of(0, 'statusId')} AS statusBefore, ${of(1, 'statusId')} AS statusNow, ${of(0, 'region')} AS regionBefore, ${of(1, 'region')} AS regionNow,`,
    '      sum((2 * now - 1) * meets) AS counted,',
    '      sum(CASE WHEN meets = 0 THEN 0 WHEN now = 1 THEN kw ELSE -kw END) AS moved',
    `    FROM (${rows(from, 0, before)} UNION ALL ${rows(to, 1, today)}) AS both_rows GROUP BY nummer`,
    '  ) AS compared WHERE (meetsBefore = 1 OR meetsNow = 1) AND (counted <> 0 OR moved <> 0)',
    ') AS caused GROUP BY cause',
  ];
  return { text: lines.join('\n'), values: values.values };
}

export const sumRow = z.strictObject({ count: z.number(), kw: z.number() });

/** Selects the number of the units that meet the conditions, and their gross capacity, as one row of sumRow. */
export function sumStatement({ conditions, today }: UnitCriteria, dialect: Dialect): WarehouseStatement {
  const values = binder();
  const lines = [
    'SELECT CAST(count(*) AS DOUBLE) AS "count", CAST(coalesce(sum(units.bruttoleistungKw), 0) AS DOUBLE) AS kw',
    'FROM units AS units',
    whereAll(conditions.map((condition) => conditionSql(condition, dialect, values))),
  ];
  return withToday(lines, values.values, today, dialect);
}
