/**
 * Puts other sources in the place of tables that a statement names: what of it is quoted, or a comment, stays as it is.
 * @param sourceOf returns the SELECT of what stands for a table; null for a table that stays
 * @throws Error when such a table is named in another way, as the statement would read two states at once
 */
export const withSources = (text: string, sourceOf: (table: string) => string | null): string =>
  text.replace(PARTS, (part, word?: string, table?: string, alias?: string, other?: string) => {
    if (other !== undefined && sourceOf(other) !== null)
      throw new Error(`${other} stands neither after FROM nor after JOIN: ${text}`);
    const source = table === undefined ? null : sourceOf(table);
    return source === null ? part : `${word} (${source})${alias ?? ` AS ${table}`}`;
  });

/** Quoted text, comments, names of columns and aliases; tables; other words. */
const PARTS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\b\w+\.|\bAS \w+\b|\b(FROM|JOIN)\s+(\w+)\b(\s+AS\s+\w+)?|\b([a-z]\w*)\b/g;
