import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unitsOf } from '../../../ingest/scan/text.ts';
import {
  dayNumber,
  mastrDigits,
  mastrPrefix,
  parseDay,
  parseDecimal,
  parseFlag,
  parseInteger,
  parseMicroseconds,
  parseSeconds,
} from '../../../ingest/stage/values.ts';
import { isMastrNumber, mastrBits } from '../../../sql/register/mastr-number.ts';
import { cases } from '../../support/cases.ts';

/** Typed values, against naive readers made of Date, Number and BigInt. */

type Read = (units: Uint16Array, start: number, end: number) => number;

/** The value of a text that stands between others: a reader must look at nothing outside of its bounds. */
function read(reader: Read, text: string): number {
  const value = reader(unitsOf(`9${text}9`), 1, text.length + 1);
  expect(Object.is(value, reader(unitsOf(text), 0, text.length)), text).toBe(true);
  return value;
}

const MILLISECONDS_PER_DAY = 86_400_000;
const dayOf = (text: string): number => Date.parse(`${text}T00:00:00Z`) / MILLISECONDS_PER_DAY;
const secondsOf = (text: string): number => Date.parse(`${text}Z`) / 1000;

/** Seconds, and microseconds behind them. */
const time = (text: string): [number, number] => [read(parseSeconds, text), read(parseMicroseconds, text)];
const twoDigits = (value: number): string => String(value).padStart(2, '0');

describe('days', () => {
  it.each([
    '1970-01-01',
    '1969-12-31',
    '2000-02-29',
    '2024-02-29',
    '1900-02-28',
    '1900-03-01',
    '2100-12-31',
    '0001-01-01',
    '9999-12-31',
    '1880-01-01',
  ])('%s', (text) => {
    expect(read(parseDay, text)).toBe(dayOf(text));
  });

  it.each([
    '1900-02-29',
    '2023-02-29',
    '2100-02-29',
    '0000-01-01',
    '2024-13-01',
    '2024-00-01',
    '2024-04-31',
    '2024-01-32',
    '2024-01-00',
    '2024-1-01',
    '24-01-01',
    '02024-01-01',
    '2024/01/01',
    '2024-01-0a',
    '20a4-01-01',
    '-024-01-01',
    '2024-01-01 00:00:00',
    '2024-01-01Z',
    '2024-01-',
    '31.12.2024',
    '\u0661\u0662\u0663\u0664-01-01',
  ])('%s is not valid', (text) => {
    expect(read(parseDay, text)).toBeNaN();
  });

  it.each(['2024-06-30T00:00:00', '2024-06-30T23:59:59.9999999', '2024-06-30T00:00:00Z'])(
    'leave out the time behind them: %s',
    (text) => {
      expect(read(parseDay, text)).toBe(dayOf('2024-06-30'));
    },
  );

  it('are those of the calendar, all of them from year 1 to 9999', () => {
    let expected = dayOf('0001-01-01');
    for (let year = 1; year <= 9999; year++) {
      for (let month = 1; month <= 12; month++) {
        for (let each = 1; each <= 32; each++) {
          const number = dayNumber(year, month, each);
          if (Number.isNaN(number)) continue;
          if (number !== expected) expect(number, `${year}-${month}-${each}`).toBe(expected);
          expected++;
        }
      }
    }
    expect(expected - 1).toBe(dayOf('9999-12-31'));
  });
});

