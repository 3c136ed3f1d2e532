import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../support/cases.ts';
import { brokenOf, refusalOf, scan, scanPieces, valuesOf } from '../../support/scan.ts';
import { flatRecord, plainDocument, RECORD, ROOT } from '../../support/xml.ts';

/** A member is what its name says and whole, or the reading stops and says what was seen instead. */

const good = (ort: string): string => `<${RECORD}><Ort>${ort}</Ort><Weic>w</Weic></${RECORD}>`;
const records = (count: number): string => Array.from({ length: count }, (_, index) => good(`${index}`)).join('');

/** Pieces as small as any. */
const inPieces = (text: string): string[] => text.match(/.{1,61}/gs) ?? [];

const prefixed = (text: string): string => text.replaceAll(/<(\/?)(\w)/g, '<$1ns:$2');

describe('a document that is refused', () => {
  it.each([
    ['nothing', '', 'holds no XML element'],
    ['a byte order mark', '\ufeff', 'holds no XML element'],
    ['a declaration', '\ufeff<?xml version="1.0" encoding="UTF-16"?>', 'holds no XML element'],
    ['comments', '<!-- --><!-- x -->', 'holds no XML element'],
    ['text', 'Zugriff gesperrt', 'holds no XML element'],
    ['tags in tags where the root belongs', '<a'.repeat(50), 'holds no XML element'],
    [
      'another kind of file',
      plainDocument([good('1')], 'EinheitenSolar'),
      `holds <EinheitenSolar> where <${ROOT}> belongs`,
    ],
    ['a page', '<!DOCTYPE html><html lang="de"><body>Wartung</body></html>', `holds <html> where <${ROOT}> belongs`],
    ['a document around it', `<Export><${ROOT}>${records(3)}</${ROOT}></Export>`, `holds <Export> where`],
    ['names with a prefix', prefixed(`<${ROOT}>${records(3)}</${ROOT}>`), `holds <…:${ROOT}> where <${ROOT}> belongs`],
    [
      'records with a prefix',
      plainDocument([prefixed(records(3))]),
      `its first 3 records hold no element of ${ROOT}, but <…:Ort>, <…:Weic>`,
    ],
    [
      'thousands of records with a prefix',
      plainDocument([prefixed(records(3000))]),
      `its first 100 records hold no element of ${ROOT}, but <…:Ort>, <…:Weic>`,
    ],
    [
      'an element around the records',
      plainDocument([`<Daten>${records(3)}</Daten>`]),
      `its only record holds no element of ${ROOT}, but <${RECORD}>`,
    ],
    [
      'an element around thousands of records',
      plainDocument([`<Daten>${records(3000)}</Daten>`]),
      `its records lie one level too deep: <${RECORD}> inside of <Daten>`,
    ],
    [
      'an element around each record',
      plainDocument([...Array.from({ length: 300 }, () => `<Satz>${good('1')}</Satz>`)]),
      `its first 100 records hold no element of ${ROOT}, but <${RECORD}>`,
    ],
    ['no end of the root', `<${ROOT}>${records(3)}`, `ends before </${ROOT}>, behind 3 records`],
    ['no end of an empty root', `<${ROOT}>`, `ends before </${ROOT}>, behind 0 records`],
    ['records behind the root', `${plainDocument([good('1')])}${good('2')}`, `behind the end of <${ROOT}>`],
    [
      'a second document',
      plainDocument([good('1')])
        .replace(/<\?.*?\?>/, '')
        .repeat(2),
      `behind the end of <${ROOT}>`,
    ],
    [
      'records of which most are broken',
      plainDocument(Array.from({ length: 2100 }, () => '<E><Ort>a & b</Ort></E>')),
      'records are broken',
    ],
  ])('%s', (_, text, reason) => {
    expect(refusalOf(scan(text, ROOT))).toContain(reason);
    expect(refusalOf(scanPieces(inPieces(text), ROOT))).toContain(reason);
  });

  it('reports only the form of names that are foreign to the register', () => {
    const refusal = refusalOf(scan(plainDocument([], 'erika.beispiel'), ROOT)) ?? '';
    expect(refusal).toContain('holds a tag with a name of 14 characters: letters, punctuation where');
  });
});

describe('a document that is read', () => {
  it.each([
    ['a root without records', `<${ROOT}></${ROOT}>`, 0],
    ['an empty root', `\ufeff<?xml version="1.0"?><${ROOT}/>`, 0],
    ['attributes of the root', `<${ROOT} xmlns:x="urn:y" a='b'>${records(2)}</${ROOT}>`, 2],
    ['a > in an attribute of the root', `<${ROOT} a="b > c" d='>'>${records(2)}</${ROOT}>`, 2],
    ['a > in an attribute of an empty root', `<${ROOT} a=">"/>`, 0],
    ['white space, zeros and a comment behind the root', `${plainDocument([good('1')])} \n\0\0<!-- x -->`, 1],
    ['one record without a known element', plainDocument(['<E><Neu>1</Neu></E>', good('1')]), 2],
  ])('%s', (_, text, count) => {
    const events = scan(text, ROOT);
    expect(refusalOf(events)).toBeNull();
    expect(events.filter((event) => 'stray' in event)).toEqual([]);
    expect(brokenOf(events)).toEqual([]);
    expect(valuesOf(events)).toHaveLength(count);
  });

  it('a root under its name of older levels', () => {
    const former = 'EinheitenGeoSolarthermieGrubenKlaerschlammDruckentspannung';
    const events = scan(plainDocument([good('1')], former), 'EinheitenGeothermieGrubengasDruckentspannung');
    expect(refusalOf(events)).toBeNull();
  });

  it('any complete document, in a file of an unknown kind', () => {
    for (const text of [
      plainDocument([prefixed(records(200))], 'Neu'),
      plainDocument([`<Daten>${records(300)}</Daten>`]),
    ]) {
      expect(refusalOf(scan(text))).toBeNull();
    }
  });

  it('records as the register writes them', () => {
    fc.assert(
      fc.property(fc.array(flatRecord, { maxLength: 5 }), (others) => {
        expect(refusalOf(scan(plainDocument([good('1'), ...others]), ROOT))).toBeNull();
      }),
      { numRuns: cases(200) },
    );
  });
});
