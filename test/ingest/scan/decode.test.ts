import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decoded } from '../../support/scan.ts';
import { textOfDocument, wildDocument } from '../../support/xml.ts';

/** Bytes to code units: told from the bytes themselves, wherever the pieces are cut. */

const swapped = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

const ENCODINGS: readonly [name: string, encode: (text: string) => Buffer][] = [
  ['UTF-16LE with a mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16LE', (text) => Buffer.from(text, 'utf16le')],
  ['UTF-16BE with a mark', (text) => swapped(`\ufeff${text}`)],
  ['UTF-16BE', swapped],
  ['UTF-8 with a mark', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-8', (text) => Buffer.from(text)],
];

const TEXT = '<R><Ä>Straße 5, 8° & 日本 \u{1f300}\u{10ffff}\uff06</Ä></R>';
const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');

/** Pieces of lengths 0 and up, in memory of their own. */
function pieces(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const all: Buffer[] = [];
  let at = 0;
  for (const length of lengths) {
    all.push(Buffer.from(bytes.subarray(at, at + length)));
    at += length;
  }
  return [...all, Buffer.from(bytes.subarray(at))];
}

describe.each(ENCODINGS)('%s', (_, encode) => {
  it('is recognised and read', async () => {
    expect(withoutMark(await decoded([encode(TEXT)]))).toBe(TEXT);
  });

  it('gives the same text wherever it is cut', async () => {
    const bytes = encode(TEXT);
    for (let at = 0; at <= bytes.length; at++) {
      expect(withoutMark(await decoded(pieces(bytes, [at]))), `cut at ${at}`).toBe(TEXT);
    }
    const single = Array.from({ length: bytes.length }, () => 1);
    expect(withoutMark(await decoded(pieces(bytes, single)))).toBe(TEXT);
  });

  it('gives the same text for pieces of any length, empty ones and odd positions in memory included', async () => {
    await fc.assert(
      fc.asyncProperty(wildDocument, fc.array(fc.nat(9), { maxLength: 60 }), async (document, lengths) => {
        const text = withoutMark(textOfDocument(document));
        const bytes = encode(text);
        expect(withoutMark(await decoded(pieces(bytes, lengths)))).toBe(text);
        const moved = Buffer.alloc(bytes.length + 1);
        bytes.copy(moved, 1);
        expect(withoutMark(await decoded([moved.subarray(1)]))).toBe(text);
      }),
      { numRuns: 60 },
    );
  });
});

describe('short and damaged files', () => {
  it.each([
    ['nothing', Buffer.alloc(0), ''],
    ['one byte', Buffer.from('<'), '<'],
    ['three bytes of UTF-8', Buffer.from('<R>'), '<R>'],
    ['half a code unit at the end', Buffer.from([0x3c, 0, 0x52, 0, 0x2f]), '<R'],
    ['half a character of UTF-8 at the end', Buffer.from([0x3c, 0x52, 0x3e, 0x61, 0xc3]), '<R>a\ufffd'],
  ])('%s', async (_, bytes, text) => {
    expect(await decoded([bytes])).toBe(text);
    expect(await decoded([...bytes].map((byte) => Buffer.from([byte])))).toBe(text);
  });

  it('lone surrogates pass unchanged: they are the scanner’s business', async () => {
    const units = new Uint16Array([0x3c, 0x52, 0xd800, 0x3e, 0xdc00]);
    expect(await decoded([Buffer.from(units.buffer)])).toBe('<R\ud800>\udc00');
  });
});
