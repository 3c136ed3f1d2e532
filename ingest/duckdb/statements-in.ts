/** A line that ends a statement: with a semicolon that stands in no comment. */
const LAST_LINE = /^(?:(?!--).)*;[ \t]*$/gm;

const NOTHING = /^(?:\s|--.*)*$/;

/** Takes the text of SQL files apart. A statement there ends where a line does; no text within one has such an end. */
export function statementsIn(sql: string): string[] {
  const ends = [...sql.matchAll(LAST_LINE)].map((line) => line.index + line[0].length);
  const parts = [...ends, sql.length].map((end, index) => sql.slice(ends[index - 1] ?? 0, end));
  return parts.filter((part) => !NOTHING.test(part));
}
