/**
 * Normalises a text for searching: lower case without accents, ß as ss, one blank between words, control characters as
 * blanks. `muller` then finds Müller, and `STRASSE` Straße. The warehouse folds alike (macro `fold_text` in
 * sql/warehouse/duckdb/macros.sql).
 */
export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFC')
    // Each letter is lowered alone: a capital sigma would otherwise depend on its place in the word.
    .replaceAll(/\p{L}/gu, (letter) => letter.toLowerCase())
    .replaceAll('ß', 'ss')
    .replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replaceAll(/^ | $/g, '');

/** Splits a text into its distinct folded words; a blank text has none. */
export const searchTerms = (text: string): string[] =>
  [...new Set(fold(text).split(' '))].filter((word) => word !== '');
