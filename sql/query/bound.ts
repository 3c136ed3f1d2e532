import { isDay, TOKENS, type WarehouseStatement, type WarehouseValue } from './statement.ts';

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
