import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mustBeWhole, PLACE_COLUMNS, type PlaceList, readPlaces } from '../../../ingest/tables/read-places.ts';
import { STATE_NAMES } from '../../../sql/register/states.ts';

/** A record of GV100AD: kind, day, key, name, hectares and inhabitants at their places. */
function record(kind: '10' | '40' | '60', key: string, name: string, hectares = 0, inhabitants = 0): string {
  const [area, people] = [hectares, inhabitants].map((number) => String(number).padStart(11, '0'));
  const head = `${kind}20260630${key.padEnd(12)}${name.padEnd(50)}`;
  return kind === '60' ? `${head.padEnd(128)}${area}${people}${'0'.repeat(11)}` : head;
}

/** A municipality in each state. */
const everywhere = Object.keys(STATE_NAMES)
  .sort()
  .map((state) => record('60', `${state}001000`, `Ort ${state}`, 5673, 96_326));

const OFFICIAL = [
  record('10', '01', 'Schleswig-Holstein'),
  record('40', '01001', 'Flensburg, Stadt'),
  ...everywhere,
].join('\r\n');

const csv = (...lines: string[]): string => [PLACE_COLUMNS.join(','), ...lines].join('\n');

describe('GV100AD', () => {
  it('has districts, and municipalities with hectares', () => {
    const { places, ...days } = readPlaces(OFFICIAL, '2025-12-31');
    expect(places.slice(0, 2)).toEqual([
      { ags: '01001', name: 'Flensburg, Stadt', flaecheKm2: null, einwohner: null },
      { ags: '01001000', name: 'Ort 01', flaecheKm2: 56.73, einwohner: 96_326 },
    ]);
    expect(days).toEqual({ gebietsstand: '2026-06-30', einwohnerAm: '2025-12-31' });
  });

  it.each([
    [OFFICIAL, undefined, /--population-day/],
    [`${OFFICIAL}\n${record('60', '01001001', 'Leer', 0, 5)}`, '2025-12-31', /line 19: 01001001 has no area/],
    [
      OFFICIAL.replace('00000096326', '0000009632x'),
      '2025-12-31',
      /line 3: 01001000 has no whole number of inhabitants/,
    ],
  ])('is refused: %#', (text, day, message) => expect(() => readPlaces(text, day)).toThrow(message));
});

const ofProduct = (): PlaceList =>
  readPlaces(readFileSync(new URL('../../../data/reference/places/gemeinden.csv', import.meta.url), 'utf8'));

/** A list that has become what a broken download or a wrong digit makes of it. */
const spoilt = (
  change: (place: PlaceList['places'][number]) => Partial<PlaceList['places'][number]> | null,
): PlaceList => ({
  ...ofProduct(),
  places: ofProduct().places.flatMap((place) => {
    const changed = change(place);
    return changed === null ? [] : [{ ...place, ...changed }];
  }),
});

describe('a list is of the whole country', () => {
  const check = (list: PlaceList) => mustBeWhole(list, ofProduct(), '2026-11-28');

  it('as that of the product is, and one in which places were merged and have grown', () => {
    check(ofProduct());
    check(
      spoilt(({ ags, einwohner }) =>
        ags.startsWith('01055') ? null : { einwohner: einwohner && Math.round(einwohner * 1.05) },
      ),
    );
  });

  it.each([
    [
      'cut off',
      spoilt(({ ags }) => (ags > '16051000' ? null : {})),
      /Thüringen has 1 municipalities; the list of the product has \d+/,
    ],
    [
      'one of three',
      spoilt(({ ags }) => (Number(ags) % 3 === 0 ? null : {})),
      /Schleswig-Holstein has \d+ municipalities; .*\n {2}Schleswig/,
    ],
    [
      'without inhabitants',
      spoilt(({ einwohner }) => ({ einwohner: einwohner && 0 })),
      /Bayern has 0 inhabitants; the list of the product has 13,248,928/,
    ],
    [
      'a digit too many',
      spoilt(({ ags }) => (ags === '09162000' ? { einwohner: 15_000_000 } : {})),
      /^Nothing was loaded:\n {2}Bayern has .* inhabitants; .*$/,
    ],
    [
      'a wrong unit',
      spoilt(({ flaecheKm2 }) => ({ flaecheKm2: flaecheKm2 && flaecheKm2 * 100 })),
      /Bayern has 7,054,158 km²/,
    ],
    ['from tomorrow', { ...ofProduct(), gebietsstand: '2026-11-29' }, /2026-11-29 has not come yet/],
  ])('but not %s', (_, list, message) => expect(() => check(list)).toThrow(message));
});

describe('CSV', () => {
  it('is the form of the list of the product', () => {
    const { places, ...days } = ofProduct();
    const municipalities = places.filter(({ ags }) => ags.length === 8);
    expect(days).toEqual({ gebietsstand: '2026-02-28', einwohnerAm: '2024-12-31' });
    // What the statistical office gives as the country, and the numbers of municipalities, areas without one, and districts.
    expect(municipalities.reduce((sum, { einwohner }) => sum + einwohner!, 0)).toBe(83_577_140);
    expect([municipalities.length, places.length - municipalities.length]).toEqual([10_943, 401]);
  });

  it.each([
    [
      'ags,name\n01001000,Flensburg',
      /lacks flaecheKm2, einwohner, gebietsstand, einwohnerAm; the file is neither GV100AD nor CSV/,
    ],
    [
      csv('01001000,A,1,1,2026-02-28,2024-12-31', '01001000,A,1,1,2026-02-28,2024-12-31'),
      /line 3: 01001000 comes twice/,
    ],
    [csv('0100100,A,1,1,2026-02-28,2024-12-31'), /line 2: ags is no key of five or eight digits/],
    [csv('99001000,A,1,1,2026-02-28,2024-12-31'), /line 2: 99001000 is in no state/],
    [csv('01001000,A,1,1.5,2026-02-28,2024-12-31'), /no whole number of inhabitants/],
    [csv('01001000,A,1,-3,2026-02-28,2024-12-31'), /no whole number of inhabitants/],
    [csv('01001000,A,1,1,2026-02-28,2024-12-31', '02000000,B,1,1,2026-02-27,2024-12-31'), /not one day each/],
    ['', /lacks ags/],
    [csv('01001000,A,1,99999999999999999999,2026-02-28,2024-12-31'), /no whole number of inhabitants/],
    [csv('01001000,A,0.00001,1,2026-02-28,2024-12-31'), /has no area/],
  ])('is refused: %#', (text, message) => expect(() => readPlaces(text)).toThrow(message));
});
