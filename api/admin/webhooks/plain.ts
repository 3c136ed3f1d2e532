/** Returns a text of strangers for a terminal, in one line: control characters could write over what stands there. */
export const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
