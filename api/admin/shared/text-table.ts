/** Text for people: columns that stand below each other. */

export type Cell = string | number | null;

/** Rows under their headings; numbers stand at the right, null is `-`. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [headings, ...rows].map((row) => row.map((cell) => String(cell ?? '-')));
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => width(line[column]!))));
  const toTheRight = headings.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  const align = (text: string, column: number): string => {
    const blanks = ' '.repeat(widths[column]! - width(text));
    return toTheRight[column] ? blanks + text : text + blanks;
  };
  return lines.map((line) => line.map(align).join('  ').trimEnd()).join('\n');
}

/** Names and values, a line each. */
export const list = (entries: readonly (readonly [name: string, value: Cell])[]): string =>
  entries.map(([name, value]) => `${name.padEnd(width(longest(entries)))}  ${value ?? '-'}`).join('\n');

const longest = (entries: readonly (readonly [string, Cell])[]): string =>
  entries.reduce((long, [name]) => (name.length > long.length ? name : long), '');

/** Characters, not code units: names have umlauts, and more. */
const width = (text: string): number => [...text].length;

/** Several words as one: `a, b`; none is `none`, and all of those there are `all 7`. */
export function words(list: readonly string[], all: readonly string[] = []): string {
  if (list.length === 0) return 'none';
  return list.length === all.length && all.every((word) => list.includes(word)) ? `all ${all.length}` : list.join(', ');
}

/** `1 key`, `2 keys`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;

/** A moment to the minute; null = never. */
export const moment = (time: string | null): string | null =>
  time === null ? null : `${time.slice(0, 16).replace('T', ' ')} UTC`;
