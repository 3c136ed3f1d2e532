import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../support/cases.ts';
import { anyCharacter } from '../../support/characters.ts';
import { brokenOf, expectSameWhereverCut, refusalOf, scan, scanPieces, valuesOf } from '../../support/scan.ts';
import { flatRecord, plainDocument, RECORD, ROOT, wildRecord } from '../../support/xml.ts';

/** A record that is not well-formed costs itself and nothing else. */

const good = (ort: string): string => `<${RECORD}><Ort>${ort}</Ort><Weic>w</Weic></${RECORD}>`;
const valuesOfGood = (ort: string): Record<number, string> => ({ 1: ort, 3: 'w' });

/** Each is one broken record. */
const BROKEN: Readonly<Record<string, string>> = {
  'cut off in a text': `<${RECORD}><Ort>x</Ort><Weic>y`,
  'cut off in a start tag': `<${RECORD}><Ort>x</Ort><Wei`,
  'cut off in an end tag': `<${RECORD}><Ort>x</Or`,
  'cut off behind a field': `<${RECORD}><Ort>x</Ort>`,
  'cut off in an attribute': `<${RECORD}><Ort a="x`,
  'cut off in an end tag of its own': `<${RECORD}><Ort>x</Ort></${RECORD.slice(0, -2)}`,
  'a start tag cut in its name': `<${RECORD.slice(0, 4)}<Ort>x</Ort></${RECORD}>`,
  'a start tag with another name': `<${RECORD}x><Ort>x</Ort></${RECORD}>`,
  'no start tag': `<Ort>x</Ort><Weic/><Neu>z</Neu></${RECORD}>`,
  'no start tag, and an empty field': `<Ort></Ort><Weic>y</Weic></${RECORD}>`,
  'no start tag, and a lone ampersand': `<Ort>a & b</Ort><Weic>y</Weic></${RECORD}>`,
  'nothing but an end tag that is cut in its name': `<Ort>x</Ort></${RECORD.slice(0, -2)}`,
  'a text that is longer than any record': `<${RECORD}><Ort>${'x'.repeat(10_000)}</Ort><Weic>y</Weic></${RECORD}>`,
  'wrong end tag': `<${RECORD}><Ort>x</Weic></${RECORD}>`,
  'wrong end tag of the record': `<${RECORD}><Ort>x</Ort></${RECORD}er>`,
  'end tags in the wrong order': `<${RECORD}><Ort><b>x</Ort></b></${RECORD}>`,
  'missing end tag': `<${RECORD}><Ort>x<Weic>y</Weic></${RECORD}>`,
  'an end tag with an attribute': `<${RECORD}><Ort>x</Ort a="b"></${RECORD}>`,
  'a tag in a tag': `<${RECORD}><Ort <Weic>y</Weic></${RECORD}>`,
  'an end tag in a tag': `<${RECORD}><Ort </Ort></${RECORD}>`,
  'a tag in an attribute': `<${RECORD}><Ort a="<b>">x</Ort></${RECORD}>`,
  'a tag without a name': `<${RECORD}><>x</></${RECORD}>`,
  'undefined reference': `<${RECORD}><Ort>x&foo;</Ort></${RECORD}>`,
  'undefined reference that is a property of objects': `<${RECORD}><Ort>&constructor;</Ort></${RECORD}>`,
  'reference without a number': `<${RECORD}><Ort>&#;</Ort></${RECORD}>`,
  'reference beyond Unicode': `<${RECORD}><Ort>&#x110000;</Ort></${RECORD}>`,
  'reference without its end': `<${RECORD}><Ort>&amp x</Ort></${RECORD}>`,
  'lone ampersand': `<${RECORD}><Ort>a & b</Ort></${RECORD}>`,
  'ampersand at the end of a text': `<${RECORD}><Ort>a&</Ort></${RECORD}>`,
  'unclosed CDATA': `<${RECORD}><Ort><![CDATA[x</Ort></${RECORD}>`,
  'unclosed comment': `<${RECORD}><Ort>x<!-- </Ort></${RECORD}>`,
  'comment with --': `<${RECORD}><Ort>x<!-- -- --></Ort></${RECORD}>`,
  'unclosed instruction': `<${RECORD}><Ort>x<?go </Ort></${RECORD}>`,
};

