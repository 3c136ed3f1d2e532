import { readFileSync } from 'node:fs';
import { GREATER } from './characters.ts';
import type { RecordMemory, ScannedRecord } from './handler.ts';
import type { Name } from './names.ts';

/**
 * Flat records are read by WebAssembly (ingest/wasm/flat-record.ts), which compares eight code units at once. Its memory holds the
 * text, the entries of names, and the values of a record by slot.
 */

const MODULE = new WebAssembly.Module(readFileSync(new URL('../wasm/flat-record.wasm', import.meta.url)));

interface Exports {
  readonly memory: WebAssembly.Memory;
  arrange(text: number, starts: number, ends: number, seen: number, longest: number): void;
  setRoot(name: number): void;
  getRecordName(): number;
  setRecordName(name: number): void;
  readRecord(from: number, length: number, ended: boolean, stamp: number): number;
}

/** Results of reading a record other than a position. */
export const INCOMPLETE = -1;
export const NOT_FLAT = -2;

/** In place of the address of an entry: there is no name, or no room for it. */
const NO_NAME = 0;
const NO_ROOM = 1;

/** An entry of a name (ingest/wasm/flat-record.ts), as indices of 32-bit numbers, and where its spelling is, in bytes. */
const LENGTH = 0;
const SLOT = 1;
const SPELLING = 64;

const VECTOR_BYTES = 16;
const PAGE_BYTES = 1 << 16;

/** The names of all kinds of files take a tenth. */
const NAME_BYTES = 1 << 19;

/** Bytes that are read beyond the end of the text, at most. */
const MARGIN_BYTES = 4 * VECTOR_BYTES;

const aligned = (bytes: number): number => Math.ceil(bytes / VECTOR_BYTES) * VECTOR_BYTES;

/** Decides what is too rare to be fast. Positions are indices of code units in the text. */
export interface RareCases {
  /** The name of the tag whose text begins at `at`; null when it has no end before `end`. */
  lookUp(at: number, end: number): Name | null;
  /** Takes the value of an element without a slot. */
  unknown(name: Name, start: number, end: number): void;
  /** Takes a value in which references and characters have to be looked at; false when a reference is wrong. */
  decode(name: Name, start: number, end: number): boolean;
}

export class FlatReader implements RecordMemory {
  /** The record that was read last. Its arrays are others after `allocate`. */
  readonly record: ScannedRecord;
  readonly #wasm: Exports;
  #cases: RareCases | null = null;
  /** The scanner, and a handler that has allocated something. */
  #users = 0;
  #size = 0;
  /** Address of the values by slot, of the first name, behind the last one, and of the text. */
  readonly #slotsAt = VECTOR_BYTES;
  #namesEnd = 0;
  #textAt = 0;
  #textUnits = 0;
  /** Name of the record that was read last, if there was no room for its entry. */
  #otherRecordName: Name | null = null;
  readonly #entries = new Map<Name, number>();
  readonly #names = new Map<number, Name>();

