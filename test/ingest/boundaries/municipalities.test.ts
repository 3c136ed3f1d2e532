import { describe, expect, it } from 'vitest';
import { areaOf } from '../../../ingest/boundaries/area.ts';
import { municipalitiesOf, referenceMunicipalities } from '../../../ingest/boundaries/municipalities.ts';
import { isSamePlace } from '../../../ingest/boundaries/same-place.ts';

/** A square of a degree, whose south-western corner is 50° north. */
const square = (key: string, name: string, x: number) =>
  areaOf(key, name, [Float64Array.from([x, 50, x, 51, x + 1, 51, x + 1, 50, x, 50])]);

describe('municipalities of today on a map of earlier years', () => {
  const map = municipalitiesOf(
    [square('01', 'Adorf', 10), square('02', 'Bedorf', 11), square('03', 'Cedorf', 12), square('04', 'Dedorf', 13)],
    {
      // Adorf and Bedorf are Neustadt today. Most of Cedorf went to Dedorf, the rest to Neustadt.
      former: new Map([
        ['01', '09'],
        ['02', '09'],
        ['03', '04'],
      ]),
      divided: [['03', '09']],
    },
  );

  it.each<[key: string, what: string, x: number, inside: boolean]>([
    ['09', 'has what it was merged from', 10.5, true],
    ['09', 'has all that it was merged from', 11.5, true],
    ['09', 'may have a part of what was divided', 12.5, true],
    ['09', 'has nothing else', 13.5, false],
    ['01', 'is where that key leads to', 11.5, true],
    ['04', 'is on the map itself', 13.5, true],
    ['04', 'may have the other part of what was divided', 12.5, true],
    ['03', 'is where most of it went', 13.5, true],
    ['04', 'has nothing of others', 11.5, false],
  ])('%s %s', (key, _, x, inside) => expect(map.distanceTo(key, x, 50.5) === 0).toBe(inside));

  it('is not known by a key that neither of them has', () => expect(map.distanceTo('99', 10.5, 50.5)).toBeNull());

  it('is the one of today at a point, with the names that the map has', () => {
    expect(map.at(10.5, 50.5)).toEqual({ key: '09', names: ['Adorf'] });
    expect(map.at(12.5, 50.5)).toEqual({ key: '04', names: ['Cedorf', 'Dedorf'] });
    expect(map.at(20, 50.5)).toBeNull();
  });
});

describe('the map of the product', () => {
  const map = referenceMunicipalities();

  it('says where places are', () => {
    expect(map.at(13.4, 52.52)).toEqual({ key: '11000000', names: ['Berlin'] });
    expect(map.distanceTo('11000000', 13.4, 52.52)).toBe(0);
    // Potsdam's station, some kilometres beyond the Glienicke bridge.
    expect(map.distanceTo('11000000', 13.066, 52.391)).toBeGreaterThan(2_000);
    expect(map.distanceTo('11000000', 13.066, 52.391)).toBeLessThan(6_000);
  });

  it('has enclaves: Büsingen lies in Switzerland, and Switzerland around it is not Germany', () => {
    expect(map.at(8.69, 47.697)?.key).toBe('08335015');
    expect(map.at(8.64, 47.697)).toBeNull();
  });

  it('has what was divided in all municipalities that have a part of it, and by its former key', () => {
    // Eigenrieden was a part of Rodeberg, which was divided between Dingelstädt and Mühlhausen.
    expect(map.distanceTo('16064046', 10.33, 51.22)).toBe(0);
    expect(map.distanceTo('16061118', 10.33, 51.22)).toBe(0);
    expect(map.distanceTo('16064055', 10.33, 51.22)).toBe(0);
  });

  it('measures how far it is to the land, from the Baltic and from Zurich airport', () => {
    expect(map.toNearest(14.607, 55.603)).toBeGreaterThan(100_000);
    expect(map.toNearest(8.52, 47.485)).toBeGreaterThan(5_000);
    expect(map.toNearest(10, 50)).toBe(0);
  });
});

it.each<[town: string, name: string, same: boolean]>([
  ['Neustadt/Weinstr.', 'Neustadt an der Weinstraße', true],
  ['BERLIN', 'Berlin', true],
  ['Halle', 'Halle (Saale)', true],
  ['Frankfurt am Main', 'Frankfurt am Main', true],
  ['Markt Indersdorf', 'Markt Indersdorf', true],
  ['St. Wendel', 'St. Wendel', true],
  ['Grossbeeren', 'Großbeeren', true],
  ['Muenchen', 'München', true],
  ['Bad Tölz', 'Bad Heilbrunn', false],
  ['Groß Wittensee', 'Groß Grönau', false],
  ['Wald', 'Waldkirch', false],
  ['Bad', 'Bad Tölz', false],
  ['', 'Berlin', false],
])('%s is %s: %s', (town, name, same) => expect(isSamePlace(town, name)).toBe(same));
