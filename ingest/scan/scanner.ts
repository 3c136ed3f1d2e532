import { formOf } from './form.ts';
import { matches, type Name, NameTable } from './names.ts';
import { type NotFlat, readNotFlat } from './not-flat.ts';
import { decodeText, textOf, unitsOf } from './text.ts';

/**
 * Reads the members of the export: root element, records, fields that hold text only. What is flat is read here, in one
 * pass over UTF-16 code units and without a string for any value; a record with attributes, comments, CDATA or nested
 * elements goes to fast-xml-parser (not-flat.ts). A record that is not well-formed costs itself, not the file.
 */

/** The values of one record: `units[start[slot], end[slot])` is the text where `seen[slot]` equals `stamp`. */
export interface ScannedRecord {
  units: Uint16Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly seen: Int32Array;
  /** Grows with every attempt to read a record, so that the slots need no clearing. */
  stamp: number;
  /** Number of the record in the member, from 1. */
  number: number;
}

export interface ScanHandler {
  record(record: ScannedRecord): void;
  /** A record that is not well-formed: why, and its text as far as it was read. */
  broken(reason: string, text: string): void;
  /** An element that the field table does not know, with its text. */
  unknown(element: string, text: string): void;
  /** Characters that XML 1.0 forbids were left out of a value. */
  forbidden(element: string, characters: number): void;
  /** Something between or inside records that is neither record nor field, e.g. stray text. */
  stray(what: string): void;
}

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const AMPERSAND = 0x26;
const SPACE = 0x20;
const EXCLAMATION = 0x21;
const QUESTION = 0x3f;
const LAST_BEFORE_SURROGATES = 0xd7ff;
const BYTE_ORDER_MARK = 0xfeff;

/** Code units, far more than any record has: real ones have some 2,000. */
const LONGEST_RECORD = 1 << 20;

/** Code units of stray text of whose form the handler is told; of its content it is told nothing. */
const STRAY_SHOWN = 40;

/** What may stand between records beside white space. The last one is tried last: the others begin like it. */
const MARKUP = [
  { opening: '<!--', closing: '--' },
  { opening: '<![CDATA[', closing: ']]>' },
  { opening: '<?', closing: '?>' },
  { opening: '<!', closing: '>' },
] as const;
const LONGEST_OPENING = 9;

/** Results of a step that does not yield a position. */
const INCOMPLETE = -1;
const NOT_FLAT = -2;

type State = 'prolog' | 'records' | 'epilog';

export class Scanner {
  readonly #names: NameTable;
  readonly #handler: ScanHandler;
  readonly #record: ScannedRecord;
  /** Text that is still to be read, then room for decoded values of one record. */
  #units = new Uint16Array(0);
  #length = 0;
  #scratch = 0;
  #state: State = 'prolog';
  #rootName: Name | null = null;
  /** Name of the record that was read last. */
  #recordName: Name | null = null;
  #ended = false;
  /** The end of stray text that was told of has not arrived yet. */
  #inStray = false;
  /** Elements of the present record that the table does not know, as name, start, end; and those that lost characters. */
  #unknown: [Name, number, number][] = [];
  #forbidden: [Name, number][] = [];

  readonly #longest: number;

