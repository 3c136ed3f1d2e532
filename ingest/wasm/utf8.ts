/** Texts of the register as UTF-8, for columns.ts. */

const SPACE: u16 = 0x20;
const NO_BREAK: u16 = 0xa0;
const FULL_WIDTH_AMPERSAND: u16 = 0xff06;

export function isBlank(unit: u16): bool {
  return unit <= SPACE || unit === NO_BREAK;
}

/**
 * Writes code units as UTF-8 to `target` and returns the address behind them, where up to a vector may be overwritten. Runs
 * of white space become one blank, U+FF06 becomes `&`. There are no lone surrogates.
 */
export function putUnits(start: usize, end: usize, target: usize): usize {
  let to = target;
  let at = start;
  while (at < end) {
    const units = v128.load(at);
    const rest = min<usize>((end - at) >> 1, 8);
    const others = i16x8.bitmask(v128.or(i16x8.le_u(units, i16x8.splat(SPACE)), i16x8.ge_u(units, i16x8.splat(0x80))));
    const plain = min<usize>(<usize>ctz(others | 0x100), rest);
    v128.store64_lane(to, i8x16.narrow_i16x8_u(units, units), 0);
    to += plain;
    at += plain << 1;
    if (plain === rest) continue;
    const unit = load<u16>(at);
    at += 2;
    if (isBlank(unit)) {
      if (to === target || load<u8>(to - 1) !== SPACE) store<u8>(to++, <u8>SPACE);
    } else if (unit === FULL_WIDTH_AMPERSAND) {
      store<u8>(to++, 0x26);
    } else if (unit < 0x800) {
      store<u8>(to++, <u8>(0xc0 | (unit >> 6)));
      store<u8>(to++, <u8>(0x80 | (unit & 0x3f)));
    } else if (unit >= 0xd800 && unit <= 0xdbff) {
      const code: u32 = 0x10000 + ((<u32>unit - 0xd800) << 10) + (<u32>load<u16>(at) - 0xdc00);
      at += 2;
      store<u8>(to++, <u8>(0xf0 | (code >> 18)));
      store<u8>(to++, <u8>(0x80 | ((code >> 12) & 0x3f)));
      store<u8>(to++, <u8>(0x80 | ((code >> 6) & 0x3f)));
      store<u8>(to++, <u8>(0x80 | (code & 0x3f)));
    } else {
      store<u8>(to++, <u8>(0xe0 | (unit >> 12)));
      store<u8>(to++, <u8>(0x80 | ((unit >> 6) & 0x3f)));
      store<u8>(to++, <u8>(0x80 | (unit & 0x3f)));
    }
  }
  return to;
}
