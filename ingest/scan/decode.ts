/** Bytes of a member as UTF-16 code units, by what the bytes say: the XML declaration of the register is not asked. */

import { unitsOf } from './text.ts';

/** The code units of a file that comes in pieces of any length. */
export async function* codeUnits(pieces: AsyncIterable<Buffer>): AsyncGenerator<Uint16Array> {
  let decoder: Decoder | null = null;
  let head: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (decoder === null) {
      head = head.length === 0 ? piece : Buffer.concat([head, piece]);
      if (head.length < 4) continue;
      decoder = decoderFor(head);
      yield decoder.decode(head);
    } else yield decoder.decode(piece);
  }
  if (decoder === null && head.length > 0) {
    decoder = decoderFor(head);
    yield decoder.decode(head);
  }
  const rest = decoder?.end();
  if (rest !== undefined && rest.length > 0) yield rest;
}

interface Decoder {
  decode(bytes: Buffer): Uint16Array;
  end(): Uint16Array;
}

function decoderFor(head: Buffer): Decoder {
  const [first, second] = head;
  if (first === 0xfe && second === 0xff) return new Utf16(true);
  if ((first === 0xff && second === 0xfe) || second === 0) return new Utf16(false);
  if (first === 0) return new Utf16(true);
  return new Utf8();
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
      this.#carry = bytes.length > whole ? bytes[whole]! : -1;
      return new Uint16Array(bytes.buffer, bytes.byteOffset, whole >> 1);
    }
    const copy = Buffer.alloc(whole);
    if (carried === 1 && whole > 0) copy[0] = this.#carry;
    bytes.copy(copy, carried, 0, whole - carried);
    const left = bytes.length - (whole - carried);
    if (left > 0) this.#carry = bytes[bytes.length - 1]!;
    else if (whole > 0) this.#carry = -1;
    if (this.#swap) copy.swap16();
    return new Uint16Array(copy.buffer, copy.byteOffset, whole >> 1);
  }

  end(): Uint16Array {
    return EMPTY;
  }
}

class Utf8 implements Decoder {
  readonly #decoder = new TextDecoder('utf-8');

  decode(bytes: Buffer): Uint16Array {
    return unitsOf(this.#decoder.decode(bytes, { stream: true }));
  }

  end(): Uint16Array {
    return unitsOf(this.#decoder.decode());
  }
}