  /**
   * @param slots element name to slot, 0 … slots − 1; several names may share a slot (renamed elements)
   * @param longest code units: a longer record is taken for one whose end is missing
   */
  constructor(slots: ReadonlyMap<string, number>, handler: ScanHandler, longest = LONGEST_RECORD) {
    this.#longest = longest;
    const size = Math.max(0, ...slots.values()) + 1;
    this.#names = new NameTable(slots);
    this.#handler = handler;
    this.#record = {
      units: this.#units,
      start: new Int32Array(size),
      end: new Int32Array(size),
      seen: new Int32Array(size),
      stamp: 0,
      number: 0,
    };
  }

  /** Name of the root element; empty before it was read. */
  get root(): string {
    return this.#rootName?.text ?? '';
  }

  /** Reads the next piece of the text; it may be cut anywhere between code units. */
  push(piece: Uint16Array): void {
    this.#reserve(this.#length + piece.length);
    this.#units.set(piece, this.#length);
    this.#length += piece.length;
    this.#advance();
  }

  /** Says that the text is complete. A record that has no end by now is broken. */
  end(): void {
    this.#ended = true;
    this.#advance();
    if (this.#state === 'prolog') throw new Error('The file holds no XML element');
    if (this.#state === 'records') this.#handler.stray(`the file ends before </${this.root}>`);
  }

  #reserve(length: number): void {
    const size = length + this.#longest;
    if (this.#units.length >= size) return;
    const larger = new Uint16Array(size + (size >> 2));
    larger.set(this.#units.subarray(0, this.#length));
    this.#units = larger;
    this.#record.units = larger;
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
  }

  /** Reads one thing from `at`: the position behind it, or INCOMPLETE when more text is needed. */
  #step(from: number): number {
    const units = this.#units;
    let at = from;
    if (this.#inStray) {
      const tag = this.#nextTag(from);
      if (tag < 0) return this.#length > from ? this.#length : INCOMPLETE;
      this.#inStray = false;
      // A step of its own: were the tag incomplete, the rest of the stray text would be read, and told of, again.
      return tag;
    }
    while (at < this.#length && (units[at]! <= SPACE || units[at] === BYTE_ORDER_MARK)) at++;
    if (at + 1 >= this.#length) {
      if (at < this.#length && this.#ended) return this.#skipStray(at);
      return at > from ? at : INCOMPLETE;
    }
    if (units[at] !== LESS) return this.#skipStray(at);
    const second = units[at + 1]!;
    if (second === EXCLAMATION || second === QUESTION) return this.#skipMarkup(at);
    if (this.#state === 'epilog') return this.#skipStray(at);
    if (this.#state === 'prolog') return this.#openRoot(at);
    if (second === SLASH) return this.#closeRoot(at);
    const next = this.#flatRecord(at);
    return next === NOT_FLAT ? this.#otherRecord(at) : next;
  }

  /** Skips what is up to the next tag and tells of it once, however many pieces it takes to arrive. */
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

  /** A declaration, comment, CDATA section or doctype between records. */
  #skipMarkup(at: number): number {
    const begins = textOf(this.#units, at, Math.min(this.#length, at + LONGEST_OPENING));
    const markup = MARKUP.find(({ opening }) => opening.startsWith(begins.slice(0, opening.length)));
    if (markup === undefined) return this.#skipStray(at);
    if (begins.length < markup.opening.length) return this.#missing(at);
    const end = this.#find(markup.closing, at + markup.opening.length);
    if (end < 0) return this.#missing(at);
    if (markup.closing !== '--') return end;
    // A comment holds no `--` (XML 1.0, section 2.5): one without an end takes no record with it.
    if (end === this.#length) return this.#missing(at);
    return this.#units[end] === GREATER ? end + 1 : this.#skipStray(at);
  }

  /** Position behind the next occurrence of `text` from `at`, or -1 when there is none within the longest record. */
  #find(text: string, at: number): number {
    const units = this.#units.subarray(0, Math.min(this.#length, at + this.#longest));
    const head = text.charCodeAt(0);
    for (let start = at; ; start++) {
      start = units.indexOf(head, start);
      if (start < 0 || start + text.length > units.length) return -1;
      let same = 1;
      while (same < text.length && units[start + same] === text.charCodeAt(same)) same++;
      if (same === text.length) return start + text.length;
    }
  }

  /** More text is needed; when there is none, or too much already, what is there is stray. */
  #missing(at: number): number {
    return this.#ended || this.#length - at > this.#longest + LONGEST_OPENING ? this.#skipStray(at) : INCOMPLETE;
  }

  #openRoot(at: number): number {
    const end = this.#find('>', at);
    if (end < 0) return this.#missing(at);
    const name = this.#names.lookUp(this.#units, at + 1, end);
    if (name === null) throw new Error('The root element has no name');
    this.#rootName = name;
    this.#state = this.#units[end - 2] === SLASH ? 'epilog' : 'records';
    return end;
  }

  #closeRoot(at: number): number {
    const end = this.#find('>', at);
    if (end < 0) return this.#missing(at);
    const name = textOf(this.#units, at + 2, end - 1).trim();
    if (name === this.root) this.#state = 'epilog';
    else this.#handler.stray('an end tag without its beginning');
    return end;
  }

  /** Reads a record without anything but plain fields: the position behind it, INCOMPLETE or NOT_FLAT. */
  #flatRecord(from: number): number {
    const units = this.#units;
    const length = this.#length;
    const { start, end, seen } = this.#record;
    const stamp = this.#begin();
    const cut = this.#ended || length - from > this.#longest ? NOT_FLAT : INCOMPLETE;
    const recordName = this.#names.read(this.#rootName, units, from + 1, length);
    if (recordName === null) return cut;
    let at = from + 1 + recordName.units.length;
    if (units[at] !== GREATER) return NOT_FLAT;
    at++;
    let before = recordName;
    for (;;) {
      if (at + 1 >= length) return cut;
      if (units[at] !== LESS) {
        if (units[at]! > SPACE) return NOT_FLAT;
        at++;
        continue;
      }
      if (units[at + 1] === SLASH) {
        const close = at + 2 + recordName.units.length;
        if (close >= length) return cut;
        if (!matches(recordName.units, units, at + 2) || units[close] !== GREATER) return NOT_FLAT;
        if (before === recordName && this.#recordName !== null && recordName !== this.#recordName) return NOT_FLAT;
        this.#recordName = recordName;
        this.#finish();
        return close + 1;
      }
      const name = this.#names.read(before, units, at + 1, length);
      if (name === null) return cut;
      before = name;
      at += 1 + name.units.length;
      if (units[at] !== GREATER) {
        if (at + 1 >= length) return cut;
        if (units[at] !== SLASH || units[at + 1] !== GREATER) return NOT_FLAT;
        if (name.slot >= 0) {
          start[name.slot] = at;
          end[name.slot] = at;
          seen[name.slot] = stamp;
        } else this.#unknown.push([name, at, at]);
        at += 2;
        continue;
      }
      at++;
      // The text of the field. Beyond `length` lies room for decoded values, so that the end has to be watched for.
      const valueStart = at;
      let special = false;
      let unit = units[at]!;
      while (unit !== LESS && at < length) {
        if (unit === AMPERSAND || unit < SPACE || unit > LAST_BEFORE_SURROGATES) special = true;
        unit = units[++at]!;
      }
      const close = at + 2 + name.units.length;
      if (close >= length) return cut;
      if (units[at + 1] !== SLASH || !matches(name.units, units, at + 2) || units[close] !== GREATER) return NOT_FLAT;
      if (special) {
        if (at - from > this.#longest || !this.#decode(name, valueStart, at)) return NOT_FLAT;
      } else if (name.slot >= 0) {
        start[name.slot] = valueStart;
        end[name.slot] = at;
        seen[name.slot] = stamp;
      } else this.#unknown.push([name, valueStart, at]);
      at = close + 1;
    }
  }

  /** Forgets the attempt before: a record that is cut by the end of a piece is read again from its beginning. */
  #begin(): number {
    this.#scratch = this.#length;
    this.#unknown.length = 0;
    this.#forbidden.length = 0;
    return ++this.#record.stamp;
  }

  #finish(): void {
    this.#record.number++;
    for (const [name, characters] of this.#forbidden) this.#handler.forbidden(name.text, characters);
    for (const [name, from, to] of this.#unknown) this.#handler.unknown(name.text, textOf(this.#units, from, to));
    this.#handler.record(this.#record);
  }

  /** Puts the decoded text of a value behind the text to be read; false when a reference in it is wrong. */
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
    const landmarks = { root: this.root, record: this.#recordName?.text ?? '' };
    const found = readNotFlat(textOf(this.#units, from, limit), complete, landmarks);
    if (found === 'incomplete') return INCOMPLETE;
    if (found.broken !== null) {
      this.#record.number++;
      this.#handler.broken(found.broken, textOf(this.#units, from, from + found.length));
    } else {
      this.#recordName = this.#names.lookUp(this.#units, from + 1, this.#length);
      this.#deliver(found);
    }
    return from + found.length;
  }

  #deliver(found: NotFlat): void {
    this.#begin();
    for (const { element, text, forbidden } of found.fields) {
      this.#reserveScratch(this.#scratch + text.length);
      this.#units.set(unitsOf(text), this.#scratch);
      this.#put(this.#names.get(element), text.length, forbidden);
    }
    for (const what of found.stray) this.#handler.stray(what);
    this.#finish();
  }

  #reserveScratch(size: number): void {
    if (this.#units.length >= size) return;
    const larger = new Uint16Array(size + this.#longest);
    larger.set(this.#units);
    this.#units = larger;
    this.#record.units = larger;
  }
}
