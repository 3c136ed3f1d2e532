import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  awardId,
  awardNumbers,
  hashedAwardId,
  printAwardNumber,
  roundCode,
  SERIES,
} from '../../../sql/tenders/award-number.ts';
import { SERIES_OF } from '../../../sql/tenders/series.ts';
import { anyCharacter } from '../../support/characters.ts';

const textsOf = (text: string) => awardNumbers(text).numbers.map((number) => number.text);

describe('award numbers', () => {
  it.each([
    ['WIN17-1-096', 'WIN17-1/096'],
    ['WIN19-4-004', 'WIN19-4/004'],
    ['Gem18-1-036', 'GEM18-1/036'],
    ['WIN19-6/026', 'WIN19-6/026'],
    ['SOL20-2/150', 'SOL20-2/150'],
    ['BIO21-2/087', 'BIO21-2/087'],
    ['iKWK25-1-2', 'iKWK25-1-2'],
    ['KWK17-1-2', 'KWK17-1-2'],
    ['FFA15-3/110', 'FFA15-3/110'],
    ['SDA21-1/023', 'SDA21-1/023'],
    ['GEE16-1/020', 'GEE16-1/020'],
    ['BME22-1/002', 'BME22-1/002'],
    ['Inn20-1/003', 'INN20-1/003'],
    // As operators type them into the register.
    ['SOL 20-2/046', 'SOL20-2/046'],
    ['Sol19-5/077', 'SOL19-5/077'],
    ['sol24-1/246', 'SOL24-1/246'],
    ['GEM18-2/004', 'GEM18-2/004'],
    ['SOL19-2-005', 'SOL19-2/005'],
    ['  WIN20\u20132 / 12.', 'WIN20-2/012'],
    ['SOL19-2/1234', 'SOL19-2/1234'],
  ])('%s is %s', (text, printed) => {
    expect(awardNumbers(text)).toMatchObject({ numbers: [{ text: printed }], repaired: false, rest: [] });
  });

  it.each([
    ['lnn20-1/128', 'INN20-1/128'],
    ['WlN21-3/132', 'WIN21-3/132'],
    ['lKWK25-1-2', 'iKWK25-1-2'],
  ])('%s is corrected to %s, and that is told', (text, printed) => {
    expect(awardNumbers(text)).toMatchObject({ numbers: [{ text: printed }], repaired: true });
  });

  it.each([
    ['SOL17-2/123; SOL18-2/037', ['SOL17-2/123', 'SOL18-2/037']],
    ['SOL19-2/132;SOL19-2/133;SOL18-3/030', ['SOL19-2/132', 'SOL19-2/133', 'SOL18-3/030']],
    ['SOL19-2/132, SOL19-2/132', ['SOL19-2/132']],
    ['SOL20-2/046,', ['SOL20-2/046']],
    ['SOL20-2/046,KWK17-1-2', ['SOL20-2/046', 'KWK17-1-2']],
    ['WIN23-4-003 / WIN23-4/004', ['WIN23-4/003', 'WIN23-4/004']],
    ['BIO20-1/003 und BIO20-1/004 & BIO20-1/005', ['BIO20-1/003', 'BIO20-1/004', 'BIO20-1/005']],
  ])('%s are %j', (text, printed) => expect(textsOf(text)).toEqual(printed));

  it.each(['102002', '13/2014', 'FAV15-1/015', 'SOL20-2', 'SOL20-0/001', 'SOL20-1/000', 'nein', 'SOL20-2/12345'])(
    '%s is none, and stays as it is',
    (text) => expect(awardNumbers(text)).toEqual({ numbers: [], repaired: false, rest: [text] }),
  );

  it('of any text are found in bounded time, without losing a part', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
        const { numbers, rest } = awardNumbers(text);
        expect(rest.every((part) => text.includes(part))).toBe(true);
        expect(numbers.length + rest.length).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  const parts = fc.record({
    serie: fc.constantFrom(...SERIES),
    jahr: fc.integer({ min: 2015, max: 2099 }),
    ordnungszahl: fc.integer({ min: 1, max: 12 }),
    laufnummer: fc.integer({ min: 1, max: 9999 }),
  });

  it('are read as they are printed, whatever case and separator', () => {
    fc.assert(
      fc.property(parts, fc.boolean(), fc.constantFrom('-', '/'), (number, lower, separator) => {
        const text = `${roundCode(number)}${separator}${number.laufnummer}`;
        expect(awardNumbers(lower ? text.toLowerCase() : text).numbers).toEqual([
          { ...number, text: printAwardNumber(number) },
        ]);
        expect(textsOf(printAwardNumber(number))).toEqual([printAwardNumber(number)]);
      }),
    );
  });

  it('begin with a series that has a technology', () =>
    expect(Object.keys(SERIES_OF).sort()).toEqual([...SERIES].sort()));
});

describe('ids of awards', () => {
  it('are made of tender and bid', () => expect(awardId(2019120110, 26)).toBe(201912011000026));

  it('of numbers that do not parse lie above those of bids, within the tender, and move on when taken', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(200_000), (text, attempt) => {
        const id = hashedAwardId(2019120110, text, attempt) - 2019120110 * 100_000;
        expect(id).toBeGreaterThanOrEqual(10_000);
        expect(id).toBeLessThan(100_000);
        expect(hashedAwardId(2019120110, text, attempt + 1)).not.toBe(id + 2019120110 * 100_000);
      }),
    );
  });

  it('are the same for ever', () => expect(hashedAwardId(2019120110, '102002')).toBe(201912011093488));

  it('stay whole numbers of JavaScript', () => expect(Number.isSafeInteger(hashedAwardId(2099123192, 'x'))).toBe(true));
});
