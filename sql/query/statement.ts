/**
 * A statement of the warehouse and the values of its named parameters (`$p0`, `$stichtag` …). The text never contains a
 * value; each engine takes them in its own way (`withLiterals`, `withQueryParams`).
 */
export interface WarehouseStatement {
  readonly text: string;
  readonly values: Readonly<Record<string, WarehouseValue>>;
  /** True for rows in the order of a sorted table: it is read as far as they reach, where no second thread reads ahead. */
  readonly readsInOrder?: boolean;
}

export type WarehouseValue = string | number | boolean | null | readonly string[] | Day;

/** A calendar day, YYYY-MM-DD, that compares with columns of days. */
interface Day {
  readonly day: string;
}

const isDay = (value: WarehouseValue): value is Day => typeof value === 'object' && value !== null && 'day' in value;

/** Matches parameters, and the texts, quoted names and comments in which a dollar sign begins none. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\$(\w+)/g;

/** Names values p0, p1, … in the order in which they are bound, so that equal requests give equal statements. */
export interface Binder {
  /** Binds a value and returns its placeholder. */
  bind(value: WarehouseValue): string;
  readonly values: Readonly<Record<string, WarehouseValue>>;
}

/** @param fixed values of parameters that have a name of their own, such as `today` */
export function binder(fixed: Readonly<Record<string, WarehouseValue>> = {}): Binder {
  const values: Record<string, WarehouseValue> = { ...fixed };
  let next = 0;
  return {
    values,
    bind(value) {
      const name = `p${next++}`;
      values[name] = value;
      return `$${name}`;
    },
  };
}

/**
 * Writes a statement as one text, with its values as literals. DuckDB plans a statement with parameters twice, the second
 * time with their values, which it needs to choose the blocks to skip; a page then takes twice as long.
 *
 * This is the only place where values become text. Each literal has the type that a bound value would have.
 */
export function withLiterals({ text, values }: WarehouseStatement): string {
  return text.replace(TOKENS, (token, name: string | undefined) => {
    if (name === undefined) return token;
    const value = values[name];
    if (value === undefined) throw new Error(`The statement has no value for $${name}:\n${text}`);
    return literal(value);
  });
}

function literal(value: WarehouseValue): string {
  switch (typeof value) {
    case 'string':
      return textLiteral(value);
    case 'number':
      return numberLiteral(value);
    case 'boolean':
      return String(value);
    default:
      if (value !== null && isDay(value)) return `CAST(${textLiteral(value.day)} AS DATE)`;
      return value === null ? 'NULL' : listLiteral(value);
  }
}

/** Longer lists are written as one text: the engine would take longer to plan so many literals than to use them. */
const LONG = 100;
/** The character that separates units in ASCII. */
const SEPARATOR = '\u001f';

/** Literals of long lists: an evaluation of alerts asks many statements about the same twenty thousand units. */
const longLiterals = new WeakMap<readonly string[], string>();

function listLiteral(items: readonly string[]): string {
  const known = longLiterals.get(items);
  if (known !== undefined) return known;
  const asOne = items.length > LONG && !items.some((item) => item.includes(SEPARATOR));
  const written = asOne
    ? `string_split(${textLiteral(items.join(SEPARATOR))}, chr(31))`
    : `CAST([${items.map(textLiteral).join(', ')}] AS VARCHAR[])`;
  if (items.length > LONG) longLiterals.set(items, written);
  return written;
}

/** The engine reads the character NUL as the end of the statement. */
const textLiteral = (text: string): string =>
  `CAST(${text
    .split('\0')
    .map((part) => `'${part.replaceAll("'", "''")}'`)
    .join(' || chr(0) || ')} AS VARCHAR)`;

function numberLiteral(number: number): string {
  if (!Number.isFinite(number)) throw new Error(`${number} cannot be written as a literal`);
  return `CAST('${number}' AS DOUBLE)`;
}

/** A statement for ClickHouse: placeholders with their types, and the values. */
export interface ClickHouseQuery {
  readonly query: string;
  readonly query_params: Record<string, unknown>;
}

/** Turns `$p0` into `{p0:String}`, with the type of the value. NULL has no type, so it is written into the text. */
export function withQueryParams({ text, values }: WarehouseStatement): ClickHouseQuery {
  const params: Record<string, unknown> = {};
  const query = text.replace(TOKENS, (token, name: string | undefined) => {
    if (name === undefined) return token;
    const value = values[name];
    if (value === undefined) throw new Error(`The statement has no value for $${name}:\n${text}`);
    if (value === null) return 'NULL';
    params[name] = isDay(value) ? dayNumber(value.day) : value;
    return `{${name}:${typeOf(value)}}`;
  });
  return { query, query_params: params };
}

function typeOf(value: NonNullable<WarehouseValue>): string {
  switch (typeof value) {
    case 'string':
      return 'String';
    case 'boolean':
      return 'Bool';
    case 'number':
      return Number.isInteger(value) ? 'Int64' : 'Float64';
    default:
      return isDay(value) ? 'Int32' : 'Array(String)';
  }
}

const DAY_MILLISECONDS = 86_400_000;

/** Days since 1970-01-01, the form in which days are stored. */
const dayNumber = (day: string): number => Date.parse(day) / DAY_MILLISECONDS;
