import { columnsRead, type UnitField } from '../catalogue/field.ts';
import { PERSONAL_COLUMNS } from '../catalogue/personal.ts';
import { comparable, IN_OPERATION } from './change-feed.ts';
import { type AskedUnits, answerColumns, hasAnswers, isAmong } from './changes.ts';
import type { Dialect } from './dialect.ts';
import { formerUnitsAt } from './state.ts';
import { binder, type WarehouseStatement } from './statement.ts';

/** What alerts watch of units that an earlier version served as well: that a value is another one, or that a condition has come true. */

export interface Watch {
  /** Name of the field, or of the event. */
  readonly key: string;
  readonly reads: readonly string[];
  sql(dialect: Dialect): string;
  /** True: the expression is 1 where the condition holds, which it has to do now alone. */
  readonly begins: boolean;
}

export const fieldWatch = (field: UnitField): Watch => ({
  key: field.name,
  reads: columnsRead(field),
  sql: (dialect) => comparable(field, dialect),
  begins: false,
});

/** The ids of the states do not change, whereas their words may. */
export const STATUS_WATCH: Watch = {
  key: 'STATUS_CHANGE',
  reads: ['statusId'],
  sql: () => 'units.statusId',
  begins: false,
};

export const COMMISSIONED_WATCH: Watch = {
  key: 'COMMISSIONED',
  reads: ['statusId'],
  sql: () => `CASE WHEN units.statusId = ${IN_OPERATION} THEN 1 ELSE 0 END`,
  begins: true,
};

/**
 * Asks of units which watches hold between the state of an earlier build and the version, as rows of answersRow in no order; a unit for
 * which none does has none.
 * @param build one of STATES
 */
export function watchedStatement(
  asked: AskedUnits,
  watches: readonly Watch[],
  build: number,
  { units: dialect }: { readonly units: Dialect },
): WarehouseStatement {
  const values = binder();
  const isPersonal = ({ reads }: Watch): boolean => reads.some((name) => PERSONAL_COLUMNS.includes(name));
  const columns = [
    ...new Set([
      ...watches.flatMap(({ reads }) => reads),
      ...(watches.some(isPersonal) ? PERSONAL_COLUMNS : []),
      'nummer',
    ]),
  ];
  // What was forgotten of a former row is no change; any other row has an owner at least.
  const isForgotten = PERSONAL_COLUMNS.map((name) => `${dialect.unitColumn(name)} IS NULL`).join(' AND ');
  const list = [
    ...watches.map((watch, place) => `, ${watch.sql(dialect)} AS wert${place}`),
    ...(watches.some(isPersonal) ? [`, CASE WHEN ${isForgotten} THEN 1 ELSE 0 END AS vergessen`] : []),
  ].join('');
  const among = isAmong(dialect.unitNumber, asked, dialect, values);
  const at = (place: number, now: 0 | 1): string => `max(CASE WHEN now = ${now} THEN wert${place} END)`;
  const holds = watches.map((watch, place) => {
    const differs = `${at(place, 1)} ${watch.begins ? '>' : 'IS DISTINCT FROM'} ${at(place, 0)}`;
    return isPersonal(watch) ? `max((1 - now) * vergessen) = 0 AND ${differs}` : differs;
  });
  const text = `SELECT * FROM (
  SELECT ${dialect.numberDigits('nummer')} AS digits,
    ${answerColumns(holds)}
  FROM (
    SELECT units.nummer AS nummer, 1 AS now${list} FROM units AS units WHERE units.gueltigSeit > ${build} AND ${among}
    UNION ALL
    SELECT units.nummer AS nummer, 0 AS now${list} FROM (${formerUnitsAt(build, columns, dialect)}) AS units WHERE ${among}
  ) AS both_rows GROUP BY nummer HAVING min(now) = 0 AND max(now) = 1
) AS answers
WHERE ${hasAnswers(holds.length)}`;
  return { text, values: values.values };
}