describe.each(Object.entries(BROKEN))('a record that is broken: %s', (_, damaged) => {
  it.each([
    ['first', [damaged, good('1'), good('2'), good('3'), good('4')]],
    ['in the middle', [good('1'), good('2'), damaged, good('3'), good('4')]],
    ['last', [good('1'), good('2'), good('3'), good('4'), damaged]],
  ])('is lost alone when it is %s', (_, records) => {
    const text = plainDocument(records);
    const events = scan(text);
    expect(valuesOf(events)).toEqual(['1', '2', '3', '4'].map(valuesOfGood));
    expect(brokenOf(events)).toHaveLength(1);
    expect(refusalOf(events)).toBeNull();
    // What a known kind has to hold is no reason to refuse one that has a single damaged record.
    expect(scan(text, ROOT)).toEqual(events);
    if (text.length < 2000) expectSameWhereverCut(text);
    else expect(scanPieces(text.match(/.{1,500}/gs) ?? [])).toEqual(events);
  });
});

/** The end of an instruction or of a CDATA section also ends one that an earlier record left open. */
const endsNothing = (text: string): boolean => !/\?>|\]>|-->/.test(text);

describe('broken records', () => {
  it('in a row are reported one by one', () => {
    const all = Object.values(BROKEN).filter((damaged) => damaged.length < 1000);
    const text = plainDocument(all.flatMap((damaged) => [good('1'), damaged]));
    expect(valuesOf(scan(text))).toEqual(all.map(() => valuesOfGood('1')));
    expect(brokenOf(scan(text))).toHaveLength(all.length);
    expectSameWhereverCut(text);
  });

  it('count in the numbers of the records after them', () => {
    const events = scan(plainDocument([good('1'), `<${RECORD}><Ort>&foo;</Ort></${RECORD}>`, good('2')]));
    expect(events.flatMap((event) => ('record' in event ? [event.record] : []))).toEqual([1, 3]);
  });

  it('end where the next record begins, when they contain it', () => {
    const text = plainDocument([`<${RECORD}><Ort>x</Ort>${good('1')}</${RECORD}>`, good('2')]);
    expect(valuesOf(scan(text))).toEqual(['1', '2'].map(valuesOfGood));
    expect(brokenOf(scan(text))).toHaveLength(1);
    expectSameWhereverCut(text);
  });

  it('do not end the file where records have the name of the root', () => {
    const kind = 'Ertuechtigungen';
    const records = ['1', '2'].map((ort) => `<${kind}><Ort>${ort}</Ort></${kind}>`);
    const text = plainDocument([records[0]!, `<${kind}><Ort>&foo;<Ort></${kind}>`, records[1]!], kind);
    expect(valuesOf(scan(text))).toEqual([{ 1: '1' }, { 1: '2' }]);
    expect(brokenOf(scan(text))).toHaveLength(1);
    expectSameWhereverCut(text);
  });

  it('are lost alone: any record, broken in any way', () => {
    const records = fc.array(fc.oneof(flatRecord, wildRecord).filter(endsNothing), { maxLength: 3 });
    fc.assert(
      fc.property(records, records, fc.constantFrom(...Object.values(BROKEN)), (before, behind, damaged) => {
        const text = plainDocument([good('0'), ...before, damaged, ...behind]);
        const expected = valuesOf(scan(plainDocument([good('0'), ...before, ...behind])));
        expect(valuesOf(scan(text))).toEqual(expected);
        expect(brokenOf(scan(text))).toHaveLength(1);
      }),
      { numRuns: cases(400) },
    );
  });

  it('have the same events wherever the file is split', () => {
    fc.assert(
      fc.property(wildRecord, fc.constantFrom(...Object.values(BROKEN)), wildRecord, (before, damaged, behind) => {
        if (damaged.length < 1000) expectSameWhereverCut(plainDocument([before, damaged, behind]));
      }),
      { numRuns: cases(60) },
    );
  });

  it('that are cut off anywhere are lost alone at most', () => {
    fc.assert(
      fc.property(flatRecord, fc.nat(), (record, place) => {
        const cut = record.slice(0, place % record.length);
        const events = scan(plainDocument([good('1'), cut, good('2')]));
        expect(valuesOf(events)).toEqual(['1', '2'].map(valuesOfGood));
        expect(brokenOf(events).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: cases(400) },
    );
  });
});

describe('a record without an end', () => {
  const endless = `<${RECORD}><Ort>${'x'.repeat(10_000)}`;

  it('is given up after the maximum length, not at the end of the file', () => {
    const text = plainDocument([good('1'), `<${RECORD}>${'<Neu>x</Neu>'.repeat(2000)}`]).replace(/<[^>]*>$/, '');
    const events = scan(text);
    expect(valuesOf(events).slice(0, 1)).toEqual([valuesOfGood('1')]);
    expect(brokenOf(events)[0]).toBe('longer than 4096 characters');
  });

  it('causes no other to be lost', () => {
    const text = plainDocument([good('1'), endless, good('2')]);
    expect(valuesOf(scan(text))).toEqual(['1', '2'].map(valuesOfGood));
    const pieces = text.match(/.{1,100}/g)!;
    expect(valuesOf(scanPieces(pieces))).toEqual(['1', '2'].map(valuesOfGood));
  });

  it('is like a comment without an end between records', () => {
    const text = plainDocument([good('1'), `<!-- ${'x'.repeat(10_000)}`, good('2')]);
    expect(valuesOf(scan(text))).toEqual(['1', '2'].map(valuesOfGood));
    expect(valuesOf(scanPieces(text.match(/.{1,100}/g)!))).toEqual(['1', '2'].map(valuesOfGood));
  });
});

/** A record and a fault that a disk, a network or a program makes in it. */
const damagedRecord = fc
  .tuple(flatRecord, fc.nat(), fc.nat(9), fc.string({ unit: fc.constantFrom(...'<>/&;"=x \0'), maxLength: 3 }))
  .map(([record, place, lost, put]) => {
    const at = place % record.length;
    return record.slice(0, at) + put + record.slice(at + lost);
  })
  // An opened comment, section or instruction takes with it everything up to the end of another one.
  // An empty record is one, and its fields behind it are another.
  .filter((text) => !/<[!?]/.test(text) && !text.includes(`<${RECORD}/`));

describe('damage anywhere in a record', () => {
  it.each([
    ['the first', 0],
    ['one in the middle', 2],
    ['the last', 4],
  ])('loses that record and no other: %s', (_, place) => {
    const others = ['1', '2', '3', '4'];
    fc.assert(
      fc.property(damagedRecord, (damaged) => {
        const records = others.map(good).toSpliced(place, 0, damaged);
        const events = scan(plainDocument(records));
        const kept = valuesOf(events).filter((values) => values[3] === 'w' && others.includes(values[1] ?? ''));
        expect(kept).toEqual(others.map(valuesOfGood));
        // An end tag that has lost its slash is the beginning of one more.
        expect(valuesOf(events).length + brokenOf(events).length).toBeLessThanOrEqual(others.length + 2);
        expect(refusalOf(events)).toBeNull();
      }),
      { numRuns: cases(600) },
    );
  });

  it.each([
    ['elements that nest', `<${RECORD}>${'<a>'.repeat(99)}x${'</a>'.repeat(99)}</${RECORD}>`],
    ['elements that nest without an end', `<${RECORD}>${'<a>'.repeat(99)}`],
    ['elements that nest under another name', `<x>${'<a>'.repeat(99)}x${'</a>'.repeat(99)}</x>`],
    ['a start tag before the first record', '<Daten>'],
  ])('never stops a file of a known kind, wherever it stands: %s', (_, damaged) => {
    const others = Array.from({ length: 20 }, (_, index) => `${index}`);
    for (const place of [0, 1, 10, 20]) {
      const text = plainDocument(others.map(good).toSpliced(place, 0, damaged));
      for (const pieces of [[text], text.match(/.{1,61}/gs) ?? []]) {
        const events = scanPieces(pieces, ROOT);
        expect(valuesOf(events), `at ${place}`).toEqual(others.map(valuesOfGood));
        expect(brokenOf(events), `at ${place}`).toHaveLength(1);
        expect(refusalOf(events)).toBeNull();
      }
    }
  });

  it('within an element of its own is no reason to take that for one around all records', () => {
    const others = Array.from({ length: 20 }, (_, index) => `${index}`);
    const events = scan(plainDocument([`<Daten><${RECORD}><Ort>x<Ort></Daten>`, ...others.map(good)]), ROOT);
    expect(valuesOf(events)).toEqual(others.map(valuesOfGood));
    expect(refusalOf(events)).toBeNull();
  });

  it('in all but one loses all but that one', () => {
    fc.assert(
      fc.property(fc.array(damagedRecord, { minLength: 1, maxLength: 4 }), fc.nat(4), (damaged, place) => {
        const events = scan(plainDocument(damaged.toSpliced(place, 0, good('1'))));
        expect(valuesOf(events)).toContainEqual(valuesOfGood('1'));
        expect(valuesOf(events).length + brokenOf(events).length).toBeLessThanOrEqual(damaged.length * 2 + 1);
      }),
      { numRuns: cases(500) },
    );
  });

  it('that overwrites several loses those that it touches', () => {
    const records = Array.from({ length: 9 }, (_, index) => good(`${index}`));
    const whole = records.join('');
    const length = good('0').length;
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(length * 4), fc.constantFrom('', '\0', 'x'), (from, size, fill) => {
        const to = Math.min(whole.length, from + size);
        const events = scan(plainDocument([whole.slice(0, from), fill.repeat(to - from), whole.slice(to)]));
        const untouched = records.flatMap((_, index) =>
          (index + 1) * length <= from || index * length >= to ? [valuesOfGood(`${index}`)] : [],
        );
        expect(valuesOf(events)).toEqual(expect.arrayContaining(untouched));
        expect(valuesOf(events).length + brokenOf(events).length).toBeLessThanOrEqual(records.length + 1);
        expect(refusalOf(events)).toBeNull();
      }),
      { numRuns: cases(300) },
    );
  });
});

