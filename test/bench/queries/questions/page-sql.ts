import { whereAll } from '../../../../sql/query/conditions.ts';
import type { Filter } from '../filters.ts';
import { bindings, bound, type Condition, type Sql } from '../question.ts';

/** Pages of units as somebody would write them who knows PostgreSQL well. */

export const PAGE = 100;

/** The fields that a list can be sorted by; mastrNummer decides between equals. */
export const SORTABLE = [
  'mastrNummer',
  'bruttoleistungKw',
  'inbetriebnahmedatum',
  'geplantesInbetriebnahmedatum',
  'registrierungsdatum',
] as const;

export interface Order {
  readonly field: (typeof SORTABLE)[number];
  readonly direction: 'asc' | 'desc';
}

/** The last row before a page: its number, and its value in the order. */
export interface Last {
  readonly number: string;
  readonly value: unknown;
}

const COLUMNS = `mastrnummer, einheittyp, name, betriebsstatus, bruttoleistungkw, inbetriebnahmedatum,
  geplantesinbetriebnahmedatum, bundesland, plz, ort, latitude, longitude`;

export function totalSql(conditions: readonly Condition[]): Sql {
  const { values, bind } = bindings();
  return { text: `SELECT count(*) AS total FROM units ${whereAll(bound(conditions, bind))}`, values };
}

/**
 * A total as the build has counted it, as sql/query/precomputed-total.ts has it: of one filter, alone or for one carrier.
 * Without any filter that is the number of all units. Null for other filters.
 */
export function countedTotalSql(filters: readonly Filter[]): Sql | null {
  const { values, bind } = bindings();
  const carrier = filters.find(({ parameter }) => parameter === 'einheitTyp');
  const others = filters.filter((filter) => filter !== carrier);
  const [main = carrier] = others;
  if (main === undefined) return { text: "SELECT count AS total FROM aggregationen WHERE dimension = 'alle'", values };
  if (others.length > 1 || main.counted === null) return null;
  const conditions = [`filter = ${bind(main.parameter)}`, main.counted(bind)];
  if (carrier !== undefined && carrier !== main) conditions.push(`einheittyp = ${bind(carrier.value)}`);
  return { text: `SELECT coalesce(sum(anzahl), 0) AS total FROM referenzwerte ${whereAll(conditions)}`, values };
}

export function firstPageSql(conditions: readonly Condition[], order: Order, rows = PAGE): Sql {
  const { values, bind } = bindings();
  return { text: select(bound(conditions, bind), order, rows), values };
}

/**
 * The parts that PostgreSQL can read from an index in order: the rows that tie with the last one, those after it, and
 * those without a value, one after the other until the page is full.
 */
export function laterPageSql(conditions: readonly Condition[], order: Order, { number, value }: Last): Sql {
  const { values, bind } = bindings();
  const { field, direction } = order;
  const beyond = direction === 'asc' ? '>' : '<';
  const behind = (): string[][] => {
    if (field === 'mastrNummer') return [[`mastrnummer ${beyond} ${bind(number)}`]];
    if (value === null) return [[`${field} IS NULL`, `mastrnummer > ${bind(number)}`]];
    return [
      [`${field} = ${bind(value)}`, `mastrnummer > ${bind(number)}`],
      [`${field} ${beyond} ${bind(value)}`],
      [`${field} IS NULL`],
    ];
  };
  const parts = behind().map((place) => `(${select([...bound(conditions, bind), ...place], order, PAGE)})`);
  return { text: `SELECT * FROM (${parts.join('\nUNION ALL\n')}) AS seite LIMIT ${PAGE}`, values };
}

const select = (conditions: readonly string[], { field, direction }: Order, rows: number): string => {
  const keys = field === 'mastrNummer' ? `mastrnummer ${direction}` : `${field} ${direction} NULLS LAST, mastrnummer`;
  return `SELECT ${COLUMNS} FROM units ${whereAll(conditions)} ORDER BY ${keys} LIMIT ${rows}`;
};
