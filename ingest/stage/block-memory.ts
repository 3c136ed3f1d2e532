import { byteAt } from '../scan/typed-arrays.ts';

/**
 * Memory of thousands of lists that grow. It lies in one piece, which the system has back with the thread that used it: of as many
 * buffers the C library keeps most. What was never written takes no memory, so that blocks may be larger than what they hold.
 */

const PAGE_BYTES = 1 << 16;
const PAGES_ADDED = 64;

export class BlockMemory {
  readonly #memory = new WebAssembly.Memory({ initial: PAGES_ADDED });
  /** Addresses of blocks that nobody uses, by their bytes. */
  readonly #free = new Map<number, number[]>();
  #end = 0;
  bytes!: Uint8Array<ArrayBuffer>;
  uint16s!: Uint16Array<ArrayBuffer>;
  int32s!: Int32Array<ArrayBuffer>;

  constructor() {
    this.#view();
  }

  /** The address of a block of so many bytes, whose content is arbitrary. */
  take(bytes: number): number {
    const free = this.#free.get(bytes)?.pop();
    if (free !== undefined) return free;
    const at = this.#end;
    this.#end += bytes;
    const missing = this.#end - this.bytes.length;
    if (missing > 0) {
      this.#memory.grow(Math.max(PAGES_ADDED, Math.ceil(missing / PAGE_BYTES)));
      this.#view();
    }
    return at;
  }

  giveBack(at: number, bytes: number): void {
    const free = this.#free.get(bytes);
    if (free === undefined) this.#free.set(bytes, [at]);
    else free.push(at);
  }

  #view(): void {
    const { buffer } = this.#memory;
    this.bytes = new Uint8Array(buffer);
    this.uint16s = new Uint16Array(buffer);
    this.int32s = new Int32Array(buffer);
  }
}

/** A list of bytes in a block. Addresses are those of the memory, whose views are others after bytes were added to any list. */
export class Bytes {
  /** Address of the first. */
  at = 0;
  size = 0;
  readonly #memory: BlockMemory;
  readonly #expected: number;
  #capacity = 0;

  /** @param expected bytes of the first block, a power of two from 256 */
  constructor(memory: BlockMemory, expected: number) {
    this.#memory = memory;
    this.#expected = expected;
  }

  get bytes(): Uint8Array {
    return this.#memory.bytes;
  }

  get uint16s(): Uint16Array {
    return this.#memory.uint16s;
  }

  get int32s(): Int32Array {
    return this.#memory.int32s;
  }

  /** Address behind the last. */
  get end(): number {
    return this.at + this.size;
  }

  get used(): Uint8Array {
    return this.bytes.subarray(this.at, this.end);
  }

  /** Adds bytes, which are arbitrary until they are set, and returns the address of the first of them. */
  add(count: number): number {
    const before = this.size;
    this.size += count;
    if (this.size > this.#capacity) this.#move(before);
    return this.at + before;
  }

  clear(): void {
    this.size = 0;
  }

  #move(kept: number): void {
    const { at } = this;
    const before = this.#capacity;
    this.#capacity ||= this.#expected;
    while (this.#capacity < this.size) this.#capacity *= GROWTH;
    this.at = this.#memory.take(this.#capacity);
    if (before === 0) return;
    this.bytes.copyWithin(this.at, at, at + kept);
    this.#memory.giveBack(at, before);
  }
}

/** Blocks that become too small are seldom of use to others, so that few sizes are best. */
const GROWTH = 4;

/** Bits, least significant first. Those that are added are 0. */
export class Bits {
  readonly bytes: Bytes;
  count = 0;

  constructor(bytes: Bytes) {
    this.bytes = bytes;
  }

  /** Returns the number of the first. */
  add(count: number): number {
    const first = this.count;
    this.count += count;
    const from = this.bytes.add(((this.count + 7) >> 3) - ((first + 7) >> 3));
    this.bytes.bytes.fill(0, from, this.bytes.end);
    return first;
  }

  set(bit: number): void {
    const { bytes, at } = this.bytes;
    const place = at + (bit >> 3);
    bytes[place] = byteAt(bytes, place) | (1 << (bit & 7));
  }

  clear(): void {
    this.bytes.clear();
    this.count = 0;
  }
}
