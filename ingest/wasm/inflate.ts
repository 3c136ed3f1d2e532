/**
 * Inflates a member (RFC 1951) in pieces. This is AssemblyScript; `npm run wasm` compiles it to inflate.wasm, and archive/inflate.ts
 * calls it. The packed bytes come in parts of any length, and the unpacked ones leave in pieces: reading stops between two
 * symbols when either side has to act, and goes on there.
 */

import {
  buildTable,
  DISTANCE_BITS,
  DISTANCES,
  END_OF_BLOCK,
  LENGTH_CODE_BITS,
  LENGTH_CODES,
  LENGTHS,
  LITERAL,
  LITERAL_BITS,
  LITERALS,
  OTHER,
  SUBTABLE,
} from './code-tables';

/** Results of a step. */
const NEEDS_INPUT: i32 = 0;
const PIECE: i32 = 1;
const DONE: i32 = 2;
const BROKEN: i32 = 3;

/** Addresses of the packed bytes, and of the unpacked ones, behind the tables. */
const INPUT: usize = 0x8000;
const INPUT_BYTES: usize = 0x18000;
const OUTPUT: usize = 0x20100;
/** Bytes that a match may reach back. */
const WINDOW: usize = 0x8000;
const PIECE_BYTES: usize = 0x40000;
const PIECE_AT: usize = OUTPUT + WINDOW;
const PIECE_END: usize = PIECE_AT + PIECE_BYTES;

const LITERAL_MASK: usize = (1 << LITERAL_BITS) - 1;
const DISTANCE_MASK: usize = (1 << DISTANCE_BITS) - 1;

/** Packed bytes within which a symbol, and the header of a block, always ends. */
const SYMBOL_BYTES: usize = 16;
const HEADER_BYTES: usize = 512;

const BETWEEN_BLOCKS: i32 = 0;
const STORED: i32 = 1;
const COMPRESSED: i32 = 2;

let bits: u64 = 0;
let bitCount: i32 = 0;
let next: usize = INPUT;
let end: usize = INPUT;
let final: bool = false;

let out: usize = PIECE_AT;
/** The first byte that has not left yet, and the first one that a match may reach. */
let unread: usize = PIECE_AT;
let oldest: usize = PIECE_AT;

let state: i32 = BETWEEN_BLOCKS;
let isLast: bool = false;
let storedLeft: usize = 0;

export function reset(): void {
  bits = 0;
  bitCount = 0;
  next = INPUT;
  end = INPUT;
  final = false;
  out = PIECE_AT;
  unread = PIECE_AT;
  oldest = PIECE_AT;
  state = BETWEEN_BLOCKS;
  isLast = false;
}

/** The place of the next packed bytes, after NEEDS_INPUT or `reset`. */
export function inputAt(): usize {
  giveBack();
  memory.copy(INPUT, next, end - next);
  end = INPUT + (end - next);
  next = INPUT;
  return end;
}

/** Number of them for which there is room. */
export function inputRoom(): usize {
  return INPUT + INPUT_BYTES - SYMBOL_BYTES * 2 - end;
}

/** Says that so many packed bytes were written there, and whether they are the last. */
export function feed(bytes: usize, areLast: bool): void {
  end += bytes;
  final = areLast;
  // The end is looked at only now and then, so that reading goes a little beyond it.
  memory.fill(end, 0, SYMBOL_BYTES * 2);
}

/** The beginning of the piece that is ready after PIECE or DONE. */
export function pieceAt(): usize {
  return unread;
}

/** Bytes of the piece. A code unit of two bytes is not cut. */
export function pieceBytes(): usize {
  return state === BETWEEN_BLOCKS && isLast ? out - unread : (out - unread) & ~1;
}

/** Goes on; a piece that was ready is gone. */
export function inflate(): i32 {
  if (out >= PIECE_END) slide();
  while (true) {
    if (state === COMPRESSED) {
      const result = readSymbols();
      if (result !== DONE) return result;
    } else if (state === STORED) {
      const result = copyStored();
      if (result !== DONE) return result;
    } else if (isLast) {
      return next - (<usize>bitCount >> 3) > end ? BROKEN : DONE;
    }
    state = BETWEEN_BLOCKS;
    if (isLast) continue;
    // Stored bytes can end where the piece does: it has to leave before the next call makes room for another.
    if (out >= PIECE_END) return PIECE;
    if (!final && next + HEADER_BYTES > end) return NEEDS_INPUT;
    if (next > end + SYMBOL_BYTES) return BROKEN;
    if (!beginBlock()) return BROKEN;
  }
}