describe('a file that ends in the middle', () => {
  const text = plainDocument([good('1'), good('2'), good('3')]);

  it('yields the complete records, and one broken at most', () => {
    for (let length = text.indexOf(ROOT) + ROOT.length + 1; length < text.length; length++) {
      const part = text.slice(0, length);
      const whole = part.split(`</${RECORD}>`).length - 1;
      const events = scan(part);
      expect(valuesOf(events)).toEqual(['1', '2', '3'].slice(0, whole).map(valuesOfGood));
      const rest = part.slice(part.lastIndexOf('>') + 1);
      expect(brokenOf(events).length, rest).toBeLessThanOrEqual(1);
      // One that ends between records, too: nothing else tells that there were more.
      expect(refusalOf(events)).toMatch(new RegExp(`^it ends before </${ROOT}>, behind [0-3] records$`));
    }
  });

  it('has the same result wherever it is split', () => {
    for (const length of [60, 75, 90, 110, 140, text.length - 3]) expectSameWhereverCut(text.slice(0, length));
  });

  it('without any element is refused', () => {
    for (const nothing of ['', ' ', '<?xml version="1.0"?>', '<!-- x -->', '<R']) {
      expect(refusalOf(scan(nothing)), nothing).toContain('no XML element');
    }
  });
});

