import { BROKEN_SHOWN, BrokenRecord } from './broken-record.ts';
import { BYTE_ORDER_MARK, LESS, SLASH, SPACE, unitAt } from './characters.ts';
import { DocumentError } from './document-error.ts';
import { FlatReader, INCOMPLETE, NOT_FLAT, type RareCases } from './flat-reader.ts';
import { formOf } from './form.ts';
import type { ScanHandler, ScannedRecord, ScanOptions } from './handler.ts';
import { Identity } from './identity.ts';
import { beginsMarkup, endOfMarkup, MAX_OPENING_LENGTH } from './markup.ts';
import { type Name, NameTable } from './names.ts';
import { NO_END, type NotFlat, nameOf, readNotFlat } from './not-flat.ts';
import { recordNameIn } from './record-boundaries.ts';
import { Search } from './search.ts';
import { CUT, endOfTag, UNFINISHED } from './tags.ts';
import { decodeText, textOf, unitsOf } from './text.ts';

/**
 * Reads the members of the export: root element, records, fields that hold text only. Flat records are read here, in one
 * pass over UTF-16 code units and without a string for any value; one with attributes, comments, CDATA or nested elements
 * goes to fast-xml-parser (not-flat.ts). A record that is not well-formed is lost, but not the file. A text that is no
 * member of an export ends the reading with a DocumentError.
 */

/** Code units, far more than any record has: real ones have some 2,000. */
const MAX_RECORD_LENGTH = 1 << 18;

/** Code units that are read at once: as much as the cache of a core holds besides what is made of them. */
const PIECE_LENGTH = 1 << 17;

/** Code units of stray text whose form is reported; its content is not. */
const STRAY_SHOWN = 40;

type State = 'prolog' | 'records' | 'epilog';

export class Scanner {
  readonly #names: NameTable;
  readonly #handler: ScanHandler;
  /** It holds the text that is still to be read, then room for decoded values of one record. */
  readonly #flat: FlatReader;
  readonly #record: ScannedRecord;
  #length = 0;
  #scratch = 0;
  #state: State = 'prolog';
  #rootName: Name | null = null;
  #ended = false;
  #released = false;
  /** The end of stray text that was reported has not arrived yet. */
  #inStray = false;
  /** A broken record whose end has not been found. */
  #lost: BrokenRecord | null = null;
  /** Up to here the text was searched for the name of its records. */
  #votedTo = 0;
  /** An incomplete record is read again when there is twice as much of it, so that small pieces cost no more. */
  #enough = 0;
  readonly #search = new Search();
  /** Elements of the present record that the table does not know, as name, start, end; and those that lost characters. */
  #unknown: [Name, number, number][] = [];
  #forbidden: [Name, number][] = [];

  readonly #longest: number;
  readonly #identity: Identity;

  /** @param slots element name to slot, 0 … slots − 1; several names may share a slot (renamed elements) */
  constructor(slots: ReadonlyMap<string, number>, handler: ScanHandler, options: ScanOptions = {}) {
    this.#longest = options.longest ?? MAX_RECORD_LENGTH;
    this.#identity = new Identity(options.kind ?? null);
    this.#names = new NameTable(slots);
    this.#handler = handler;
    const cases: RareCases = {
      lookUp: (at, end) => this.#names.lookUp(this.#units, at, end),
      unknown: (name, start, end) => void this.#unknown.push([name, start, end]),
      decode: (name, start, end) => this.#decode(name, start, end),
    };
    // An incomplete record is at most as long as the longest, and is looked at again when there is twice as much of it.
    const room = (this.#longest + MAX_OPENING_LENGTH) * 2 + PIECE_LENGTH + this.#longest;
    this.#flat = FlatReader.take(Math.max(0, ...slots.values()) + 1, room, this.#longest, cases);
    this.#record = this.#flat.record;
  }

  get #units(): Uint16Array {
    return this.#record.units;
  }

