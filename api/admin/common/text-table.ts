/** Text for people in aligned columns. */

export type Cell = string | number | null;

/** Returns a text of strangers for a terminal, in one line: control characters could write over what stands there. */
export const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();

const shown = (cell: Cell): string => (typeof cell === 'string' ? plain(cell) : String(cell ?? '-'));

/** Rows under their headings; numbers are aligned to the right, null is `-`. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [headings, ...rows].map((row) => row.map(shown));
  const columns = headings.map((_, column) => ({
    width: Math.max(...lines.map((line) => width(line[column] ?? ''))),
    isNumeric: rows.some((row) => typeof row[column] === 'number'),
  }));
  const formatted = lines.map((line) =>
    columns.map((column, index) => {
      const text = line[index] ?? '';
      const blanks = ' '.repeat(column.width - width(text));
      return column.isNumeric ? blanks + text : text + blanks;
    }),
  );
  return formatted.map((line) => line.join('  ').trimEnd()).join('\n');
}

/** The columns of a table by their headings: a member of the row, a time where its name ends in `At`, or what is made of the row. */
export type Columns<Row> = Readonly<Record<string, keyof Row | ((row: Row) => Cell)>>;

const cellOf = <Row>(row: Row, column: Columns<Row>[string]): Cell => {
  if (typeof column === 'function') return column(row);
  const value = row[column] as Cell;
  return String(column).endsWith('At') ? moment(value as string | null) : value;
};

/** Shows a list as a table, and says something else where there is nothing. */
export const listing =
  <Row>(none: string, columns: Columns<Row>) =>
  (rows: readonly Row[]): string => {
    const cells = (row: Row) => Object.values(columns).map((column) => cellOf(row, column));
    return rows.length === 0 ? none : table(Object.keys(columns), rows.map(cells));
  };

/** Shows one thing with each of its columns on a line. */
export const described =
  <Row>(columns: Columns<Row>) =>
  (row: Row): string =>
    nameValueLines(Object.entries(columns).map(([name, column]) => [name, cellOf(row, column)]));

/** Names and values, one line each. */
export const nameValueLines = (entries: readonly (readonly [name: string, value: Cell])[]): string =>
  entries.map(([name, value]) => `${name.padEnd(width(longest(entries)))}  ${shown(value)}`).join('\n');

const longest = (entries: readonly (readonly [string, Cell])[]): string =>
  entries.reduce((long, [name]) => (name.length > long.length ? name : long), '');

/** Counts characters instead of code units, since names have characters beyond 16 bits. */
const width = (text: string): number => [...text].length;

/** Joins words: `a, b`. An empty list becomes `none`, and a list of everything in `all` becomes `all 7`. */
export function joined(list: readonly string[], all: readonly string[] = []): string {
  if (list.length === 0) return 'none';
  return list.length === all.length && all.every((word) => list.includes(word)) ? `all ${all.length}` : list.join(', ');
}

/** Values of a list, characters of a filter and of all of them, that a line has room for. */
const FEW_VALUES = 2;
const FEW_OF_ONE = 60;
const FEW_OF_ALL = 140;

/**
 * Unit filters on a line: `einheitTyp wind, solar; leistungMinKw 3000`. What is too long for one says how much more there is,
 * so that nobody takes it for the whole, which `--json` has.
 */
export function criteriaLine(criteria: Readonly<Record<string, unknown>>): string {
  const filters = Object.entries(criteria).map(([name, value]) => cut(`${name} ${valueText(value)}`, FEW_OF_ONE));
  const [first = '', ...others] = filters;
  let line = first;
  for (const [index, part] of others.entries()) {
    const longer = `${line}; ${part}`;
    if (width(longer) > FEW_OF_ALL) return `${line}; … (${others.length - index} more)`;
    line = longer;
  }
  return line;
}

function valueText(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const shown = value.slice(0, FEW_VALUES).map(valueText).join(', ');
  return value.length > FEW_VALUES ? `${shown} … (${value.length})` : shown;
}

const cut = (text: string, most: number): string =>
  width(text) <= most ? text : `${[...text].slice(0, most - 1).join('')}…`;

/** A time to the minute; null stays null. */
export const moment = (time: string | null): string | null =>
  time === null ? null : `${time.slice(0, 16).replace('T', ' ')} UTC`;

/** An answer of the interface: a list is a table, an object its members one by one; `meta` says what else has happened. */
export function printed(data: unknown, { hinweise: _, ...meta }: { readonly hinweise?: unknown }): string {
  if (Array.isArray(data)) {
    const rows = data as readonly Readonly<Record<string, unknown>>[];
    const names = Object.keys(rows[0] ?? {}).filter((name) => rows.some((row) => row[name] !== null));
    const short = (value: unknown): Cell => cell(value, (object) => criteriaLine({ ...object }), moment);
    const lines = rows.map((row) => names.map((name) => short(row[name])));
    return rows.length === 0 ? 'None' : table(names, lines);
  }
  const members = Object.entries({ ...(data as object | null), ...meta });
  return nameValueLines(members.map(([name, value]) => [name, cell(value)] as const));
}

/** Tables are short: @param write writes an object, @param time a time */
function cell(
  value: unknown,
  write: (value: object) => string = JSON.stringify,
  time: (value: string) => string | null = String,
): Cell {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? time(value) : value;
  if (value === null || typeof value === 'number') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ') || null;
  return typeof value === 'object' && !Array.isArray(value) ? write(value) || null : JSON.stringify(value);
}
