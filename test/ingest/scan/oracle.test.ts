import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../support/cases.ts';
import { readByOracle } from '../../support/oracle.ts';
import { brokenOf, expectSameWhereverCut, type ScanEvent, scan, valuesOf } from '../../support/scan.ts';
import { plainDocument, RECORD, ROOT, textOfDocument, wildDocument } from '../../support/xml.ts';

/** Records and unknown elements as an independent reader of the whole document gives them. */

const expected = (text: string): ScanEvent[] =>
  readByOracle(text).flatMap(({ values, unknown }, index) => [...unknown, { record: index + 1, values }]);

const unlessStray = (events: readonly ScanEvent[]): ScanEvent[] => events.filter((event) => !('stray' in event));

describe('records, against fast-xml-parser', () => {
  it('are the same for every well-formed document', () => {
    fc.assert(
      fc.property(wildDocument, (document) => {
        const text = textOfDocument(document);
        const events = scan(text);
        expect(brokenOf(events)).toEqual([]);
        expect(unlessStray(events)).toEqual(expected(text));
        expect(valuesOf(events)).toHaveLength(document.records.length);
      }),
      { numRuns: cases(1500) },
    );
  });

  it('and all events are the same wherever a document is split', () => {
    fc.assert(
      fc.property(wildDocument, (document) => {
        expectSameWhereverCut(textOfDocument(document));
      }),
      { numRuns: cases(100) },
    );
  });

  it.each([
    ['an empty root', `<${ROOT}/>`],
    ['an empty root with attributes', `<${ROOT} a="b" />`],
    ['a root without records', `<${ROOT}> </${ROOT} >`],
    ['an empty record', plainDocument([`<${RECORD}/>`, `<${RECORD}></${RECORD}>`])],
    ['an empty element', plainDocument([`<${RECORD}><Ort/><Weic></Weic><Neu/></${RECORD}>`])],
    ['white space alone', plainDocument([`<${RECORD}><Ort> \n </Ort></${RECORD}>`])],
    ['the last of repeated elements', plainDocument([`<${RECORD}><Ort>1</Ort><Ort>2</Ort></${RECORD}>`])],
    ['two names of one slot', plainDocument([`<${RECORD}><Ort>1</Ort><Lage>2</Lage></${RECORD}>`])],
    ['line breaks', plainDocument([`<${RECORD}><Ort>1\r\n2\r3&#13;&#10;4</Ort></${RECORD}>`])],
    ['a comment that begins with >', `<${ROOT}><!--> -><Ort>--><${RECORD}><Ort>1</Ort></${RECORD}></${ROOT}>`],
    ['an instruction that holds >', `<${ROOT}><?a > b ?><${RECORD}><Ort>1</Ort></${RECORD}></${ROOT}>`],
  ])('are the same for %s', (_, text) => {
    expect(unlessStray(scan(text))).toEqual(expected(text));
    expectSameWhereverCut(text);
  });
});
