import { isUtf8 } from 'node:buffer';
import { DocumentError } from './document-error.ts';
import { formOf } from './form.ts';
import { byteAt } from './typed-arrays.ts';

/**
 * Bytes of a member as UTF-16 code units, by what the bytes say: the register's files are UTF-16, extracted ones may be UTF-8
 * whatever their declaration says. A byte that is no part of a character becomes a lone surrogate, as in Python's
 * "surrogateescape": the scanner leaves it out of its value and counts it, like every other character that XML forbids.
 */

/** Bytes that may declare the encoding: a byte order mark or the XML declaration. */
const HEAD = 256;

/**
 * The code units of a file that comes in pieces of any length.
 * @throws DocumentError when the file has another encoding, or ends in the middle of a character
 */
export async function* codeUnits(pieces: AsyncIterable<Buffer>): AsyncGenerator<Uint16Array> {
  let decoder: Decoder | null = null;
  let head: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (decoder === null) {
      head = head.length === 0 ? piece : Buffer.concat([head, piece]);
      if (head.length < HEAD) continue;
      decoder = decoderFor(head);
      yield decoder.decode(head);
    } else yield decoder.decode(piece);
  }
  if (decoder === null && head.length > 0) {
    decoder = decoderFor(head);
    yield decoder.decode(head);
  }
  if (decoder !== null && !decoder.complete) throw new DocumentError('it ends in the middle of a character');
}

const ZEROS = 'it begins with zeros where XML belongs, like a file that was copied only in part';

interface Decoder {
  decode(bytes: Buffer): Uint16Array;
  /** No character has been begun. */
  readonly complete: boolean;
}

function decoderFor(head: Buffer): Decoder {
  const [first, second, third, fourth] = head;
  if (head.length > 4 && head.subarray(2).every((byte) => byte === 0)) throw new DocumentError(ZEROS);
  if (third === 0 && fourth === 0 && (first === 0) !== (second === 0 || second === 0xfe)) throw encodedAs('UTF-32');
  if (first === 0 && second === 0) {
    if (third === 0xfe || (third === 0 && (fourth ?? 0) !== 0)) throw encodedAs('UTF-32');
    throw new DocumentError(ZEROS);
  }
  if (first === 0xfe && second === 0xff) return new Utf16(true);
  if ((first === 0xff && second === 0xfe) || second === 0) return new Utf16(false);
  if (first === 0) return new Utf16(true);
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']{1,40})/.exec(head.toString('latin1', 0, HEAD))?.[1];
  // UTF-16 is what the declaration still says in a file that was recoded.
  if (declared !== undefined && !/^(utf-?(8|16)(le|be)?|us-ascii)$/i.test(declared)) throw encodedAs(declared);
  return new Utf8();
}

/** Names of encodings in use. Any other text in the declaration may be personal and is not repeated. */
const ENCODINGS =
  /^(?:iso[-_]?8859[-_]?\d{1,2}|latin-?\d|windows-?\d{3,4}|cp-?\d{3,4}|macintosh|utf-?(?:7|32)(?:le|be)?)$/i;

function encodedAs(encoding: string): DocumentError {
  const shown = ENCODINGS.test(encoding) ? encoding : `none that is known (${formOf(encoding)})`;
  return new DocumentError(`its encoding is ${shown}; only UTF-16 and UTF-8 are read`);
}

const EMPTY = new Uint16Array(0);

class Utf16 implements Decoder {
  readonly #swap: boolean;
  /** The first byte of a code unit that the end of a piece has cut. */
  #carry = -1;

  constructor(swap: boolean) {
    this.#swap = swap;
  }

  decode(bytes: Buffer): Uint16Array {
    if (bytes.length === 0) return EMPTY;
    const carried = this.#carry >= 0 ? 1 : 0;
    const whole = (bytes.length + carried) & ~1;
    const inPlace = carried === 0 && !this.#swap && (bytes.byteOffset & 1) === 0;
    if (inPlace) {
      this.#carry = bytes.length > whole ? byteAt(bytes, whole) : -1;
      return new Uint16Array(bytes.buffer, bytes.byteOffset, whole >> 1);
    }
    const copy = Buffer.alloc(whole);
    if (carried === 1 && whole > 0) copy[0] = this.#carry;
    bytes.copy(copy, carried, 0, whole - carried);
    const left = bytes.length - (whole - carried);
    if (left > 0) this.#carry = byteAt(bytes, bytes.length - 1);
    else if (whole > 0) this.#carry = -1;
    if (this.#swap) copy.swap16();
    return new Uint16Array(copy.buffer, copy.byteOffset, whole >> 1);
  }

  get complete(): boolean {
    return this.#carry < 0;
  }
}

/** Bytes that are no UTF-8 in a file of it: with more the file is none, but Latin-1, say. */
const MAX_INVALID = 100;

/** A byte that is no character becomes this plus the byte: a surrogate, which is half a character. */
const ESCAPE = 0xdc00;

class Utf8 implements Decoder {
  #carry: Buffer = Buffer.alloc(0);
  #invalid = 0;

  decode(bytes: Buffer): Uint16Array {
    const all = this.#carry.length === 0 ? bytes : Buffer.concat([this.#carry, bytes]);
    const end = all.length - begunIn(all);
    this.#carry = Buffer.from(all.subarray(end));
    const whole = all.subarray(0, end);
    const units = Buffer.from(isUtf8(whole) ? whole.toString() : this.#escaped(whole), 'utf16le');
    return new Uint16Array(units.buffer, units.byteOffset, units.length >> 1);
  }

  get complete(): boolean {
    return this.#carry.length === 0;
  }

  #escaped(bytes: Buffer): string {
    let text = '';
    let at = 0;
    while (at < bytes.length) {
      const end = at + lengthOfCharacter(bytes[at] ?? 0);
      const character = bytes.subarray(at, end);
      if (isUtf8(character)) {
        text += character.toString();
        at = end;
        continue;
      }
      if (++this.#invalid > MAX_INVALID) throw new DocumentError(`more than ${MAX_INVALID} bytes of it are no UTF-8`);
      text += String.fromCharCode(ESCAPE + (bytes[at++] ?? 0));
    }
    return text;
  }
}

/** Bytes of the character that begins with this one. */
const lengthOfCharacter = (first: number): number => (first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4);

/** Bytes at the end that are the beginning of a character. */
function begunIn(bytes: Buffer): number {
  for (let length = 1; length < 4 && length <= bytes.length; length++) {
    const first = bytes[bytes.length - length] ?? 0;
    if (first >= 0x80 && first < 0xc0) continue;
    return first >= 0xc0 && first < 0xf8 && lengthOfCharacter(first) > length ? length : 0;
  }
  return 0;
}
