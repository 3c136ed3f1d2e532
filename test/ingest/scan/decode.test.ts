import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DocumentError } from '../../../ingest/scan/document-error.ts';
import { cases } from '../../support/cases.ts';
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

/** The first 256 bytes are read as one piece, however they are cut: what comes behind them is what is joined. */
const behindTheHead = (text: string): string => `<!--${'x'.repeat(256)}-->${text}`;
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

  it.each([TEXT, behindTheHead(TEXT)])('yields the same text wherever it is split: %.20s', async (text) => {
    const bytes = encode(text);
    for (let at = 0; at <= bytes.length; at++) {
      expect(withoutMark(await decoded(pieces(bytes, [at]))), `cut at ${at}`).toBe(text);
    }
    const single = Array.from({ length: bytes.length }, () => 1);
    expect(withoutMark(await decoded(pieces(bytes, single)))).toBe(text);
  });

  it('yields the same text for pieces of any length, including empty ones and odd positions in memory', async () => {
    await fc.assert(
      fc.asyncProperty(wildDocument, fc.array(fc.nat(9), { maxLength: 60 }), async (document, lengths) => {
        const text = behindTheHead(withoutMark(textOfDocument(document)));
        const bytes = encode(text);
        expect(withoutMark(await decoded(pieces(bytes, [encode(behindTheHead('')).length, ...lengths])))).toBe(text);
        const moved = Buffer.alloc(bytes.length + 1);
        bytes.copy(moved, 1);
        expect(withoutMark(await decoded([moved.subarray(1)]))).toBe(text);
      }),
      { numRuns: cases(60) },
    );
  });
});

describe('short and damaged files', () => {
  it.each([
    ['nothing', Buffer.alloc(0), ''],
    ['one byte', Buffer.from('<'), '<'],
    ['three bytes of UTF-8', Buffer.from('<R>'), '<R>'],
  ])('%s', async (_, bytes, text) => {
    expect(await decoded([bytes])).toBe(text);
    expect(await decoded([...bytes].map((byte) => Buffer.from([byte])))).toBe(text);
  });

  it('lone surrogates pass unchanged: the scanner handles them', async () => {
    const units = new Uint16Array([0x3c, 0x52, 0xd800, 0x3e, 0xdc00]);
    expect(await decoded([Buffer.from(units.buffer)])).toBe('<R\ud800>\udc00');
  });

  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

  it.each([
    ['half a code unit at the end', Buffer.from([0x3c, 0, 0x52, 0, 0x2f]), 'ends in the middle of a character'],
    ['half a character of UTF-8 at the end', Buffer.from([0x3c, 0x61, 0xc3]), 'ends in the middle of a character'],
    [
      'a declaration of Latin-1',
      latin1('<?xml version="1.0" encoding="ISO-8859-1"?><R>ä</R>'),
      'encoding is ISO-8859-1',
    ],
    ['Latin-1 without one', latin1(`<R>${'Köln '.repeat(101)}</R>`), 'more than 100 bytes of it are no UTF-8'],
    ['UTF-32 with a mark', Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]), 'encoding is UTF-32'],
    ['UTF-32 with a mark, the other way', Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x3c]), 'encoding is UTF-32'],
    ['UTF-32, the other way', Buffer.from([0, 0, 0, 0x3c, 0, 0, 0, 0x52]), 'encoding is UTF-32'],
    ['zeros behind a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(998)]), 'begins with zeros'],
    ['nothing but zeros', Buffer.alloc(1000), 'begins with zeros where XML belongs'],
    ['zeros instead of a beginning', Buffer.concat([Buffer.alloc(300), latin1('<R/>')]), 'begins with zeros'],
    ['UTF-32', Buffer.from([0x3c, 0, 0, 0, 0x52, 0, 0, 0]), 'encoding is UTF-32'],
    ['a declaration that only begins like UTF-8', latin1('<?xml encoding="UTF-8x"?><R/>'), 'encoding is none that is'],
    ['a declaration that only ends like UTF-8', latin1('<?xml encoding="xUTF-8"?><R/>'), 'encoding is none that is'],
    [
      'half a code unit at the end, behind the head',
      Buffer.concat([Buffer.from(behindTheHead('<R>'), 'utf16le'), Buffer.from([0x2f])]),
      'ends in the middle of a character',
    ],
  ])('%s: refused, wherever it is split', async (_, bytes, reason) => {
    for (const cut of [0, 1, 2, 3, 5, 30, bytes.length - 1, bytes.length]) {
      await expect(decoded(pieces(bytes, [cut])), `cut at ${cut}`).rejects.toThrow(DocumentError);
      await expect(decoded(pieces(bytes, [cut]))).rejects.toThrow(reason);
    }
  });

  it.each(['UTF-8', 'utf8', 'utf-16', 'UTF-16LE', 'US-ASCII'])(
    'a declaration of %s is no finding',
    async (encoding) => {
      for (const text of [
        `<?xml version="1.0" encoding="${encoding}"?><R>ä</R>`,
        `\n <?xml version='1.0' encoding = '${encoding}'?><R>ä</R>`,
      ]) {
        expect(await decoded([Buffer.from(text)])).toBe(text);
      }
    },
  );

  it('only what a file begins with is its declaration', async () => {
    const text = '<R><?xml version="1.0" encoding="ISO-8859-1"?>ä</R>';
    expect(await decoded([Buffer.from(text)])).toBe(text);
  });

  it.each([
    [0xfe, 0x3c],
    [0xff, 0x3c],
    [0x3c, 0xfe],
    [0x3c, 0xff],
  ])('the bytes %i %i are no byte order mark', async (...bytes) => {
    const text = String.fromCharCode(...bytes.map((byte) => (byte < 0x80 ? byte : 0xdc00 + byte)));
    expect(await decoded([Buffer.from(bytes), Buffer.from('R>')])).toBe(`${text}R>`);
  });

  it('bytes that are not UTF-8 become lone surrogates, one each, wherever the file is split', async () => {
    const head = behindTheHead('');
    const bytes = Buffer.concat([
      Buffer.from(`${head}<R>ä\u{1f300}`),
      latin1('ä'),
      Buffer.from('€x'),
      latin1('\u00e2\u0082x\u0080'),
    ]);
    const text = `${head}<R>ä\u{1f300}\udce4€x\udce2\udc82x\udc80`;
    for (let at = 0; at <= bytes.length; at++) expect(await decoded(pieces(bytes, [at])), `cut at ${at}`).toBe(text);
    expect(await decoded([...bytes].map((byte) => Buffer.from([byte])))).toBe(text);
  });

  it('U+FFFD itself is a character like others', async () => {
    expect(await decoded([Buffer.from('<R>\ufffd</R>')])).toBe('<R>\ufffd</R>');
  });
});
