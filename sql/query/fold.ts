/**
 * A text as it is searched: small letters without accents, ß as ss, one blank between words, control characters as
 * blanks. So `muller` finds Müller, and `STRASSE` Straße. The warehouse folds alike (macro `falten` in
 * sql/warehouse/duckdb/macros.sql).
 */
export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFC')
    // Letter by letter, so that none depends on its neighbours, as a capital sigma at the end of a word does.
    .replaceAll(/\p{L}/gu, (letter) => letter.toLowerCase())
    .replaceAll('ß', 'ss')
    .replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replaceAll(/^ | $/g, '');

/** The words of a text, folded, each once: what stands between blanks. None where the text is blank. */
export const searchTerms = (text: string): string[] =>
  [...new Set(fold(text).split(' '))].filter((word) => word !== '');
