/** Texts that may hold anything, an address or a name, are not repeated but described. */

const KINDS = [
  ['letters', /\p{L}/u],
  ['digits', /\p{N}/u],
  ['blanks', /\s/u],
  ['punctuation', /[\p{P}\p{S}]/u],
  ['other characters', /[^\p{L}\p{N}\p{P}\p{S}\s]/u],
] as const;

/** Length in UTF-16 code units and kinds of characters, e.g. `17 characters: letters, blanks`. */
export function formOf(text: string): string {
  const kinds = KINDS.flatMap(([kind, pattern]) => (pattern.test(text) ? [kind] : []));
  const length = `${text.length} ${text.length === 1 ? 'character' : 'characters'}`;
  return kinds.length === 0 ? length : `${length}: ${kinds.join(', ')}`;
}
