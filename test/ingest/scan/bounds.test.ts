import { describe, expect, it } from 'vitest';
import { DocumentError } from '../../../ingest/scan/document-error.ts';
import { Scanner } from '../../../ingest/scan/scanner.ts';
import { unitsOf } from '../../../ingest/scan/text.ts';
import { RECORD, ROOT, SLOTS } from '../../support/xml.ts';

/**
 * Reading takes time in proportion to what is read, whatever it is. Each of these texts has a million characters: read once,
 * they take a second at most; where something is looked for again from each place, many minutes.
 */

const LENGTH = 1_000_000;
const PIECE = 16_384;

const silent = { record() {}, broken() {}, unknown() {}, forbidden() {}, stray() {} };

/** Reads the text in pieces as small as a stored member's. */
function read(text: string): string | null {
  const scanner = new Scanner(SLOTS, silent, { longest: LENGTH });
  const units = unitsOf(text);
  try {
    for (let at = 0; at < units.length; at += PIECE) scanner.push(units.subarray(at, at + PIECE));
    scanner.end();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return error.message;
  }
  return null;
}

const filled = (part: string): string => part.repeat(Math.ceil(LENGTH / part.length));

describe('endless text is read once', () => {
  it.each([
    ['tags in tags', '<a'],
    ['end tags in tags', '</a'],
    ['instructions', '<?'],
    ['sections', '<![CDATA['],
    ['comments', '<!--'],
    ['comments cut short', '<!-'],
    ['doctypes', '<!x'],
    ['attributes', '<a b="'],
    ['end tags', '</a>'],
    ['text', 'x'],
    ['empty elements', '<a/>'],
    ['fields without a record', '<Ort>x</Ort>'],
    ['records of an instruction', `<${RECORD}><Ort><?</Ort></${RECORD}>`],
    ['records of a section', `<${RECORD}><Ort><![CDATA[</Ort></${RECORD}>`],
    ['records of a comment', `<${RECORD}><Ort><!-- x</Ort></${RECORD}>`],
    ['records of an attribute', `<${RECORD}><Ort a="x</Ort></${RECORD}>`],
    ['records with an attribute', `<${RECORD} a="b"><Ort>x</Ort></${RECORD}>`],
    ['records that begin only', `<${RECORD}><Ort>x`],
    ['elements in elements', '<b>'],
    ['references', `<${RECORD}><Ort>&amp</Ort></${RECORD}>`],
    ['white space', ' '],
  ])(
    '%s',
    (_, part) => {
      for (const before of ['', `<${ROOT}><${RECORD}><Ort>x</Ort></${RECORD}>`]) {
        expect(read(before + filled(part))).not.toBeNull();
      }
    },
    60_000,
  );

  it('an endless name', () => {
    expect(read(`<${ROOT}><${filled('x')}>`)).not.toBeNull();
    expect(read(`<${filled('x')}>`)).not.toBeNull();
  });

  it('in pieces of one character', () => {
    const scanner = new Scanner(SLOTS, silent);
    const text = unitsOf(`<${ROOT}><${RECORD}><Ort>${'x'.repeat(300_000)}`);
    for (let at = 0; at < text.length; at++) scanner.push(text.subarray(at, at + 1));
    expect(() => scanner.end()).toThrow(DocumentError);
  });
});