/** Keeps of what has left only as much as matches may reach. */
function slide(): void {
  unread += (out - unread) & ~1;
  const by = unread - PIECE_AT;
  memory.copy(OUTPUT, unread - WINDOW, WINDOW + (out - unread));
  oldest = max(oldest, OUTPUT + by) - by;
  out -= by;
  unread -= by;
}

function refill(): void {
  bits |= load<u64>(next) << bitCount;
  next += (63 - bitCount) >> 3;
  bitCount |= 56;
}

/** Gives whole bytes back that are not needed yet: stored ones are read from where they are. */
function giveBack(): void {
  next -= bitCount >> 3;
  bitCount &= 7;
  bits &= (1 << bitCount) - 1;
}

function take(count: i32): u32 {
  refill();
  const value = <u32>bits & ((1 << count) - 1);
  bits >>= count;
  bitCount -= count;
  return value;
}

function beginBlock(): bool {
  isLast = take(1) !== 0;
  const kind = take(2);
  if (kind === 0) return beginStored();
  if (kind === 3) return false;
  state = COMPRESSED;
  return kind === 1 ? useFixedCodes() : readCodes();
}

function beginStored(): bool {
  const odd = bitCount & 7;
  bits >>= odd;
  bitCount -= odd;
  const length = take(16);
  if (take(16) !== (length ^ 0xffff)) return false;
  giveBack();
  storedLeft = length;
  state = STORED;
  return true;
}

function copyStored(): i32 {
  while (storedLeft > 0) {
    if (out >= PIECE_END) return PIECE;
    if (next >= end) return final ? BROKEN : NEEDS_INPUT;
    const count = min(storedLeft, min(end - next, PIECE_END - out));
    memory.copy(out, next, count);
    out += count;
    next += count;
    storedLeft -= count;
  }
  return DONE;
}

function useFixedCodes(): bool {
  memory.fill(LENGTHS, 8, 144);
  memory.fill(LENGTHS + 144, 9, 112);
  memory.fill(LENGTHS + 256, 7, 24);
  memory.fill(LENGTHS + 280, 8, 8);
  buildTable(LITERALS, LITERAL_BITS, 288, LENGTHS);
  memory.fill(LENGTHS, 5, 32);
  buildTable(DISTANCES, DISTANCE_BITS, 32, LENGTHS);
  return true;
}

/** The code of lengths whose own length comes at this place. */
function lengthCodeAt(index: i32): usize {
  if (index < 3) return 16 + index;
  if (index === 3) return 0;
  return index & 1 ? 8 - ((index - 3) >> 1) : 8 + ((index - 4) >> 1);
}

/** Reads the codes that stand before a block. */
function readCodes(): bool {
  const literals = <usize>take(5) + 257;
  const total = literals + <usize>take(5) + 1;
  const codes = <i32>take(4) + 4;
  if (literals > 286 || total - literals > 30) return false;
  memory.fill(LENGTHS, 0, 19);
  for (let index = 0; index < codes; index++) store<u8>(LENGTHS + lengthCodeAt(index), <u8>take(3));
  if (!buildTable(LENGTH_CODES, LENGTH_CODE_BITS, 19, LENGTHS)) return false;
  let at: usize = 0;
  while (at < total) {
    refill();
    const entry = load<u32>(LENGTH_CODES + ((<usize>bits & ((1 << LENGTH_CODE_BITS) - 1)) << 2));
    if (entry & OTHER) return false;
    take(entry & 0xff);
    const symbol = entry >>> 16;
    if (symbol < 16) {
      store<u8>(LENGTHS + at++, <u8>symbol);
      continue;
    }
    if (symbol === 16 && at === 0) return false;
    const repeated: u8 = symbol === 16 ? load<u8>(LENGTHS + at - 1) : 0;
    const count: usize = symbol === 16 ? take(2) + 3 : symbol === 17 ? take(3) + 3 : take(7) + 11;
    if (at + count > total) return false;
    memory.fill(LENGTHS + at, repeated, count);
    at += count;
  }
  if (load<u8>(LENGTHS + 256) === 0) return false;
  return (
    buildTable(LITERALS, LITERAL_BITS, <i32>literals, LENGTHS) &&
    buildTable(DISTANCES, DISTANCE_BITS, <i32>(total - literals), LENGTHS + literals)
  );
}

