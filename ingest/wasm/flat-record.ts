/**
 * Reads a flat record: the inner loop of reading, for which eight code units are compared at once. This is AssemblyScript;
 * `npm run wasm` compiles it to flat-record.wasm, and scan/flat-reader.ts calls it. What is rare is left to the functions that
 * it imports. Positions are indices of code units in the text, names are addresses of entries.
 *
 * An entry of a name: its length in code units, its slot (-1 without one), the number of the names that were seen to follow
 * it, and those, the frequent ones first; then the code units of the name and `>`, padded with zeros to whole vectors.
 */

/** Looks the name of a tag up that no follower matches: 0 when there is none, NO_ROOM when no entry can be made for it. */
declare function lookUp(at: i32, end: i32): usize;
/** Takes the value of an element that has no slot. */
declare function unknown(name: usize, start: i32, end: i32): void;
/** Takes a value with references or characters to be checked; false when a reference in it is wrong. */
declare function decode(name: usize, start: i32, end: i32): bool;

// As in scan/flat-reader.ts.
const LENGTH: usize = 0;
const SLOT: usize = 4;
const FOLLOWER_COUNT: usize = 8;
const FOLLOWERS: usize = 16;
const MAX_FOLLOWERS: i32 = 12;
const SPELLING: usize = 64;
const NO_ROOM: usize = 1;
const INCOMPLETE: i32 = -1;
const NOT_FLAT: i32 = -2;

const LESS: u16 = 0x3c;
const GREATER: u16 = 0x3e;
const SPACE: u16 = 0x20;
const AMPERSAND: u16 = 0x26;
const LAST_BEFORE_SURROGATES: u16 = 0xd7ff;
/** `</` as one number, and the same for an empty element's `/>`. */
const LESS_SLASH: u32 = 0x002f003c;
const SLASH_GREATER: u32 = 0x003e002f;

const VECTOR: usize = 16;

let text: usize = 0;
let starts: usize = 0;
let ends: usize = 0;
let seen: usize = 0;
let longest: i32 = 0;
let root: usize = 0;
let recordName: usize = 0;

/** Sets the addresses of the text and of the values by slot, and the length from which on nothing is a record. */
export function arrange(newText: usize, newStarts: usize, newEnds: usize, newSeen: usize, newLongest: i32): void {
  text = newText;
  starts = newStarts;
  ends = newEnds;
  seen = newSeen;
  longest = newLongest;
  root = 0;
  recordName = 0;
}

/** The name of the root, after which records begin. */
export function setRoot(name: usize): void {
  root = name;
}

/** The name of the record that was read last; 0 when there was none. */
export function getRecordName(): usize {
  return recordName;
}

export function setRecordName(name: usize): void {
  recordName = name;
}

/**
 * Reads the record at `from`, of which the text up to `length` is there, and notes its values with the stamp.
 * @returns the position after it, INCOMPLETE or NOT_FLAT
 */
export function readRecord(from: i32, length: i32, ended: bool, stamp: i32): i32 {
  const begin = text + ((<usize>from) << 1);
  const limit = text + ((<usize>length) << 1);
  const cut = ended || length - from > longest ? NOT_FLAT : INCOMPLETE;
  const record = nameAt(root, begin + 2, limit);
  if (record <= NO_ROOM) return record === NO_ROOM ? NOT_FLAT : cut;
  const recordBytes = (<usize>load<u32>(record + LENGTH)) << 1;
  let at = begin + 2 + recordBytes;
  if (load<u16>(at) !== GREATER) return NOT_FLAT;
  at += 2;
  let before = record;
  while (true) {
    if (at + 2 >= limit) return cut;
    const two = load<u32>(at);
    if (<u16>two !== LESS) {
      if (<u16>two > SPACE) return NOT_FLAT;
      at += 2;
      continue;
    }
    if (two === LESS_SLASH) {
      const close = at + 4 + recordBytes;
      if (close >= limit) return cut;
      if (!spells(record, at + 4)) return NOT_FLAT;
      // An element without fields may be a field itself, the rest of a record whose start tag is damaged.
      if (before === record && record !== recordName) return NOT_FLAT;
      const end = indexOf(close) + 1;
      if (end - from > longest) return NOT_FLAT;
      recordName = record;
      return end;
    }
    const name = nameAt(before, at + 2, limit);
    if (name <= NO_ROOM) return name === NO_ROOM ? NOT_FLAT : cut;
    before = name;
    const bytes = (<usize>load<u32>(name + LENGTH)) << 1;
    at += 2 + bytes;
    if (load<u16>(at) !== GREATER) {
      if (at + 2 >= limit) return cut;
      if (load<u32>(at) !== SLASH_GREATER) return NOT_FLAT;
      put(name, at, at, stamp);
      at += 4;
      continue;
    }
    at += 2;
    const start = at;
    const marked = endOfValue(at, limit);
    if (marked === 0) return cut;
    at = marked & ~SPECIAL;
    const close = at + 4 + bytes;
    if (close >= limit) return cut;
    if (load<u32>(at) !== LESS_SLASH || !spells(name, at + 4)) return NOT_FLAT;
    if (marked & SPECIAL) {
      if (indexOf(at) - from > longest || !decode(name, indexOf(start), indexOf(at))) return NOT_FLAT;
    } else {
      put(name, start, at, stamp);
    }
    at = close + 2;
  }
}

