import {
  FLAG_COLUMNS,
  LAST_TEXT,
  PACKED_COLUMNS,
  type PackedEncoding,
  SHARED_COLUMNS,
  sharedBounds,
} from '../../catalogue/packed-columns.ts';
import {
  COORDINATES,
  type ColumnEncoding,
  hasColumn,
  hasCoordinates,
  labelsType,
  OF_SELDOM,
  PROJECTION_COLUMNS,
  PROJECTIONS,
  type Projection,
  SELDOM_FLAGS,
  SELDOM_VALUES,
} from '../../catalogue/projections.ts';
import { fieldNamed } from '../../catalogue/unit-fields.ts';
import { duckdbMastrBits } from '../../register/mastr-number.ts';

/**
 * DuckDB's projections (sql/catalogue/projections.ts): of every unit the columns that a filter, an order or a grouping
 * reads, encoded so that keeping and comparing them is cheap, in several orders. All other values stand in the row file.
 */

/** The columns of projections with their encodings. */
export type PackedColumns = ReadonlyMap<string, PackedEncoding>;

/** The statements that make the projections from `units`. */
export interface ProjectionStatements {
  /** Makes the ENUMs of the texts that occur. */
  readonly types: string;
  /** Makes `units_by_number`, with the ENUMs. */
  readonly byNumber: string;
  /** Make the others from it, in any order. */
  readonly sorted: ReadonlyMap<Projection, string>;
}

/** An ENUM of the projections. */
export interface ProjectionType {
  /** The column, and the name of the ENUM. */
  readonly column: string;
  readonly type: string;
  /** Selects its texts as `text`, from a table with the columns of `units`. */
  readonly textsOf: (units: string) => string;
}

/**
 * The rows of projections in which a version differs from an attached one of the same program.
 * @see ReplacedUnits of a build
 */
interface Replaced {
  /** The database of that version. */
  readonly before: string;
  readonly numbers: string;
  readonly rows: string;
}

/**
 * @param packed the columns of the projections; all by default
 * @param replaced where all other rows are copied: to encode a unit takes three times as long
 */
export function projectionStatements({
  packed = PACKED_COLUMNS,
  replaced,
}: {
  readonly packed?: PackedColumns | undefined;
  readonly replaced?: Replaced | undefined;
} = {}): ProjectionStatements {
  const others = (Object.keys(PROJECTIONS) as Projection[]).filter((table) => table !== 'units_by_number');
  const types = projectionTypes(packed);
  const textsOf = ({ type, textsOf }: ProjectionType): string =>
    replaced === undefined ? textsOf('units') : `${textsBefore(replaced.before, type)} UNION ${textsOf(replaced.rows)}`;
  return {
    types: types.map((one) => enumOf(one.type, textsOf(one))).join(';\n'),
    // A page skips whole blocks, and `units` has the units of a slice together: to sort them would gain next to nothing.
    byNumber: `CREATE TABLE units_by_number AS ${
      replaced === undefined ? rowsByNumber('units', packed) : replacedRows(replaced, types, packed)
    }`,
    sorted: new Map(
      others.map((table) => [table, `CREATE TABLE ${table} AS ${sortedRows(table, 'units_by_number', packed)}`]),
    ),
  };
}

/** Selects the texts of an ENUM of the version before. Some may not occur any more, which does no harm. */
const textsBefore = (before: string, type: string): string =>
  `SELECT unnest(enum_range(NULL::${before}.${type}))::VARCHAR AS text`;

/** Selects the rows of `units_by_number` in the order of those of `units`, which the same rows were replaced in. */
function replacedRows(
  { before, numbers, rows }: Replaced,
  types: readonly ProjectionType[],
  packed: PackedColumns,
): string {
  const labels = types.map(({ column, type }) => `${column}::${type} AS ${column}`).join(', ');
  return `SELECT * REPLACE (${labels}) FROM ${before}.units_by_number ANTI JOIN ${numbers} ON nummer = mastrNummer
    UNION ALL ${rowsByNumber(rows, packed)}`;
}

/** Selects the rows of `units_by_number` from a table with the columns of `units`. */
export const rowsByNumber = (units: string, packed: PackedColumns = PACKED_COLUMNS): string =>
  `SELECT ${selectList(packed)} FROM ${units}`;

/** Selects the rows of another projection from a table with the columns of `units_by_number`. Units of equal keys are in the order of their numbers. */
export function sortedRows(table: Projection, byNumber: string, packed: PackedColumns = PACKED_COLUMNS): string {
  const keys = [...PROJECTIONS[table], 'mastrNummer'].map((name) => `${name} ASC NULLS LAST`).join(', ');
  const own = [...packed].filter(([name, encoding]) => ownColumn(name, encoding) !== null && hasColumn(table, name));
  const shared = [FLAG_COLUMNS, SHARED_COLUMNS].flatMap((lists) => together(lists, packed));
  const coordinates = hasCoordinates(table) ? Object.values(COORDINATES) : [];
  const columns = [...coordinates, ...own.map(([name]) => name), ...shared.map(({ column }) => column)].join(', ');
  const where = table === OF_SELDOM ? `WHERE ${hasSomethingSeldom(packed)} ` : '';
  return `SELECT ${columns} FROM ${byNumber} ${where}ORDER BY ${keys}`;
}