describe('text in a place without text', () => {
  it.each([
    ['between records', plainDocument([good('1'), 'some text that is longer than what is shown of it', good('2')]), 1],
    ['around the root', `x${plainDocument([good('1'), good('2')]).replace(/^<\?.*?\?>/, '')}y`, 2],
    ['in a record', plainDocument([good('1').replace('<Weic>', 'text<Weic>'), good('2')]), 1],
    ['an end tag without its beginning', plainDocument([good('1'), '</Ort>', good('2')]), 1],
    [
      'a comment without its end',
      plainDocument([good('1'), '<!-- x ', good('2').replace('><Weic>', '><!-- y --><Weic>')]),
      1,
    ],
  ])('is reported once and loses no record: %s', (_, text, times) => {
    const events = scan(text);
    expect(valuesOf(events)).toEqual(['1', '2'].map(valuesOfGood));
    expect(brokenOf(events)).toEqual([]);
    expect(events.filter((event) => 'stray' in event)).toHaveLength(times);
    expectSameWhereverCut(text);
  });
});

describe('characters that XML forbids', () => {
  it.each([
    ['raw control characters', 'a\u0001b\u0000c\u001f', 3],
    ['references to control characters', 'a&#1;b&#x1F;c', 2],
    ['lone surrogates', 'a\ud800b\udc00c', 2],
    ['a pair the wrong way round', 'a\udc00\ud800bc', 2],
    ['references to surrogates', 'a&#xD83C;b&#xDF00;c', 2],
    ['no characters', 'a\ufffeb\uffffc&#xFFFE;', 3],
    ['in CDATA', 'a<![CDATA[\u0001b\ud800]]>c', 2],
    ['beside a comment', 'a\u0001<!-- x -->b&#2;c', 2],
  ])('are removed and counted, and the record is kept: %s', (_, raw, count) => {
    const text = plainDocument([`<${RECORD}><Ort>${raw}</Ort><Neu>${raw}</Neu></${RECORD}>`, good('1')]);
    const events = scan(text);
    expect(events.filter((event) => !('stray' in event))).toEqual([
      { forbidden: 'Ort', characters: count },
      { forbidden: 'Neu', characters: count },
      { unknown: 'Neu', text: 'abc' },
      { record: 1, values: { 1: 'abc' } },
      { record: 2, values: valuesOfGood('1') },
    ]);
    expectSameWhereverCut(text);
  });
});

