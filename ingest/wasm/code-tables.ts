/** The tables by which the symbols of a deflate stream are decoded (RFC 1951, section 3.2), for inflate.ts. */

/** Addresses of the tables, and of what they are made from. */
export const LITERALS: usize = 0x100;
export const DISTANCES: usize = 0x3000;
export const LENGTH_CODES: usize = 0x4000;
export const LENGTHS: usize = 0x5000;
const SORTED: usize = 0x5200;
const COUNTS: usize = 0x5600;
const OFFSETS: usize = 0x5700;

/**
 * An entry of a table: bits of the code (0 to 7), extra bits or bits of the subtable (8 to 12), what it is (13 to 15), and the
 * literal, the base of a length or distance, or the index of the subtable (16 to 31).
 */
export const LITERAL: u32 = 0x2000;
export const SUBTABLE: u32 = 0x4000;
export const OTHER: u32 = 0x8000;
export const END_OF_BLOCK: u32 = OTHER | 0x10000;
const INVALID: u32 = OTHER;

export const LITERAL_BITS: i32 = 11;
export const DISTANCE_BITS: i32 = 9;
export const LENGTH_CODE_BITS: i32 = 7;
const MAX_CODE_BITS: i32 = 15;

/** The meaning of a code of the table, without the bits of the code. */
function entryOf(table: usize, symbol: i32): u32 {
  if (table === LENGTH_CODES) return LITERAL | (symbol << 16);
  if (table === DISTANCES) {
    if (symbol >= 30) return INVALID;
    if (symbol < 4) return (symbol + 1) << 16;
    const extra = (symbol >> 1) - 1;
    return (extra << 8) | ((1 + ((2 + (symbol & 1)) << extra)) << 16);
  }
  if (symbol < 256) return LITERAL | (symbol << 16);
  if (symbol === 256) return END_OF_BLOCK;
  if (symbol === 285) return 258 << 16;
  if (symbol > 285) return INVALID;
  const index = symbol - 257;
  if (index < 8) return (index + 3) << 16;
  const extra = (index >> 2) - 1;
  return (extra << 8) | ((3 + ((4 + (index & 3)) << extra)) << 16);
}

/**
 * Makes the table that decodes symbols with codes of these lengths. It is indexed by the next `tableBits` bits; longer codes
 * go on in subtables behind it.
 * @returns false when the codes are too many, or too few unless there is a single one
 */
export function buildTable(table: usize, tableBits: i32, symbols: i32, lengths: usize): bool {
  memory.fill(COUNTS, 0, 64);
  for (let symbol = 0; symbol < symbols; symbol++) addTo(COUNTS, load<u8>(lengths + symbol), 1);
  let longest: i32 = MAX_CODE_BITS;
  while (longest > 0 && countOf(longest) === 0) longest--;
  let left: i32 = 1;
  let before: i32 = 0;
  for (let length = 1; length <= MAX_CODE_BITS; length++) {
    left = (left << 1) - countOf(length);
    if (left < 0) return false;
    store<i32>(OFFSETS + ((<usize>length) << 2), before);
    before += countOf(length);
  }
  if (left > 0 && longest > 0 && (longest > 1 || table === LENGTH_CODES)) return false;
  for (let symbol = 0; symbol < symbols; symbol++) {
    const length = load<u8>(lengths + symbol);
    if (length === 0) continue;
    store<u16>(SORTED + ((<usize>load<i32>(OFFSETS + ((<usize>length) << 2))) << 1), <u16>symbol);
    addTo(OFFSETS, length, 1);
  }
  const size = 1 << tableBits;
  if (left > 0) for (let index = 0; index < size; index++) put(table, index, INVALID | 1);
  let sorted = SORTED;
  let code: i32 = 0;
  let behind = size;
  let prefix: i32 = -1;
  let subtable: i32 = 0;
  let subtableBits: i32 = 0;
  for (let length = 1; length <= longest; length++) {
    for (let left = countOf(length); left > 0; left--) {
      const entry = entryOf(table, load<u16>(sorted));
      sorted += 2;
      const reversed = reverse(code, length);
      code++;
      if (length <= tableBits) {
        for (let index = reversed; index < size; index += 1 << length) put(table, index, entry | length);
        continue;
      }
      if ((reversed & (size - 1)) !== prefix) {
        prefix = reversed & (size - 1);
        subtable = behind;
        subtableBits = bitsOfSubtable(length, left, longest, tableBits);
        behind += 1 << subtableBits;
        put(table, prefix, SUBTABLE | (subtable << 16) | (subtableBits << 8) | tableBits);
      }
      const rest = length - tableBits;
      for (let index = reversed >> tableBits; index < 1 << subtableBits; index += 1 << rest) {
        put(table, subtable + index, entry | rest);
      }
    }
    code <<= 1;
  }
  return true;
}

/** The bits of a subtable whose first code has the length, of which `left` codes are left. */
function bitsOfSubtable(length: i32, left: i32, longest: i32, tableBits: i32): i32 {
  let bits = length - tableBits;
  let room = (1 << bits) - left;
  while (room > 0 && bits + tableBits < longest) {
    bits++;
    room = (room << 1) - countOf(bits + tableBits);
  }
  return bits;
}

function countOf(length: i32): i32 {
  return load<i32>(COUNTS + ((<usize>length) << 2));
}

function addTo(numbers: usize, index: i32, value: i32): void {
  const at = numbers + ((<usize>index) << 2);
  store<i32>(at, load<i32>(at) + value);
}

function put(table: usize, index: i32, entry: u32): void {
  store<u32>(table + ((<usize>index) << 2), entry);
}

function reverse(code: i32, length: i32): i32 {
  let reversed: i32 = 0;
  for (let bit = 0; bit < length; bit++) reversed = (reversed << 1) | ((code >> bit) & 1);
  return reversed;
}