describe('times', () => {
  it.each([
    ['2026-03-14T01:02:03', '2026-03-14T01:02:03', 0],
    ['2026-03-14T01:02:03Z', '2026-03-14T01:02:03', 0],
    ['2026-03-14', '2026-03-14T00:00:00', 0],
    ['2026-03-14T00:00:00', '2026-03-14T00:00:00', 0],
    ['2026-03-14T23:59:59.999999', '2026-03-14T23:59:59', 999_999],
    ['2026-03-14T23:59:59.9999999', '2026-03-14T23:59:59', 999_999],
    ['2026-03-14T01:02:03.1', '2026-03-14T01:02:03', 100_000],
    ['2026-03-14T01:02:03.0000001Z', '2026-03-14T01:02:03', 0],
    ['1969-12-31T23:59:59.5', '1969-12-31T23:59:59', 500_000],
    ['9999-12-31T23:59:59.9999999', '9999-12-31T23:59:59', 999_999],
    ['0001-01-01T00:00:00.0000009', '0001-01-01T00:00:00', 0],
  ])('%s', (text, whole, micros) => {
    expect(time(text)).toEqual([secondsOf(whole), micros]);
  });

  it.each([
    '2026-03-14T24:00:00',
    '2026-03-14T23:60:00',
    '2026-03-14T23:59:60',
    '2026-02-29T00:00:00',
    '2026-03-14T01:02',
    '2026-03-14T01:02Z',
    '2026-03-14T',
    '2026-03-14Z',
    '2026-03-14T01:02:03.',
    '2026-03-14T01:02:03.Z',
    '2026-03-14T01:02:03,5',
    '2026-03-14T01:02:03.5x',
    '2026-03-14T01:02:03+01:00',
    '2026-03-14T01:02:03ZZ',
    '2026-03-14 01:02:03',
    '2026-03-14T1:02:03',
  ])('%s is not valid', (text) => {
    expect(read(parseSeconds, text)).toBeNaN();
  });

  it('with 0 to 9 digits of a second, truncated after the sixth', () => {
    const moment = fc.record({
      whole: fc.integer({ min: Date.parse('0001-01-01') / 1000, max: Date.parse('9999-12-31T23:59:59Z') / 1000 }),
      fraction: fc.array(fc.nat(9), { maxLength: 9 }).map((digits) => digits.join('')),
      zone: fc.constantFrom('', 'Z'),
    });
    fc.assert(
      fc.property(moment, ({ whole, fraction, zone }) => {
        const text = new Date(whole * 1000).toISOString().slice(0, 19) + (fraction && `.${fraction}`) + zone;
        expect(time(text)).toEqual([whole, Number(fraction.padEnd(6, '0').slice(0, 6))]);
      }),
      { numRuns: cases(2000) },
    );
  });
});

/** Half away from zero, in whole numbers of any size. Texts with and without exponents. */
function naiveDecimal(text: string, places: number): number {
  const match = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text)!;
  const [, sign, whole, fraction, exponent] = match;
  const digits = BigInt(`0${whole}${fraction}`);
  const shift = Number(exponent ?? 0) - fraction!.length + places;
  const divisor = 10n ** BigInt(Math.max(0, -shift));
  const scaled = (2n * digits * 10n ** BigInt(Math.max(0, shift)) + divisor) / (2n * divisor);
  if (scaled > 999_999_999_999_999n) return Number.NaN;
  return sign === '-' && scaled !== 0n ? -Number(scaled) : Number(scaled);
}

describe('decimals', () => {
  it.each([
    ['3000.000', 3, 3_000_000],
    ['0', 3, 0],
    ['-0', 3, 0],
    ['-0.0004', 3, 0],
    ['0.0005', 3, 1],
    ['-0.0005', 3, -1],
    ['0.00049999', 3, 0],
    ['1.0005', 3, 1001],
    ['1.9995', 3, 2000],
    ['2.5', 3, 2500],
    ['.5', 3, 500],
    ['5.', 3, 5000],
    ['+5', 3, 5000],
    ['007.1', 3, 7100],
    ['52.5200081', 6, 52_520_008],
    ['52.5200085', 6, 52_520_009],
    ['-13.4049545', 6, -13_404_955],
    ['999999999999.999', 3, 999_999_999_999_999],
    ['1E3', 3, 1_000_000],
    ['1.0005e0', 3, 1001],
    ['-1.0005e0', 3, -1001],
    ['5E-4', 3, 1],
    ['4.9E-4', 3, 0],
    ['-1e-9', 3, 0],
    ['1.5e+2', 3, 150_000],
    ['0e99', 3, 0],
  ])('%s to %i places', (text, places, value) => {
    expect(read((units, start, end) => parseDecimal(units, start, end, places), text)).toBe(value);
  });

  it.each([
    '',
    '.',
    '-',
    '+',
    '-.',
    'e5',
    '1e',
    '.e5',
    '1,5',
    '1.000,5',
    '1.5.0',
    '--1',
    '+-1',
    '1-',
    ' 1',
    '1 kW',
    'NaN',
    'INF',
    '0x10',
    '999999999999.9995',
    '1000000000000',
    '1e12',
    '1e400',
    '1e99999',
    '9'.repeat(400),
    `1e5${'0'.repeat(80)}`,
    '\u0661',
  ])('%s is not valid', (text) => {
    expect(read((units, start, end) => parseDecimal(units, start, end, 3), text)).toBeNaN();
  });

  it.each([
    ['29.9996', 0, 29],
    ['29.99999999999999999999', 0, 29],
    ['2.99996E1', 0, 29],
    ['30', 0, 30],
    ['30.000', 0, 30],
    ['3e1', 0, 30],
    ['-30.9', 0, -30],
    ['.9', 0, 0],
    ['1.0009', 3, 1000],
  ])('%s truncated after %i places', (text, places, value) => {
    expect(read((units, start, end) => parseDecimal(units, start, end, places, 'truncated'), text)).toBe(value);
  });

  it('are rounded half away from zero in every notation', () => {
    const digits = (maxLength: number) => fc.array(fc.nat(9), { maxLength }).map((all) => all.join(''));
    const number = fc.record({
      sign: fc.constantFrom('', '-', '+'),
      whole: digits(14),
      fraction: fc.oneof(
        digits(12),
        digits(4).map((all) => `${all}5`),
        digits(4).map((all) => `${all}4999999999`),
      ),
      exponent: fc.oneof(
        { weight: 2, arbitrary: fc.constant('') },
        fc.integer({ min: -12, max: 12 }).map((at) => `e${at}`),
      ),
      places: fc.constantFrom(3, 6),
    });
    fc.assert(
      fc.property(number, ({ sign, whole, fraction, exponent, places }) => {
        fc.pre(whole + fraction !== '');
        const text = `${sign}${whole}${fraction && `.${fraction}`}${exponent}`;
        const value = read((units, start, end) => parseDecimal(units, start, end, places), text);
        expect(value, text).toBe(naiveDecimal(text, places));
      }),
      { numRuns: cases(5000) },
    );
  });
});

