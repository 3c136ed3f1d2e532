import { createHash } from 'node:crypto';
import { STAGED_ALIASES } from '../../catalogue/expression.ts';
import type { Kind } from '../../catalogue/field.ts';
import { KEPT_COLUMNS } from '../../catalogue/unit-columns.ts';
import { STORED_FIELDS } from '../../catalogue/unit-fields.ts';

/** The column types of the unit tables in DuckDB, and the statements derived from the catalogue. */

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
  objects: 'VARCHAR',
  carriers: 'UTINYINT',
  signals: 'UINTEGER',
  anomalies: 'UBIGINT',
};

/**
 * Compression of the kinds of which it is known what suits them. The engine tries every method on each column otherwise, which
 * is an eighth of what writing units takes.
 */
const COMPRESSION: Partial<Record<Kind, string>> = { label: 'dictionary', number: 'fsst' };

/**
 * Column list of `units`, one per line, for CREATE TABLE.
 * @param compressed names the compression of columns, for a table that has many rows
 */
export function duckdbUnitColumns({ compressed = false } = {}): string {
  const served = STORED_FIELDS.map(({ name, kind, meaning, unit }) => {
    const method = compressed ? COMPRESSION[kind] : undefined;
    const using = method === undefined ? '' : ` USING COMPRESSION ${method}`;
    return `  ${name} ${TYPES[kind]}${using}, -- ${meaning}${unit === null ? '' : `, ${unit}`}`;
  });
  const kept = KEPT_COLUMNS.map(([name, type, meaning]) => `  ${name} ${type}, -- ${meaning}`);
  return [...served, ...kept].join('\n').replace(/,( -- [^\n]*)$/, '$1');
}

/**
 * The select list that fills the served columns of `units`, over the aliases of units.sql. Each value has the type of its
 * column already, since a hash depends on the type: the next build hashes what the table holds.
 */
export function unitSelectList(): string {
  return STORED_FIELDS.map(({ name, kind, source }) => `  CAST(${source.sql} AS ${TYPES[kind]}) AS ${name}`).join(
    ',\n',
  );
}

/** The records to which a unit may refer, each as a struct of the elements that the unit's fields read; for looked-up.sql. */
export function referencedRecords(): string {
  const { einheit: _, ...referenced } = STAGED_ALIASES;
  return Object.entries(referenced)
    .map(([table, alias]) => {
      const names = new Set(
        STORED_FIELDS.flatMap(({ source }) => source.reads)
          .filter((read) => read.table === table)
          .map(({ name }) => name),
      );
      return `  {${[...names].map((name) => `'${name}': ${alias}.${name}`).join(', ')}} AS ${alias}`;
    })
    .join(',\n');
}

/**
 * The hash over everything that is served of a unit. Columns that the table does not have count as NULL, so that the rows
 * of an older version are hashed by the present catalogue; of times the milliseconds count, which are all that is served and that
 * ClickHouse keeps.
 * @param present the columns of the table; all by default
 * @param row the row, with a point, where it is the argument of a macro
 */
export function contentHash(present: ReadonlySet<string> | null = null, row = ''): string {
  const columns = STORED_FIELDS.map(({ name, kind }) => {
    if (present !== null && !present.has(name)) return `NULL::${TYPES[kind]}`;
    return kind === 'time' ? `date_trunc('milliseconds', ${row}${name})` : `${row}${name}`;
  });
  return `hash(${columns.join(', ')})`;
}

/** Describes what a hash depends on besides the content: hashes of different bases cannot be compared. */
export function hashBasis(engineVersion: string): string {
  const columns = createHash('sha256').update(STORED_FIELDS.map(({ name, kind }) => `${name} ${kind}`).join());
  return `duckdb ${engineVersion}, times in milliseconds, columns ${columns.digest('hex').slice(0, 16)}`;
}