  /** Name of the record that was read last. */
  get #recordName(): Name | null {
    return this.#flat.recordName;
  }

  get #root(): string {
    return this.#rootName?.text ?? '';
  }

  /**
   * Reads the next piece of the text; it may be cut anywhere between code units.
   * @throws DocumentError when it is no member of an export
   */
  push(piece: Uint16Array): void {
    this.#releasing(() => {
      for (let at = 0; at < piece.length; at += PIECE_LENGTH) {
        const part = piece.subarray(at, at + PIECE_LENGTH);
        this.#units.set(part, this.#length);
        this.#length += part.length;
        if (this.#length >= this.#enough) this.#advance();
      }
    });
  }

  /**
   * Says that the text is complete. A record that has no end by now is broken.
   * @throws DocumentError when it is no member of an export, or only a part of one
   */
  end(): void {
    this.#releasing(() => {
      this.#ended = true;
      this.#advance();
      if (this.#lost !== null) this.#reportLost(this.#lost);
      if (this.#state === 'prolog') throw new DocumentError('it holds no XML element');
      if (this.#state === 'records') {
        throw new DocumentError(`it ends before </${this.#root}>, behind ${this.#record.number} records`);
      }
      this.#identity.end(this.#record.number);
    });
    this.#release();
  }

  /** After an error nothing more is read. */
  #releasing(read: () => void): void {
    try {
      read();
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #release(): void {
    if (!this.#released) this.#flat.release();
    this.#released = true;
  }

  #advance(): void {
    let at = 0;
    for (;;) {
      const next = this.#step(at);
      if (next === INCOMPLETE) break;
      at = next;
    }
    this.#units.copyWithin(0, at, this.#length);
    this.#length -= at;
    this.#votedTo -= at;
    this.#search.shift(at);
    this.#enough = this.#length * 2;
  }

  /** Reads one item from `from`: returns the position after it, or INCOMPLETE when more text is needed. */
  #step(from: number): number {
    const units = this.#units;
    let at = from;
    if (this.#lost !== null) return this.#passOver(from, this.#lost);
    if (this.#inStray) {
      const tag = this.#nextTag(from);
      if (tag < 0) return this.#length > from ? this.#length : INCOMPLETE;
      this.#inStray = false;
      // The tag is a step of its own: if it is incomplete, the stray text before it must not be reported again.
      return tag;
    }
    while (at < this.#length && (unitAt(units, at) <= SPACE || units[at] === BYTE_ORDER_MARK)) at++;
    if (at + 1 >= this.#length) {
      if (at < this.#length && this.#ended) return this.#skipStray(at);
      return at > from ? at : INCOMPLETE;
    }
    const second = unitAt(units, at + 1);
    if (units[at] !== LESS || second === LESS) return this.#skipStray(at);
    if (beginsMarkup(second)) return this.#skipMarkup(at);
    if (this.#state === 'epilog') throw new DocumentError(`there is more than text behind the end of <${this.#root}>`);
    if (this.#state === 'prolog') return this.#openRoot(at);
    if (second === SLASH) return this.#closeRoot(at);
    const next = this.#flatRecord(at);
    return next === NOT_FLAT ? this.#otherRecord(at) : next;
  }

  /** Skips everything up to the next tag and reports it once, however many pieces it takes to arrive. */
  #skipStray(at: number): number {
    const units = this.#units;
    const end = this.#nextTag(at + 1);
    if (end < 0 && !this.#ended && this.#length - at < STRAY_SHOWN) return INCOMPLETE;
    const last = end < 0 ? this.#length : end;
    this.#handler.stray(`text outside of records: ${formOf(textOf(units, at, Math.min(last, at + STRAY_SHOWN)))}`);
    this.#inStray = end < 0;
    return last;
  }

  #nextTag(at: number): number {
    return this.#units.subarray(0, this.#length).indexOf(LESS, at);
  }

  #skipMarkup(at: number): number {
    const end = endOfMarkup(this.#units, at, this.#length, this.#longest, this.#search);
    if (end === CUT) return this.#skipStray(at);
    return end === UNFINISHED ? this.#missing(at) : end;
  }

  /** More text is needed; when there is none, or too much already, the text is stray. */
  #missing(at: number): number {
    return this.#ended || this.#length - at > this.#longest + MAX_OPENING_LENGTH ? this.#skipStray(at) : INCOMPLETE;
  }

  /** Position after the tag at `at`, INCOMPLETE, or CUT when it has no end. */
  #behindTag(at: number): number {
    const limit = Math.min(this.#length, at + this.#longest);
    const end = endOfTag(this.#units, at, limit);
    if (end !== UNFINISHED) return end;
    return this.#ended || limit < this.#length ? CUT : INCOMPLETE;
  }

  #openRoot(at: number): number {
    const end = this.#behindTag(at);
    if (end === INCOMPLETE) return INCOMPLETE;
    const name = end === CUT ? null : this.#names.lookUp(this.#units, at + 1, end);
    if (name === null) throw new DocumentError('it holds no XML element: the tag where its root belongs is none');
    this.#identity.root(name.text);
    this.#rootName = name;
    this.#flat.setRoot(name);
    this.#state = this.#units[end - 2] === SLASH ? 'epilog' : 'records';
    return end;
  }

  #closeRoot(at: number): number {
    const end = this.#behindTag(at);
    if (end === INCOMPLETE) return INCOMPLETE;
    if (end === CUT) return this.#skipStray(at);
    const name = textOf(this.#units, at + 2, end - 1).trim();
    if (name === this.#root) this.#state = 'epilog';
    else {
      this.#identity.ended(name, this.#record.number);
      this.#handler.stray('an end tag without its beginning');
    }
    return end;
  }

  /** Reads a record of plain fields: returns the position after it, INCOMPLETE or NOT_FLAT. */
  #flatRecord(from: number): number {
    this.#begin();
    const next = this.#flat.read(from, this.#length, this.#ended);
    if (next >= 0) this.#finish();
    return next;
  }

  /** Discards the previous attempt: a record that the end of a piece cuts is read again from its beginning. */
  #begin(): void {
    this.#scratch = this.#length;
    this.#record.stamp++;
    if (this.#unknown.length > 0) this.#unknown = [];
    if (this.#forbidden.length > 0) this.#forbidden = [];
  }

  #finish(): void {
    this.#record.number++;
    if (!this.#identity.recognised) this.#identity.record(this.#record, this.#unknown);
    for (const [name, characters] of this.#forbidden) this.#handler.forbidden(name.text, characters);
    for (const [name, from, to] of this.#unknown) this.#handler.unknown(name.text, textOf(this.#units, from, to));
    this.#handler.record(this.#record);
  }

  /** Writes the decoded text of a value after the text to be read; false when a reference in it is wrong. */
  #decode(name: Name, from: number, to: number): boolean {
    const { length, forbidden } = decodeText(this.#units, from, to, this.#units, this.#scratch);
    if (length < 0) return false;
    this.#put(name, length, forbidden);
    return true;
  }

  /** Notes the value of `length` code units that was written at the scratch position. */
  #put(name: Name, length: number, forbidden: number): void {
    const { start, end, seen, stamp } = this.#record;
    const at = this.#scratch;
    this.#scratch += length;
    if (forbidden > 0) this.#forbidden.push([name, forbidden]);
    if (name.slot < 0) {
      this.#unknown.push([name, at, at + length]);
      return;
    }
    start[name.slot] = at;
    end[name.slot] = at + length;
    seen[name.slot] = stamp;
  }

  /** A record that is not flat, or broken. */
  #otherRecord(from: number): number {
    const limit = Math.min(this.#length, from + this.#longest);
    const complete = this.#ended || limit < this.#length;
    let found = this.#readNotFlat(from, limit, complete);
    const plausible = found !== 'incomplete' && 'fields' in found && found.fields.length > 0;
    if (this.#recordName === null && !plausible && from >= this.#votedTo) {
      if (!complete) return INCOMPLETE;
      this.#learnRecordName(from, limit, this.#nameOfEmpty(found, from));
      found = this.#readNotFlat(from, limit, complete);
    }
    if (found === 'incomplete') return INCOMPLETE;
    const { length } = found;
    if ('fields' in found) {
      this.#flat.recordName = this.#names.lookUp(this.#units, from + 1, this.#length);
      this.#deliver(found);
      return from + length;
    }
    const text = textOf(this.#units, from, from + Math.min(length, BROKEN_SHOWN));
    if (found.endsThere) {
      this.#reportBroken(found.broken, text);
      return from + length;
    }
    const isTooLong = found.broken === NO_END && limit < this.#length;
    const reason = isTooLong ? `longer than ${this.#longest} characters` : found.broken;
    this.#lost = new BrokenRecord(reason, this.#recordName?.units ?? unitsOf(nameOf(text)), text);
    // Reading must not continue at its own start tag.
    return from + Math.max(1, length);
  }

  /** Name of an element without content that is no field of the kind; empty when there is none. */
  #nameOfEmpty(found: ReturnType<typeof readNotFlat>, from: number): string {
    if (found === 'incomplete' || !('fields' in found) || found.fields.length + found.stray.length > 0) return '';
    const name = this.#names.lookUp(this.#units, from + 1, this.#length);
    return name === null || name.slot >= 0 ? '' : name.text;
  }

  /** The first record is damaged or not flat, so that the records after it give the name of all. */
  #learnRecordName(from: number, limit: number, empty: string): void {
    const text = textOf(this.#units, from, limit);
    this.#votedTo = limit;
    const record = recordNameIn(text, empty, this.#identity.recordName);
    this.#identity.beginning(text, record);
    if (record !== '') this.#flat.recordName = this.#names.get(record);
  }

  #readNotFlat(from: number, limit: number, complete: boolean): ReturnType<typeof readNotFlat> {
    return readNotFlat(this.#units, from, limit, complete, this.#recordName?.text ?? '', this.#search);
  }

  #passOver(from: number, lost: BrokenRecord): number {
    const { at, found } = lost.passOver(this.#units, from, this.#length, unitsOf(this.#root), this.#ended);
    if (found) this.#reportLost(lost);
    return found || at > from ? at : INCOMPLETE;
  }

  #reportLost({ reason, text }: BrokenRecord): void {
    this.#lost = null;
    this.#reportBroken(reason, text);
  }

  #reportBroken(reason: string, text: string): void {
    this.#identity.broken(++this.#record.number, reason);
    this.#handler.broken(reason, text);
  }

  #deliver(found: NotFlat): void {
    this.#begin();
    for (const { element, text, forbidden } of found.fields) {
      this.#units.set(unitsOf(text), this.#scratch);
      this.#put(this.#names.get(element), text.length, forbidden);
    }
    for (const what of found.stray) this.#handler.stray(what);
    this.#finish();
  }
}