describe('any input at all', () => {
  const pieces = fc.constantFrom(
    '<',
    '>',
    '/',
    '&',
    ';',
    '"',
    '=',
    '!',
    '--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '?>',
    ' ',
  );
  const names = fc.constantFrom(
    ROOT,
    RECORD,
    'Ort',
    `<${RECORD}>`,
    `</${RECORD}>`,
    '<Ort>',
    '</Ort>',
    `<${ROOT}>`,
    `</${ROOT}>`,
  );
  const soup = fc.array(fc.oneof(pieces, names, fc.string({ unit: anyCharacter, maxLength: 3 })), { maxLength: 40 });

  it('ends, and has the same result wherever it is split', () => {
    fc.assert(
      fc.property(soup, (parts) => {
        const text = `<${ROOT}>${parts.join('')}`;
        expectSameWhereverCut(text);
      }),
      { numRuns: cases(100) },
    );
  });

  it('is reported once when it is split right before an incomplete tag', () => {
    expectSameWhereverCut(`<${ROOT}>${'x'.repeat(41)}<<`);
  });

  it('loses no record after it', () => {
    fc.assert(
      fc.property(soup, (parts) => {
        const rubbish = parts.join('').replaceAll(/<\/|<[!?]|\[CDATA|--|\?|<EinheitenWind>/g, ' ');
        const text = plainDocument([good('1'), rubbish, good('2'), good('3')]);
        expect(valuesOf(scan(text)).slice(-1)).toEqual([valuesOfGood('3')]);
      }),
      { numRuns: cases(300) },
    );
  });

  it('ends or is refused for arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        for (const text of [Buffer.from(bytes).toString('latin1'), Buffer.from(bytes).toString('utf16le')]) {
          try {
            scanPieces([text]);
          } catch (error) {
            expect(error).toBeInstanceOf(Error);
          }
        }
      }),
      { numRuns: cases(300) },
    );
  });
});
