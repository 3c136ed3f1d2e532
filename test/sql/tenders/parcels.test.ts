import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldPlace,
  parcelKey,
  parcelKeys,
  parcelNumber,
  parcelsOfPrinted,
  parcelsOfRegister,
  parcelsOfText,
  printParcel,
} from '../../../sql/tenders/parcels.ts';

const keysOf = (gemarkung: string | null, text: string | null) => [...parcelKeys(parcelsOfRegister(gemarkung, text))];

describe('parcels of the register', () => {
  it.each<[gemarkung: string | null, text: string | null, keys: string[]]>([
    [
      'Hohenried',
      '1264, 1276, 1277, 1278',
      ['hohenried||1264', 'hohenried||1276', 'hohenried||1277', 'hohenried||1278'],
    ],
    ['Alsweiler', '10: 68/1, 74', ['alsweiler|10|68/1', 'alsweiler|10|74']],
    ['X', 'Flur40: 217/41, 4/8, 011', ['x|40|217/41', 'x|40|4/8', 'x|40|11']],
    ['X', 'Flur-: 431/5', ['x||431/5']],
    ['X', 'keine Flur; 222-230, 227/2', [...Array.from({ length: 9 }, (_, index) => `x||${222 + index}`), 'x||227/2']],
    ['X', 'Flurnummer 416', ['x||416']],
    ['X', 'Flurnr 1339;1340/3', ['x||1339', 'x||1340/3']],
    ['X', 'Fl. St. 371, 372', ['x||371', 'x||372']],
    ['X', 'Flur 4, Flurstücke 18/8 und 18/9', ['x|4|18/8', 'x|4|18/9']],
    ['X', 'Flur 1052, 1054', ['x||1052', 'x||1054']],
    ['Waldsee Flur 4', '12, 13', ['waldsee|4|12', 'waldsee|4|13']],
    ['Erfurt-Nord, Ilversgehofen', 'Flur63: 23/20', ['erfurtnord|63|23/20', 'ilversgehofen|63|23/20']],
    [
      'Libbenichen, Carzig',
      'Flur 1: 92; 100; 493; 653; 654 (Libbenichen); Flur 1: 137 (Carzig)',
      [
        'libbenichen|1|92',
        'libbenichen|1|100',
        'libbenichen|1|493',
        'libbenichen|1|653',
        'libbenichen|1|654',
        'carzig|1|137',
      ],
    ],
    [null, 'Flur 2: 3', ['|2|3']],
    ['X', null, []],
    ['X', 'siehe Lageplan', []],
  ])('%s, %s', (gemarkung, text, keys) => expect(keysOf(gemarkung, text)).toEqual(keys));

  it('have one in common with the list where the real pair has', () => {
    const list = parcelKeys(parcelsOfText('352; 357; 386', 'Riggau'));
    expect(keysOf('Riggau', '385, 355, 356, 357').filter((key) => list.has(key))).toEqual(['riggau||357']);
  });
});

describe('comparing parcels', () => {
  it.each([
    ['Klein-Nordsee', 'Klein Nordsee'],
    ['Südbrookmerland', 'SUEDBROOKMERLAND'],
    ['Großefehn', 'Grossefehn'],
    ['St. Wendel', 'St.Wendel'],
  ])('%s and %s are one place', (a, b) => expect(foldPlace(a)).toBe(foldPlace(b)));

  it('compares numbers as numbers', () =>
    expect(parcelKeys(parcelsOfText('006/1; 6/01', 'x'))).toEqual(new Set(['x||6/1'])));

  it('writes out a range only as far as a list of parcels goes', () => {
    expect(parcelsOfText('1-99999', 'x')).toHaveLength(1);
    expect(parcelsOfText('9-3', 'x').map(parcelNumber)).toEqual(['9']);
  });

  it('reads back what it prints', () => {
    const parcel = fc.record({
      gemarkung: fc.constantFrom('Aurich', 'Klein-Nordsee', 'Erfurt Nord', ''),
      flur: fc.option(fc.integer({ min: 1, max: 999 })),
      zaehler: fc.integer({ min: 1, max: 99_999 }),
      nenner: fc.option(fc.integer({ min: 1, max: 9999 })),
    });
    fc.assert(
      fc.property(fc.array(parcel, { minLength: 1 }), (parcels) => {
        expect(parcelsOfPrinted(parcels.map(printParcel).join('; '))).toEqual(parcels);
        expect(parcels.map(parcelKey).every((key) => /^[a-z]*\|\d*\|\d+(\/\d+)?$/.test(key))).toBe(true);
      }),
    );
  });
});

it('reads no more parcels of a unit than it may stand on, whatever its text says', () => {
  const places = Array.from({ length: 100 }, (_, index) => `Ort ${String.fromCharCode(65 + (index % 26))}${index}`);
  const ranges = Array.from({ length: 1500 }, (_, index) => `${index + 1}-${index + 50}`).join(', ');
  expect(parcelsOfRegister(places.join(', '), ranges).length).toBeLessThan(2100);
  expect(parcelsOfRegister(places.join(', '), '1, 2, 3')).toHaveLength(40 * 3);
});
