import { described, type Kind } from '../../catalogue/field.ts';
import { COORDINATES, type ColumnEncoding, PROJECTION_COLUMNS } from '../../catalogue/projections.ts';
import { KEPT_COLUMNS, type KeptType } from '../../catalogue/unit-columns.ts';
import { STORED_FIELDS } from '../../catalogue/unit-fields.ts';
import { clickhouseMastrBits } from '../../register/mastr-number.ts';

/** The column types of the unit tables in ClickHouse, and the column lists derived from the catalogue. */

/** Kinds that only kept columns have. */
type KeptKind = 'bits' | 'integers';

/** A column of `units`. */
export interface ClickhouseColumn {
  readonly name: string;
  readonly kind: Kind | KeptKind;
  readonly type: string;
  readonly meaning: string;
}

const TYPES: Record<Kind | KeptKind, string> = {
  number: 'Nullable(String)',
  text: 'Nullable(String)',
  label: 'LowCardinality(Nullable(String))',
  decimal: 'Nullable(Decimal(18, 3))',
  degree: 'Nullable(Decimal(9, 6))',
  integer: 'Nullable(Int32)',
  boolean: 'Nullable(Bool)',
  day: 'Nullable(Int32)', // days since 1970-01-01, see units.sql
  time: 'Nullable(Int64)', // milliseconds since 1970-01-01 UTC
  list: 'Array(String)', // empty = none
  objects: 'Nullable(String)', // JSON text
  carriers: 'Nullable(UInt8)', // bit mask, see sql/catalogue/carriers.ts
  signals: 'UInt32',
  anomalies: 'Nullable(UInt64)',
  bits: 'Int64',
  integers: 'Array(Int32)', // empty = none
};

/** Notes on a kind of value, added to the meaning of the field. */
const NOTATION: Partial<Record<Kind | KeptKind, string>> = {
  day: 'days since 1970-01-01',
  time: 'milliseconds since 1970-01-01 UTC',
  list: 'empty = none',
  carriers: 'a bit each, in the order of sql/catalogue/carriers.ts',
  integers: 'empty = none',
};

/** Columns that every unit has. */
const NEVER_NULL: Readonly<Record<string, string>> = {
  mastrNummer: 'String',
  einheitTyp: 'LowCardinality(String)',
  inhalt: 'UInt64',
  inhaltSeit: 'Int32',
};

/** Free texts and numbers with few distinct values. */
const FEW_VALUES: ReadonlySet<string> = new Set([
  ...['ort', 'plz', 'landkreis', 'gemeinde', 'gemeindeschluessel'],
  ...['netzbetreiber', 'netzbetreiberMastrNummer', 'bilanzierungsgebiet'],
]);

/** The kinds of kept columns by their types in the local file. */
const KEPT_KINDS: Readonly<Record<KeptType, Kind | KeptKind>> = {
  BIGINT: 'bits',
  VARCHAR: 'text',
  INTEGER: 'integer',
  UBIGINT: 'anomalies',
  DATE: 'day',
  UINTEGER: 'signals',
  'INTEGER[]': 'integers',
};

function typeOf(name: string, kind: Kind | KeptKind): string {
  return NEVER_NULL[name] ?? (FEW_VALUES.has(name) ? TYPES.label : TYPES[kind]);
}

/** Every column of `units`, in the order of the local file. */
export const UNIT_COLUMNS: readonly ClickhouseColumn[] = [
  ...STORED_FIELDS.map((field) => ({ name: field.name, kind: field.kind, meaning: described(field) })),
  ...KEPT_COLUMNS.map(([name, type, meaning]) => ({ name, kind: KEPT_KINDS[type], meaning })),
].map(({ name, kind, meaning }) => {
  const notation = NOTATION[kind];
  return {
    name,
    kind,
    type: typeOf(name, kind),
    meaning: notation === undefined ? meaning : `${meaning}; ${notation}`,
  };
});

/** Column list of `units`, one per line, for CREATE TABLE. */
export const clickhouseUnitColumns = (): string =>
  UNIT_COLUMNS.map(
    ({ name, kind, type, meaning }) => declared(name, type, meaning) + (kind === 'number' ? '' : SELDOM_READ_CODEC),
  ).join(',\n');

/** Column list of a projection. */
export const projectionColumns = (): string =>
  projections((column, encoding) => {
    const type = projectionType(column, encoding);
    return declared(column.name, type, column.meaning) + (/Int|Decimal/.test(type) ? NUMBERS_CODEC : '');
  });

/** The columns of coordinates of a projection. */
export const coordinateColumns = (): string =>
  Object.entries(COORDINATES)
    .map(([column, name]) => declared(name, columnNamed(column).type, columnNamed(column).meaning) + NUMBERS_CODEC)
    .join(',\n');

/** The select list that fills a projection from `units`. */
export const projectionSelectList = (): string =>
  projections((column, encoding) => `  ${SELECTED[encoding](column.name)}`);

function columnNamed(name: string): ClickhouseColumn {
  const column = UNIT_COLUMNS.find((candidate) => candidate.name === name);
  if (column === undefined) throw new Error(`units has no column ${name}`);
  return column;
}

function projections(written: (column: ClickhouseColumn, encoding: ColumnEncoding) => string): string {
  const columns = [...PROJECTION_COLUMNS].map(([name, encoding]) => written(columnNamed(name), encoding));
  return columns.join(',\n');
}

function projectionType({ name, type }: ClickhouseColumn, encoding: ColumnEncoding): string {
  if (name === 'mastrNummer') return 'Int64';
  return { own: type, labels: NEVER_NULL[name] ?? TYPES.label, number: 'Nullable(Int64)', presence: 'Nullable(Bool)' }[
    encoding
  ];
}

const SELECTED: Record<ColumnEncoding, (column: string) => string> = {
  own: (column) => column,
  labels: (column) => column,
  number: (column) => `${column === 'mastrNummer' ? 'nummer' : clickhouseMastrBits(`units.${column}`)} AS ${column}`,
  presence: (column) => `if(units.${column} IS NULL, NULL, true) AS ${column}`,
};

/** It takes half the space for twice the time. Numbers are left out, as searches read all of them. */
const SELDOM_READ_CODEC = ' CODEC(ZSTD(1))';

/** It drops the bits that no value of a block has: as fast as none, and a fifth smaller. */
const NUMBERS_CODEC = ' CODEC(T64, LZ4)';

const declared = (name: string, type: string, meaning: string): string =>
  `  ${name} ${type} COMMENT '${meaning.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
