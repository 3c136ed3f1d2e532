/**
 * A text as the interface compares it when it searches: without case and accents, ß as ss, one blank between words. Hits
 * that are narrowed here are those that the interface would give.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFC')
    .replaceAll(/\p{L}/gu, (letter) => letter.toLowerCase())
    .replaceAll('ß', 'ss')
    .replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replaceAll(/^ | $/g, '');
