import { describe, expect, it } from 'vitest';
import { readByOracle } from '../../support/oracle.ts';
import { expectSameWhereverCut, scan, valuesOf } from '../../support/scan.ts';
import { plainDocument, RECORD } from '../../support/xml.ts';

/** Names that the reader of flat records has no entry for, since there are too many of them, are read all the same. */

const KNOWN = 'Bruttoleistung';

/** Every spelling of a known name by the case of its letters, up to so many. */
const spellings = (count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    [...KNOWN].map((letter, at) => ((index >> at) & 1 ? letter.toUpperCase() : letter.toLowerCase())).join(''),
  );

describe('names that take more room than there is', () => {
  it('unknown ones', () => {
    const names = Array.from({ length: 1_900 }, (_, index) => `${'N'.repeat(240)}${index}`);
    const records = names.map((name, index) => `<${RECORD}><Ort>${index}</Ort><${name}>${index}</${name}></${RECORD}>`);
    const text = plainDocument([...records, ...records]);
    const events = scan(text);
    expect(valuesOf(events).map((values) => values[1])).toEqual(
      [...names, ...names].map((_, index) => String(index % 1_900)),
    );
    const unknown = events.flatMap((event) => ('unknown' in event ? [[event.unknown, event.text]] : []));
    expect(unknown).toEqual([...names, ...names].map((name, index) => [name, String(index % 1_900)]));
  });

  it('spellings of known ones', () => {
    const names = spellings(9_000);
    const records = names.map((name, index) => `<${RECORD}><Ort>x</Ort><${name}>${index}</${name}></${RECORD}>`);
    const events = scan(plainDocument(records));
    expect(valuesOf(events)).toEqual(names.map((_, index) => ({ 1: 'x', 2: String(index) })));
  });

  it('which elements follow which does not matter', () => {
    const fields = ['Ort', 'Weic', 'Neu', 'Bruttoleistung', 'Lage', 'Weic_nv', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
    const records = fields.flatMap((first) =>
      fields.map((second) => `<${RECORD}><${first}>1</${first}><${second}/><Ort>&amp;</Ort></${RECORD}>`),
    );
    const text = plainDocument(records);
    expect(valuesOf(scan(text))).toEqual(readByOracle(text).map(({ values }) => values));
    expectSameWhereverCut(plainDocument(records.slice(0, 20)));
  });
});
