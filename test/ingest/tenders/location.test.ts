import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasPlace, parseLocation } from '../../../ingest/tenders/location.ts';
import { anyCharacter } from '../../support/characters.ts';

/** The expected parts of a cell; members that are left out are not compared. */
type Expected = Partial<ReturnType<typeof parseLocation>>;

describe('the location of an award', () => {
  it.each<[variant: string, cell: string, expected: Expected]>([
    [
      'in its usual form',
      'Niedersachsen, Landkreis Aurich, PLZ 26624, Gemeinde Südbrookmerland, Gemarkung Moordorf: Flur 10: 14/1; 26/1; 448/76 (SEE949739967850)',
      {
        bundesland: 'Niedersachsen',
        landkreis: 'Aurich',
        plz: '26624',
        gemeinde: 'Südbrookmerland',
        gemarkung: 'Moordorf',
        flurstueck: 'Moordorf/10/14/1; Moordorf/10/26/1; Moordorf/10/448/76',
        mastrNummern: ['SEE949739967850'],
        foerderNummern: [],
      },
    ],
    [
      'without Flur',
      'Bayern, Landkreis Aichach-Friedberg, PLZ 86554, Gemeinde Pöttmes, Gemarkung Hohenried: 1264; 1276; 1277; 1278',
      { gemarkung: 'Hohenried', flurstueck: 'Hohenried//1264; Hohenried//1276; Hohenried//1277; Hohenried//1278' },
    ],
    [
      'with commas instead of semicolons',
      'Baden-Württemberg, Landkreis Neckar-Odenwald-Kreis, PLZ 74743, Gemeinde Seckach, Gemarkung Seckach: 2736, 2830, 2831',
      { landkreis: 'Neckar-Odenwald-Kreis', flurstueck: 'Seckach//2736; Seckach//2830; Seckach//2831' },
    ],
    [
      'with several Flur in one Gemarkung',
      'Schleswig-Holstein, Landkreis Rendsburg-Eckernförde, PLZ 24242, Gemeinde Felde, Gemarkung Klein-Nordsee: Flur1: 5/16; 23/7; Flur2: 5/6; 5/4; Flur 3: 24/50',
      {
        gemarkung: 'Klein-Nordsee',
        flurstueck:
          'Klein-Nordsee/1/5/16; Klein-Nordsee/1/23/7; Klein-Nordsee/2/5/6; Klein-Nordsee/2/5/4; Klein-Nordsee/3/24/50',
      },
    ],
    [
      'with a colon as list sign',
      'Niedersachsen, Gemeinde X, Gemarkung Y: Flur5: 24/6: 297/43; 296/42',
      { flurstueck: 'Y/5/24/6; Y/5/297/43; Y/5/296/42' },
    ],
    [
      'with several Gemarkungen, the second without municipality',
      'Thüringen, Kreisfreie Stadt Erfurt, PLZ 99086, Gemeinde Erfurt, Gemarkung Erfurt Nord: Flur 63: 23/20; 23/21\nGemarkung Ilversgehofen: Flur 9: 99/34',
      {
        gemeinde: 'Erfurt',
        gemarkung: 'Erfurt Nord',
        flurstueck: 'Erfurt Nord/63/23/20; Erfurt Nord/63/23/21; Ilversgehofen/9/99/34',
      },
    ],
    [
      'with several municipalities and postcodes',
      'Brandenburg, Landkreis Barnim, PLZ 16321, Gemeinde Bernau, Gemarkung Börnicke: Flur 1: 3\nPLZ 16359, Gemeinde Biesenthal, Gemarkung Danewitz: Flur 2: 4/1',
      { plz: '16321', gemeinde: 'Bernau', gemarkung: 'Börnicke', flurstueck: 'Börnicke/1/3; Danewitz/2/4/1' },
    ],
    [
      'of a city without district',
      'Thüringen, Kreisfreie Stadt Erfurt, PLZ 99086, Gemeinde Erfurt, Gemarkung Gispersleben: Flur 7: 1',
      { bundesland: 'Thüringen', landkreis: 'Erfurt', plz: '99086' },
    ],
    [
      'of a city written as a district',
      'Thüringen, Landkreis Eisenach, Stadt, PLZ 99817, Gemeinde Eisenach, Gemarkung Stedtfeld: Flur 7: 1',
      { landkreis: 'Eisenach', plz: '99817', gemeinde: 'Eisenach' },
    ],
    [
      'with the postcode after the municipality',
      'Nordrhein-Westfalen, Landkreis Heinsberg, Gemeinde Waldfeucht, PLZ 52525, Gemarkung Waldfeucht',
      { plz: '52525', gemeinde: 'Waldfeucht', gemarkung: 'Waldfeucht', flurstueck: null },
    ],
    [
      'with a market as prefix of the municipality',
      'Bayern, Landkreis Weilheim-Schongau, PLZ 82380, Gemeinde Markt Peißenberg, Gemarkung Peißenberg: 2',
      { gemeinde: 'Peißenberg' },
    ],
    [
      'with a town as prefix of the municipality',
      'Gemeinde Stadt Aurich, Gemarkung Aurich: Flur 2: 3',
      { gemeinde: 'Aurich' },
    ],
    [
      'of a municipality whose name begins so',
      'Bayern, Gemeinde Markt Schwaben, Gemarkung X: 2',
      { gemeinde: 'Markt Schwaben' },
    ],
    [
      'of 2017, without state, district and postcode',
      'Gemeinde Behrenhoff, Gemarkung Behrenhoff: Anlage 1: Flur1: 195. Anlage 2: Flur1: 201.',
      {
        bundesland: null,
        landkreis: null,
        plz: null,
        gemeinde: 'Behrenhoff',
        flurstueck: 'Behrenhoff/1/195; Behrenhoff/1/201',
      },
    ],
    [
      'with municipality and Gemarkung swapped, as published',
      'Nordrhein-Westfalen, Landkreis Heinsberg, PLZ 41836, Gemeinde Doveren, Gemarkung Hückelhoven: Flur 1: 2',
      { gemeinde: 'Doveren', gemarkung: 'Hückelhoven' },
    ],
    ['with leading zeros', 'Gemeinde A, Gemarkung B: Flur 003: 006/1; 028', { flurstueck: 'B/3/6/1; B/3/28' }],
    [
      'with a register number after each parcel',
      'Gemeinde A, Gemarkung B: Flur 1: 14 (SEE937139714709); 15 (SEE937139714710)',
      { flurstueck: 'B/1/14; B/1/15', mastrNummern: ['SEE937139714709', 'SEE937139714710'] },
    ],
    [
      'with a register number before the parcel',
      'Gemeinde A, Gemarkung B: RN SEE990347819680: Flur 8: 98.',
      { flurstueck: 'B/8/98', mastrNummern: ['SEE990347819680'] },
    ],
    [
      'of biomass, with the number of the plant',
      'Bayern, Landkreis Ansbach, PLZ 91522, Gemeinde Ansbach, Gemarkung Brodswinden: 13/2. Registernummer(n): EEG996867113048',
      { flurstueck: 'Brodswinden//13/2', mastrNummern: [], foerderNummern: ['EEG996867113048'] },
    ],
    [
      'of biomass, with the numbers of its units only',
      'SEE972583788708; SEE997641674854',
      { mastrNummern: ['SEE972583788708', 'SEE997641674854'], gemeinde: null, flurstueck: null },
    ],
    [
      'of CHP, as a postal address',
      'Musterwerke GmbH\nIndustriestraße 7\n50354 Hürth',
      { plz: '50354', gemeinde: 'Hürth', gemarkung: null, flurstueck: null },
    ],
    [
      'of CHP, with numbers of places',
      'Nordrhein-Westfalen, Gemeinde 028 Hürth, Gemarkung 054674 Hermülheim, Flur 2, Flurstück 679',
      { gemeinde: 'Hürth', gemarkung: 'Hermülheim', flurstueck: 'Hermülheim/2/679' },
    ],
    [
      'of CHP, with the prefix on the first number only',
      '50354 Hürth\nSEE962153796295, 959215616806, 940476409849',
      { mastrNummern: ['SEE962153796295', 'SEE959215616806', 'SEE940476409849'] },
    ],
    ['with a stray quote at its end', 'Gemeinde A, Gemarkung Moor: Flur 1: 98"', { flurstueck: 'Moor/1/98' }],
    [
      'with a hard blank',
      'Landkreis\u00a0Aurich, Gemeinde\u00a0Großefehn',
      { landkreis: 'Aurich', gemeinde: 'Großefehn' },
    ],
  ])('%s', (_, cell, expected) => expect(parseLocation(cell)).toMatchObject(expected));

  it('stays raw when nothing of it parses', () => {
    const cell = '  siehe Anlage ';
    expect(parseLocation(cell)).toMatchObject({ flurstueckRoh: 'siehe Anlage', flurstueck: null, gemeinde: null });
    expect(hasPlace(parseLocation(cell))).toBe(false);
  });

  it('is nothing for an empty cell', () => expect(parseLocation('  ').flurstueckRoh).toBeNull());

  it('keeps the text of any cell and never fails', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (cell) => {
        const { flurstueckRoh } = parseLocation(cell);
        expect(flurstueckRoh ?? '').toBe(cell.replaceAll(/[\u00a0\u202f]/g, ' ').trim());
      }),
    );
  });

  it('finds what it was made of', () => {
    const word = fc.constantFrom('Aurich', 'Klein-Nordsee', 'Erfurt Nord', 'Südbrookmerland', 'Großefehn');
    const parcel = fc.record({
      zaehler: fc.integer({ min: 1, max: 99_999 }),
      nenner: fc.option(fc.integer({ min: 1, max: 9999 })),
    });
    const made = fc.record({
      landkreis: word,
      plz: fc.integer({ min: 1001, max: 99_998 }).map((code) => String(code).padStart(5, '0')),
      gemeinde: word,
      gemarkung: word,
      flur: fc.integer({ min: 1, max: 999 }),
      parcels: fc.array(parcel, { minLength: 1, maxLength: 12 }),
      number: fc.integer({ min: 0, max: 999_999_999 }).map((digits) => `SEE900${String(digits).padStart(9, '0')}`),
      separator: fc.constantFrom('; ', ', ', ';'),
    });
    fc.assert(
      fc.property(made, ({ landkreis, plz, gemeinde, gemarkung, flur, parcels, number, separator }) => {
        const texts = parcels.map(({ zaehler, nenner }) => (nenner === null ? `${zaehler}` : `${zaehler}/${nenner}`));
        const cell = `Hessen, Landkreis ${landkreis}, PLZ ${plz}, Gemeinde ${gemeinde}, Gemarkung ${gemarkung}: Flur ${flur}: ${texts.join(separator)} (${number})`;
        expect(parseLocation(cell)).toEqual({
          ...{ bundesland: 'Hessen', landkreis, plz, gemeinde, gemarkung, flurstueckRoh: cell },
          flurstueck: [...new Set(texts)].map((text) => `${gemarkung}/${flur}/${text}`).join('; '),
          mastrNummern: [number],
          foerderNummern: [],
        });
      }),
    );
  });
});