/** The condition that a unit of `units_by_number` has something seldom. */
function hasSomethingSeldom(packed: PackedColumns): string {
  const values = SELDOM_VALUES.filter((name) => packed.has(name)).map((name) => `${name} IS NOT NULL`);
  const flags = together(FLAG_COLUMNS, packed).map(({ column, names }) => {
    const seldom = names.filter((name) => SELDOM_FLAGS.includes(name));
    return `(${column} & ${seldom.reduce((mask, name) => mask + 2 ** bitOf(packed, name), 0)}) <> 0`;
  });
  return [...values, ...flags].join(' OR ');
}

/** The columns of `units_by_number`, from those of `units`. */
function selectList(packed: PackedColumns): string {
  const own = [...packed].flatMap(([name, encoding]) => ownColumn(name, encoding) ?? []);
  const flags = together(FLAG_COLUMNS, packed).map(({ column, names }) => {
    const bits = names.map((name) => `CASE WHEN ${isSet(name)} THEN ${2 ** bitOf(packed, name)} ELSE 0 END`);
    return `(${bits.join(' + ')})::INTEGER AS ${column}`;
  });
  const shared = together(SHARED_COLUMNS, packed).map(({ column, names }) => {
    const labels = names.map((name) => `(${sharedLabel(name)})::${labelsType(column)}`);
    return `coalesce(${labels.join(', ')}) AS ${column}`;
  });
  return [...own, ...flags, ...shared, ...coordinateColumns()].join(', ');
}

/** The column that a column of `units` fills alone; null when it does so together with others. */
function ownColumn(name: string, { as }: PackedEncoding): string | null {
  switch (as) {
    case 'own':
      return name;
    case 'number':
      return numberBits(name);
    case 'labels':
    case 'beginnings':
      return `${name}::${labelsType(name)} AS ${name}`;
    case 'lists':
      return `${name}::VARCHAR::${labelsType(name)} AS ${name}`;
    case 'digest':
      return `md5_number_lower(${name}) AS ${name}`;
    default:
      return null;
  }
}

/** Selects, from `units`, the coordinates as projections have them. */
export const coordinateColumns = (): string[] =>
  Object.entries(COORDINATES).map(([column, name]) => `${column} AS ${name}`);

/** Selects, from `units`, the columns of projections each for itself and not packed, as ClickHouse has them. */
export const unpackedColumns = (): string =>
  [...PROJECTION_COLUMNS].map(([name, encoding]) => unpackedColumn(name, encoding)).join(', ');

function unpackedColumn(name: string, encoding: ColumnEncoding): string {
  switch (encoding) {
    case 'presence':
      return `CASE WHEN ${name} IS NOT NULL THEN true END AS ${name}`;
    case 'number':
      return numberBits(name);
    default:
      return name;
  }
}

const numberBits = (name: string): string => `${name === 'mastrNummer' ? 'nummer' : duckdbMastrBits(name)} AS ${name}`;

/** The columns that several columns of `units` fill, as far as any of these is packed. */
const together = (
  lists: Readonly<Record<string, readonly string[]>>,
  packed: PackedColumns,
): { column: string; names: readonly string[] }[] =>
  Object.entries(lists)
    .map(([column, names]) => ({ column, names: names.filter((name) => packed.has(name)) }))
    .filter(({ names }) => names.length > 0);

/** The condition under which a unit has the flag of a column. */
export const isSet = (name: string): string => (fieldNamed(name).kind === 'boolean' ? name : `${name} IS NOT NULL`);

function bitOf(packed: PackedColumns, name: string): number {
  const encoding = packed.get(name);
  if (encoding?.as !== 'flag') throw new Error(`${name} has no bit`);
  return encoding.bit;
}

const sharedLabel = (name: string): string => `'${sharedBounds(name).from}' || ${name}`;

/** The ENUMs of the texts that occur. */
export function projectionTypes(packed: PackedColumns = PACKED_COLUMNS): ProjectionType[] {
  const own = [...packed].flatMap(([name, { as }]) =>
    textsOf(name, as, 'units') === null
      ? []
      : [{ column: name, type: labelsType(name), textsOf: (units: string) => textsOf(name, as, units) ?? '' }],
  );
  const shared = together(SHARED_COLUMNS, packed).map(({ column, names }) => ({
    column,
    type: labelsType(column),
    textsOf: (units: string) =>
      names
        .map((name) => {
          const { from, below } = sharedBounds(name);
          return `SELECT DISTINCT ${sharedLabel(name)} AS text FROM ${units} WHERE ${name} IS NOT NULL UNION VALUES ('${from}'), ('${below}')`;
        })
        .join(' UNION '),
  }));
  return [...own, ...shared];
}

/** The statement that makes an ENUM of texts, in order. @param texts selects them */
const enumOf = (type: string, texts: string): string =>
  `CREATE TYPE ${type} AS ENUM (${texts} UNION SELECT '' ORDER BY ALL)`;

/** Selects the texts of an ENUM; null when the column is none. */
function textsOf(name: string, as: PackedEncoding['as'], units: string): string | null {
  const distinct = `SELECT DISTINCT ${name} AS text FROM ${units} WHERE ${name} IS NOT NULL`;
  switch (as) {
    case 'labels':
      return distinct;
    case 'lists':
      return `SELECT text::VARCHAR AS text FROM (${distinct})`;
    case 'beginnings': {
      const beginnings = `SELECT DISTINCT left(text, length::INTEGER) AS text FROM (${distinct}), unnest(range(1, length(text) + 1)) AS lengths (length)`;
      return `SELECT unnest([text, text || '${LAST_TEXT}']) AS text FROM (${beginnings})`;
    }
    default:
      return null;
  }
}
