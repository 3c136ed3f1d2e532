import { isDay, TOKENS, type WarehouseStatement, type WarehouseValue } from './statement.ts';

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