/**
 * Reads symbols of a block: DONE at its end. This is where the time goes, so that what changes with every symbol is local:
 * globals are written to memory.
 */
function readSymbols(): i32 {
  let buffer = bits;
  let count = bitCount;
  let from = next;
  let to = out;
  // Of the last bytes all have to be read. Those that are missing look like zeros, and are noticed a little later.
  const lastInput = final ? end + SYMBOL_BYTES / 2 : end - SYMBOL_BYTES;
  let result = PIECE;
  while (to < PIECE_END) {
    if (from > lastInput) {
      result = final ? BROKEN : NEEDS_INPUT;
      break;
    }
    buffer |= load<u64>(from) << count;
    from += (63 - count) >> 3;
    count |= 56;
    let entry = load<u32>(LITERALS + ((<usize>buffer & LITERAL_MASK) << 2));
    if (entry & LITERAL) {
      // There are bits for three literals, or for two and what must follow.
      buffer >>= entry & 0xff;
      count -= entry & 0xff;
      store<u8>(to++, <u8>(entry >>> 16));
      entry = load<u32>(LITERALS + ((<usize>buffer & LITERAL_MASK) << 2));
      if (entry & LITERAL) {
        buffer >>= entry & 0xff;
        count -= entry & 0xff;
        store<u8>(to++, <u8>(entry >>> 16));
        entry = load<u32>(LITERALS + ((<usize>buffer & LITERAL_MASK) << 2));
        if (entry & LITERAL) {
          buffer >>= entry & 0xff;
          count -= entry & 0xff;
          store<u8>(to++, <u8>(entry >>> 16));
          continue;
        }
      }
      buffer |= load<u64>(from) << count;
      from += (63 - count) >> 3;
      count |= 56;
    }
    if (entry & SUBTABLE) {
      buffer >>= LITERAL_BITS;
      count -= LITERAL_BITS;
      entry = entryBehind(LITERALS, entry, buffer);
      if (entry & LITERAL) {
        buffer >>= entry & 0xff;
        count -= entry & 0xff;
        store<u8>(to++, <u8>(entry >>> 16));
        continue;
      }
    }
    buffer >>= entry & 0xff;
    count -= entry & 0xff;
    if (entry & OTHER) {
      result = entry >>> 16 === END_OF_BLOCK >>> 16 ? DONE : BROKEN;
      break;
    }
    const length = numberOf(entry, buffer);
    buffer >>= extraBits(entry);
    count -= extraBits(entry);
    entry = load<u32>(DISTANCES + ((<usize>buffer & DISTANCE_MASK) << 2));
    if (entry & SUBTABLE) {
      buffer >>= DISTANCE_BITS;
      count -= DISTANCE_BITS;
      entry = entryBehind(DISTANCES, entry, buffer);
    }
    buffer >>= entry & 0xff;
    count -= entry & 0xff;
    const distance = numberOf(entry, buffer);
    buffer >>= extraBits(entry);
    count -= extraBits(entry);
    if (entry & OTHER || distance > to - oldest) {
      result = BROKEN;
      break;
    }
    copyMatch(to, distance, length);
    to += length;
  }
  bits = buffer;
  bitCount = count;
  next = from;
  out = to;
  return result;
}

/** The entry for a code that goes on behind the bits of the table. */
function entryBehind(table: usize, entry: u32, buffer: u64): u32 {
  const index = (entry >>> 16) + (<u32>buffer & ((1 << extraBits(entry)) - 1));
  return load<u32>(table + ((<usize>index) << 2));
}

/** Base and extra bits of a length or distance. */
function numberOf(entry: u32, buffer: u64): usize {
  return (entry >>> 16) + (<u32>buffer & ((1 << extraBits(entry)) - 1));
}

function extraBits(entry: u32): u32 {
  return (entry >>> 8) & 0x1f;
}

/** Repeats what stands `distance` back. Less than a vector is written behind it, which is written again later. */
function copyMatch(at: usize, distance: usize, length: usize): void {
  const last = at + length;
  let from = at - distance;
  let to = at;
  if (distance < 16) {
    while (to < last) store<u8>(to++, load<u8>(from++));
    return;
  }
  do {
    v128.store(to, v128.load(from));
    to += 16;
    from += 16;
  } while (to < last);
}
