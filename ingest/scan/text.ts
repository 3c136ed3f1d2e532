import { AMPERSAND, CARRIAGE_RETURN, HASH, LINE_FEED, SEMICOLON, unitAt } from './characters.ts';

/** Character data of XML 1.0 as UTF-16 code units: references, forbidden characters, line ends. */

/** The longest reference that is looked for, `&` and `;` included: `&#x10FFFF;`, with room for leading zeros. */
const MAX_REFERENCE_LENGTH = 16;

const PREDEFINED: ReadonlyMap<string, number> = new Map([
  ['amp', 0x26],
  ['lt', 0x3c],
  ['gt', 0x3e],
  ['quot', 0x22],
  ['apos', 0x27],
]);

/** Char of XML 1.0, section 2.2. */
const isCharacter = (code: number): boolean =>
  code === 0x9 ||
  code === 0xa ||
  code === 0xd ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff);

export interface Decoded {
  /** Number of code units written; -1 when a reference is not well-formed or not known. */
  length: number;
  /** Characters that XML 1.0 forbids, raw or as a reference; they are left out. */
  forbidden: number;
}

/**
 * Writes the characters of `units[start, end)` to `target` from `at`: references resolved, line ends normalised to LF
 * (XML 1.0, section 2.11), forbidden characters and lone surrogates left out and counted. Never longer than the source.
 */
export function decodeText(
  units: Uint16Array,
  start: number,
  end: number,
  target: Uint16Array,
  at: number,
  references = true,
): Decoded {
  let write = at;
  let forbidden = 0;
  let read = start;
  while (read < end) {
    const unit = unitAt(units, read);
    if (unit === AMPERSAND && references) {
      const close = units.subarray(read, Math.min(end, read + MAX_REFERENCE_LENGTH)).indexOf(SEMICOLON);
      const code = close < 0 ? null : resolveReference(units, read + 1, read + close);
      if (code === null) return { length: -1, forbidden };
      read += close + 1;
      if (!isCharacter(code)) forbidden++;
      else if (code > 0xffff) {
        target[write++] = 0xd800 + ((code - 0x10000) >> 10);
        target[write++] = 0xdc00 + ((code - 0x10000) & 0x3ff);
      } else target[write++] = code;
    } else if (unit === CARRIAGE_RETURN) {
      target[write++] = LINE_FEED;
      read += units[read + 1] === LINE_FEED && read + 1 < end ? 2 : 1;
    } else if (unit >= 0xd800 && unit <= 0xdbff && read + 1 < end && isLowSurrogate(unitAt(units, read + 1))) {
      target[write++] = unit;
      target[write++] = unitAt(units, read + 1);
      read += 2;
    } else {
      if (isCharacter(unit)) target[write++] = unit;
      else forbidden++;
      read++;
    }
  }
  return { length: write - at, forbidden };
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** The code point of a reference whose text between `&` and `;` is given; null when it is none. */
function resolveReference(units: Uint16Array, start: number, end: number): number | null {
  const name = textOf(units, start, end);
  if (units[start] !== HASH) return PREDEFINED.get(name) ?? null;
  const digits = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name);
  if (digits === null) return null;
  const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
  return code <= 0x10ffff ? code : null;
}

/** The code units of `units[start, end)` as a string. */
export function textOf(units: Uint16Array, start: number, end: number): string {
  return Buffer.from(units.buffer, units.byteOffset + start * 2, (end - start) * 2).toString('utf16le');
}

/** The code units of a string. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index);
  return units;
}
