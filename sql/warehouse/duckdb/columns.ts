import { createHash } from 'node:crypto';
import type { Kind } from '../../catalogue/field.ts';
import { STORED_FIELDS } from '../../catalogue/unit-fields.ts';

/** What is DuckDB's own of the unit tables: column types and the statements derived from the catalogue. */

const TYPES: Record<Kind, string> = {
  number: 'VARCHAR',
  text: 'VARCHAR',
  label: 'VARCHAR',
  decimal: 'DECIMAL(18,3)',
  degree: 'DECIMAL(9,6)',
  integer: 'INTEGER',
  boolean: 'BOOLEAN',
  day: 'DATE',
  time: 'TIMESTAMP',
  list: 'VARCHAR[]',
  signals: 'UINTEGER',
};

/** Columns that the service does not show but that joins, regions and history need. */
export const KEPT_COLUMNS: readonly [name: string, type: string, meaning: string][] = [
  ['nummer', 'BIGINT', 'mastrNummer as 64 bits: three letters times 2^40, and twelve digits'],
  ['gemeindeschluessel', 'VARCHAR', 'official municipality key, 8 digits'],
  ['region', 'INTEGER', 'row of regionen'],
  ['statusId', 'INTEGER', 'catalogue id of betriebsStatus: ids are stable, texts are not'],
  ['inhalt', 'UBIGINT', 'hash of everything that is served of the unit'],
  ['inhaltSeit', 'INTEGER', 'build that first held this content; its time of publication stands in the pointer'],
  ['ersteRegistrierung', 'DATE', 'earliest registration day of all exports read'],
  ['ersterPlantag', 'DATE', 'first planned commissioning day seen'],
  ['ersterPlantagVom', 'DATE', 'day of the export in which it was seen'],
  ['letzterPlantag', 'DATE', 'last planned commissioning day seen'],
  ['letzterPlantagVom', 'DATE', 'day of the export in which it was seen'],
  ['netzbetreiberpruefungId', 'INTEGER', 'catalogue id of netzbetreiberpruefung; 0 and 1 before level 24.2'],
  [
    'betreiberSeit',
    'DATE',
    'day of the export that first showed the present operator after another one; NULL = unknown',
  ],
  ['signals', TYPES.signals, 'signals on the day of the export, one bit each in the order of sql/catalogue/signals.ts'],
];

/** Column list of `units`, one per line, for CREATE TABLE. */
export function unitColumns(): string {
  const served = STORED_FIELDS.map((field) => {
    const unit = field.unit === null ? '' : `, ${field.unit}`;
    return `  ${field.name} ${TYPES[field.kind]}, -- ${field.meaning}${unit}`;
  });
  const kept = KEPT_COLUMNS.map(([name, type, meaning]) => `  ${name} ${type}, -- ${meaning}`);
  return [...served, ...kept].join('\n').replace(/,( -- [^\n]*)$/, '$1');
}

/** The select list that fills the served columns of `units`, over the aliases of units.sql. */
export function unitSelectList(): string {
  return STORED_FIELDS.map((field) => `  ${field.source} AS ${field.name}`).join(',\n');
}

/**
 * The hash over everything that is served of a unit. Columns that the table at hand does not have count as NULL: so the
 * rows of an older version are hashed as the present catalogue would have seen them.
 * @param present the columns of the table; all when left out
 */
export function contentHash(present: ReadonlySet<string> | null = null): string {
  const columns = STORED_FIELDS.map(({ name, kind }) =>
    present === null || present.has(name) ? name : `NULL::${TYPES[kind]}`,
  );
  return `hash(${columns.join(', ')})`;
}

/** What a stored hash depends on besides the content: two that differ here cannot be compared. */
export function hashBasis(engineVersion: string): string {
  const columns = createHash('sha256').update(STORED_FIELDS.map(({ name, kind }) => `${name} ${kind}`).join());
  return `duckdb ${engineVersion}, columns ${columns.digest('hex').slice(0, 16)}`;
}

/** Names of all columns of `units`, in order. */
export const UNIT_COLUMN_NAMES: readonly string[] = [
  ...STORED_FIELDS.map(({ name }) => name),
  ...KEPT_COLUMNS.map(([name]) => name),
];
