import { isDay, TOKENS, type WarehouseStatement, type WarehouseValue } from './statement.ts';

/** A statement as ClickHouse takes it: placeholders that name their type, and the values beside the text. */
export interface ClickHouseQuery {
  readonly query: string;
  readonly query_params: Record<string, unknown>;
}

/** `$p0` becomes `{p0:String}`, or what else the value is. NULL has no type of its own, so it stands in the text. */
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

/** Days since 1970-01-01, as the columns of days hold them. */
const dayNumber = (day: string): number => Date.parse(day) / DAY_MILLISECONDS;