  private constructor() {
    const cases = (): RareCases => this.#cases ?? unused();
    const imports = {
      lookUp: (at: number, end: number): number => {
        const name = cases().lookUp(at, end);
        return name === null ? NO_NAME : this.#entryOf(name);
      },
      unknown: (entry: number, start: number, end: number): void => cases().unknown(this.#nameAt(entry), start, end),
      decode: (entry: number, start: number, end: number): boolean => cases().decode(this.#nameAt(entry), start, end),
    };
    const { exports } = new WebAssembly.Instance(MODULE, { 'flat-record': imports });
    this.#wasm = exports as unknown as Exports;
    const none = new Int32Array(0);
    this.record = { memory: this, units: new Uint16Array(0), start: none, end: none, seen: none, stamp: 0, number: 0 };
  }

  /** Readers that nobody uses: their memory is used again, since one is needed for each of hundreds of members. */
  static readonly #free: FlatReader[] = [];

  /**
   * A reader of records with slots for the values of `size` elements.
   * @param units room for text
   * @param longest code units; what is longer is no record
   */
  static take(size: number, units: number, longest: number, cases: RareCases): FlatReader {
    const reader = FlatReader.#free.pop() ?? new FlatReader();
    reader.#users = 1;
    reader.#arrange(size, units, longest, cases);
    return reader;
  }

  get wasm(): WebAssembly.Memory {
    return this.#wasm.memory;
  }

  allocate(bytes: number): number {
    this.#users++;
    const at = this.#textEnd;
    this.#grow(at + bytes);
    this.#view();
    return at;
  }

  /** Nobody needs it when the scanner and the handler have released it. */
  release(): void {
    if (--this.#users > 0) return;
    this.#cases = null;
    FlatReader.#free.push(this);
  }

  /** Reads the record at `from` and notes its values with the stamp of the record: returns the position after it, INCOMPLETE or NOT_FLAT. */
  read(from: number, length: number, ended: boolean): number {
    return this.#wasm.readRecord(from, length, ended, this.record.stamp);
  }

  setRoot(name: Name): void {
    const entry = this.#entryOf(name);
    this.#wasm.setRoot(entry === NO_ROOM ? NO_NAME : entry);
  }

  /** Name of the record that was read last; null when there was none. */
  get recordName(): Name | null {
    const entry = this.#wasm.getRecordName();
    return entry === NO_ROOM ? this.#otherRecordName : (this.#names.get(entry) ?? null);
  }

  /** Sets the name of a record that was not read here. */
  set recordName(name: Name | null) {
    this.#otherRecordName = name;
    this.#wasm.setRecordName(name === null ? NO_NAME : this.#entryOf(name));
  }

  #arrange(size: number, units: number, longest: number, cases: RareCases): void {
    this.#cases = cases;
    this.#size = size;
    this.#entries.clear();
    this.#names.clear();
    this.#namesEnd = this.#slotsAt + aligned(size * 4) * 3;
    this.#textAt = this.#namesEnd + NAME_BYTES;
    this.#textUnits = units;
    this.#grow(this.#textEnd);
    const [starts, ends, seen] = this.#slotAddresses();
    this.#wasm.arrange(this.#textAt, starts, ends, seen, longest);
    this.#view();
    this.record.seen.fill(0);
    this.record.stamp = 0;
    this.record.number = 0;
  }

  get #textEnd(): number {
    return this.#textAt + aligned(this.#textUnits * 2) + MARGIN_BYTES;
  }

  #slotAddresses(): [starts: number, ends: number, seen: number] {
    const bytes = aligned(this.#size * 4);
    return [this.#slotsAt, this.#slotsAt + bytes, this.#slotsAt + bytes * 2];
  }

  #grow(bytes: number): void {
    const { memory } = this.#wasm;
    const missing = bytes - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
  }

  #view(): void {
    const { buffer } = this.#wasm.memory;
    const [starts, ends, seen] = this.#slotAddresses();
    const { record } = this;
    record.units = new Uint16Array(buffer, this.#textAt, this.#textUnits);
    record.start = new Int32Array(buffer, starts, this.#size);
    record.end = new Int32Array(buffer, ends, this.#size);
    record.seen = new Int32Array(buffer, seen, this.#size);
  }

  /** The address of a name's entry, which is made when it is needed first; NO_ROOM when there is none for it. */
  #entryOf(name: Name): number {
    const known = this.#entries.get(name);
    if (known !== undefined) return known;
    const at = this.#namesEnd;
    const end = at + SPELLING + aligned((name.units.length + 1) * 2);
    if (end > this.#textAt) return NO_ROOM;
    this.#namesEnd = end;
    const { buffer } = this.#wasm.memory;
    new Uint8Array(buffer, at, end - at).fill(0);
    const numbers = new Int32Array(buffer, at, SPELLING / 4);
    numbers[LENGTH] = name.units.length;
    numbers[SLOT] = name.slot;
    const spelling = new Uint16Array(buffer, at + SPELLING, name.units.length + 1);
    spelling.set(name.units);
    spelling[name.units.length] = GREATER;
    this.#entries.set(name, at);
    this.#names.set(at, name);
    return at;
  }

  #nameAt(entry: number): Name {
    return this.#names.get(entry) ?? unused();
  }
}

function unused(): never {
  throw new Error('A reader was used after it had been released');
}