/** Addresses of code units are even. */
const SPECIAL: usize = 1;

/**
 * Address of the first `<` from `at`, plus SPECIAL when there is a reference before it, or a character that may be
 * forbidden; 0 when there is none before `limit`, behind which there is room for at least a vector.
 */
function endOfValue(at: usize, limit: usize): usize {
  let special: usize = 0;
  for (; at < limit; at += VECTOR) {
    const units = v128.load(at);
    const less = i16x8.bitmask(i16x8.eq(units, i16x8.splat(LESS)));
    const rare = i16x8.bitmask(
      v128.or(
        i16x8.eq(units, i16x8.splat(AMPERSAND)),
        v128.or(i16x8.lt_u(units, i16x8.splat(SPACE)), i16x8.gt_u(units, i16x8.splat(LAST_BEFORE_SURROGATES))),
      ),
    );
    if (less === 0) {
      if (rare !== 0) special = SPECIAL;
      continue;
    }
    // Everything before the lowest bit of `less` belongs to the value.
    if ((rare & (less - 1) & ~less) !== 0) special = SPECIAL;
    return (at + ((<usize>ctz(less)) << 1)) | special;
  }
  return 0;
}

function indexOf(at: usize): i32 {
  return <i32>((at - text) >> 1);
}

function put(name: usize, start: usize, end: usize, stamp: i32): void {
  const slot = load<i32>(name + SLOT);
  if (slot < 0) {
    unknown(name, indexOf(start), indexOf(end));
    return;
  }
  const offset = (<usize>slot) << 2;
  store<i32>(starts + offset, indexOf(start));
  store<i32>(ends + offset, indexOf(end));
  store<i32>(seen + offset, stamp);
}

/** Returns true when the code units at `at` are those of the name and `>`. */
function spells(name: usize, at: usize): bool {
  const units = load<i32>(name + LENGTH) + 1;
  let spelling = name + SPELLING;
  let rest = units;
  while (rest >= 8) {
    if (v128.any_true(v128.xor(v128.load(at), v128.load(spelling)))) return false;
    at += VECTOR;
    spelling += VECTOR;
    rest -= 8;
  }
  if (rest === 0) return true;
  const different = i16x8.bitmask(i16x8.ne(v128.load(at), v128.load(spelling)));
  return (different & ((1 << rest) - 1)) === 0;
}

/**
 * The name of the tag whose text begins at `at` and that follows `before`; 0 when it has no end before `limit`. Records come
 * with their elements in nearly always the same order, so the names that followed `before` so far are tried first.
 */
function nameAt(before: usize, at: usize, limit: usize): usize {
  const count = before === 0 ? 0 : load<i32>(before + FOLLOWER_COUNT);
  let follower = before + FOLLOWERS;
  for (let rank = 0; rank < count; rank++) {
    const name = load<usize>(follower);
    if (at + ((<usize>load<u32>(name + LENGTH)) << 1) < limit && spells(name, at)) {
      if (rank > 0) {
        store<usize>(follower, load<usize>(follower - 4));
        store<usize>(follower - 4, name);
      }
      return name;
    }
    follower += 4;
  }
  const name = lookUp(indexOf(at), indexOf(limit));
  if (name > NO_ROOM && before !== 0) addFollower(before, name);
  return name;
}

function addFollower(before: usize, name: usize): void {
  const count = load<i32>(before + FOLLOWER_COUNT);
  for (let rank = 0; rank < count; rank++) if (load<usize>(before + FOLLOWERS + ((<usize>rank) << 2)) === name) return;
  const last = count === MAX_FOLLOWERS ? count - 1 : count;
  store<usize>(before + FOLLOWERS + ((<usize>last) << 2), name);
  store<i32>(before + FOLLOWER_COUNT, last + 1);
}
