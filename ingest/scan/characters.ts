/** UTF-16 code units with a meaning for the scanner. */

export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
/** All code units up to this one are white space, or forbidden in XML. */
export const SPACE = 0x20;
export const EXCLAMATION = 0x21;
export const QUOTE = 0x22;
export const HASH = 0x23;
export const AMPERSAND = 0x26;
export const APOSTROPHE = 0x27;
export const SLASH = 0x2f;
export const SEMICOLON = 0x3b;
export const LESS = 0x3c;
export const GREATER = 0x3e;
export const QUESTION = 0x3f;
export const BYTE_ORDER_MARK = 0xfeff;

/**
 * The code unit at an index of the text.
 * @throws RangeError beyond its end
 */
export function unitAt(units: Uint16Array, index: number): number {
  return units[index] ?? beyondEnd(units, index);
}

/** Apart from its caller, which is inlined into the scanner's loops because it is small. */
function beyondEnd({ length }: Uint16Array, index: number): never {
  throw new RangeError(`A text of ${length} code units has none at ${index}`);
}