describe('integers', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['+7', 7],
    ['0007', 7],
    ['2147483647', 2_147_483_647],
    ['-2147483648', -2_147_483_648],
  ])('%s', (text, value) => {
    expect(read(parseInteger, text)).toBe(value);
  });

  it.each([
    '',
    '-',
    '+',
    '2147483648',
    '-2147483649',
    '4294967296',
    '99999999999',
    '1.0',
    '1e3',
    ' 1',
    'a',
    '--1',
    '0x1',
  ])('%s is not valid', (text) => {
    expect(read(parseInteger, text)).toBeNaN();
  });

  it('are all that fit into 32 bits', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.bigInt({ min: -(10n ** 10n), max: 10n ** 10n })), (value) => {
        const fits = BigInt.asIntN(32, BigInt(value)) === BigInt(value);
        expect(read(parseInteger, String(value))).toBe(fits ? Number(value) : Number.NaN);
      }),
      { numRuns: cases(2000) },
    );
  });
});

describe('flags', () => {
  it.each([
    ['0', 0],
    ['1', 1],
    ['true', 1],
    ['false', 0],
    ['True', 1],
    ['FALSE', 0],
  ])('%s', (text, value) => {
    expect(read(parseFlag, text)).toBe(value);
  });

  it.each(['', '2', '-1', '01', 'ja', 'nein', 'tru', 'truee', 'fa1se', 'wahr', '\u0154rue'])(
    '%s is not valid',
    (text) => {
      expect(read(parseFlag, text)).toBeNaN();
    },
  );
});

describe('MaStR numbers', () => {
  const letters = fc.array(fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), { minLength: 3, maxLength: 3 });
  const numbers = fc
    .tuple(letters, fc.bigInt({ min: 0n, max: 999_999_999_999n }))
    .map(([prefix, digits]) => prefix.join('') + String(digits).padStart(12, '0'));
  const asNumber = (text: string): bigint =>
    BigInt(mastrPrefix(unitsOf(text), 0)) * 2n ** 40n + BigInt(mastrDigits(unitsOf(text), 0, text.length));

  it('have as many bits as MaStR numbers need', () => {
    fc.assert(
      fc.property(numbers, (text) => {
        expect(isMastrNumber(text)).toBe(true);
        expect(asNumber(text)).toBe(mastrBits(text));
      }),
      { numRuns: cases(2000) },
    );
  });

  it('have the same order as numbers and as texts', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        expect(asNumber(a) < asNumber(b)).toBe(a < b);
        expect(asNumber(a) === asNumber(b)).toBe(a === b);
      }),
      { numRuns: cases(2000) },
    );
  });

  it.each([
    ['AAA000000000000', 0n],
    ['AAB000000000001', 2n ** 40n + 1n],
    ['ZZZ999999999999', 17_575n * 2n ** 40n + 999_999_999_999n],
  ])('%s', (text, value) => {
    expect(read(mastrDigits, text)).toBe(Number(text.slice(3)));
    expect(asNumber(text)).toBe(value);
  });

  it.each([
    '',
    'SEE90000000000',
    'SEE9000000000001',
    'see900000000000',
    'SE9000000000000',
    'SEE90000000000a',
    'SEE 90000000000',
    '\u00c4EE900000000000',
    '[EE900000000000',
  ])('%s is not valid', (text) => {
    expect(read(mastrDigits, text)).toBeNaN();
  });
});

it('a two-digit month is never read as one digit', () => {
  for (let month = 1; month <= 12; month++) {
    expect(read(parseDay, `2026-${twoDigits(month)}-15`)).toBe(dayOf(`2026-${twoDigits(month)}-15`));
  }
});
