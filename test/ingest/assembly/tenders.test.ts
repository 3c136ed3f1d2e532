import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderOfTests } from '../../support/exports.ts';
import { queryServed } from '../../support/warehouse.ts';
import { awardRow, buildWithAwards, type Link, linksOf, UNIT, unitOf } from './awards.ts';

/** Awards and units are linked by the rules of docs/tenders.md, in their order. */

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');

beforeAll(() => buildWithAwards(folder.path, warehouse), 120_000);

afterAll(() => folder.remove());

const byRegister = (zuschlagsnummer: string): Link => ({
  ...{ zuschlagsnummer, zuordnung: 'register', regel: 'registernummer', sicherheit: 'sicher' },
});

const byParcel = (zuschlagsnummer: string): Link => ({
  ...{ zuschlagsnummer, zuordnung: 'abgleich', regel: 'flurstueck', sicherheit: 'wahrscheinlich' },
});

describe('pairs of awards and units that were published', () => {
  it.each([
    ['SOL20-2/037, the clean case', 'hohenried', 'SOL20-2/037'],
    ['SOL20-2/150: postcode and municipality differ, Flur as a bare number, parcels overlap', 'tholey', 'SOL20-2/150'],
    ['SOL20-2/065: one parcel in common', 'riggau', 'SOL20-2/065'],
    ['SOL20-6/020: two districts in one field, and a hyphen', 'erfurt', 'SOL20-6/020'],
    ['GEM18-1/036: the register lists more', 'libbenichen', 'GEM18-1/036'],
    [
      'SOL20-2/103: as large as a bid of that time could be, and a little that is paid beyond it',
      'largestBid',
      'SOL20-2/103',
    ],
    ['SOL20-2/081: free text in the register', 'aurau', 'SOL20-2/081'],
  ] as const)('%s', async (_, name, number) => {
    expect(await linksOf(warehouse, name)).toEqual([byParcel(number)]);
    expect((await unitOf(warehouse, name)).eegZuschlagsnummer).toBe(number);
  });

  it('GEM18-1/037: several units have one award, by number', async () => {
    expect(await linksOf(warehouse, 'engelswies1')).toEqual([byRegister('GEM18-1/037')]);
    expect(await linksOf(warehouse, 'engelswies2')).toEqual([byRegister('GEM18-1/037')]);
  });

  it('GEM18-1/021: part of an award has moved to another state; the place stays as published', async () => {
    expect(await linksOf(warehouse, 'felde')).toEqual([byRegister('GEM18-1/021')]);
    expect(await linksOf(warehouse, 'neustrelitz')).toEqual([byRegister('GEM18-1/021')]);
    expect(await awardRow(warehouse, 'GEM18-1/021')).toMatchObject({
      ...{ bundesland: 'Schleswig-Holstein', gemeinde: 'Felde', plz: '24242', standortQuelle: 'REGISTER' },
    });
  });

  it('SOL20-6/036: an award has moved to another site; the place stays as published', async () => {
    expect(await linksOf(warehouse, 'ursensollen')).toEqual([byRegister('SOL20-6/036')]);
    expect(await awardRow(warehouse, 'SOL20-6/036')).toMatchObject({
      ...{ landkreis: 'Kelheim', gemeinde: null, plz: null, standortQuelle: 'PUBLIKATION' },
    });
  });
});

describe('a doubtful match is none', () => {
  it.each([
    ['two awards are on the parcel', 'doubtful'],
    ['the unit is in another state', 'otherState'],
    ['the unit ran before the bid date', 'tooEarly'],
    ['the unit runs years after the bid date', 'tooLate'],
    ['the unit is so small that its parcel is not read', 'smallParcel'],
    ['the unit is larger than what was awarded', 'tooLarge'],
    ['the unit is of another carrier', 'wrongCarrier'],
    ['the list has no volume, and no bid of that time could be so large', 'beyondAnyBid'],
    ['nothing says how large an award of the round can be', 'noBound'],
  ] as const)('%s', async (_, name) => {
    expect(await linksOf(warehouse, name)).toEqual([]);
    expect(await unitOf(warehouse, name)).toMatchObject({
      eegZuschlagsnummer: null,
      gebotstermine: null,
      ausschreibungen: null,
    });
  });
});

describe('numbers', () => {
  it('a unit that the list names has its award; one that no longer exists stays in the list', async () => {
    expect(await linksOf(warehouse, 'listedWind')).toEqual([
      { zuschlagsnummer: 'WIN20-3/007', zuordnung: 'abgleich', regel: 'see_nummer', sicherheit: 'sicher' },
    ]);
    expect((await awardRow(warehouse, 'WIN20-3/007')).mastrNummern).toEqual([UNIT.listedWind, 'SEE999000000999']);
  });

  it('a plant that the list names leads to all its units', async () => {
    const link = { zuschlagsnummer: 'BIO20-1/004', zuordnung: 'abgleich', regel: 'eeg_nummer', sicherheit: 'sicher' };
    expect(await linksOf(warehouse, 'biomass1')).toEqual([link]);
    expect(await linksOf(warehouse, 'biomass2')).toEqual([link]);
    expect(await awardRow(warehouse, 'BIO20-1/004')).toMatchObject({
      mastrNummern: [UNIT.biomass1, UNIT.biomass2],
      foerderNummern: ['EEG999000000300'],
      foerderNummernAbgeleitet: null,
    });
  });

  it('where register and list contradict each other, both links are kept and the register leads', async () => {
    expect(await linksOf(warehouse, 'contradictory')).toEqual([
      { zuschlagsnummer: 'WIN20-3/008', zuordnung: 'abgleich', regel: 'see_nummer', sicherheit: 'wahrscheinlich' },
      byRegister('WIN20-3/009'),
    ]);
    expect((await unitOf(warehouse, 'contradictory')).eegZuschlagsnummer).toBe('WIN20-3/009');
  });

  it('of several awards the field has the newest, and the links all of them once', async () => {
    expect(await linksOf(warehouse, 'several')).toEqual([byRegister('SOL17-2/123'), byRegister('SOL18-2/037')]);
    expect(await unitOf(warehouse, 'several')).toMatchObject({
      eegZuschlagsnummer: 'SOL18-2/037',
      gebotstermine: [2018060120, 2017060120],
    });
  });

  it('a text that is no award number is shown as it is, and links nothing', async () => {
    expect(await linksOf(warehouse, 'unreadable')).toEqual([]);
    expect(await unitOf(warehouse, 'unreadable')).toMatchObject({
      eegZuschlagsnummer: '13/2014',
      ausschreibungen: null,
    });
  });

  it('a number of a round that never was is a link without a round', async () => {
    expect(await linksOf(warehouse, 'noRound')).toEqual([
      { ...byRegister('SOL19-8/312'), sicherheit: 'wahrscheinlich' },
    ]);
    expect(await unitOf(warehouse, 'noRound')).toMatchObject({
      eegZuschlagsnummer: 'SOL19-8/312',
      gebotstermine: null,
    });
  });

  it('a number that the list of its round does not have is not sure, nor is another carrier', async () => {
    expect(await linksOf(warehouse, 'notListed')).toEqual([
      { ...byRegister('WIN20-3/055'), sicherheit: 'wahrscheinlich' },
    ]);
    expect(await linksOf(warehouse, 'notWind')).toMatchObject([
      { zuschlagsnummer: 'WIN20-3/010', sicherheit: 'wahrscheinlich' },
    ]);
  });

  it('an award of combined heat and power is linked, and is no EEG award number', async () => {
    expect(await linksOf(warehouse, 'chp')).toEqual([byRegister('iKWK25-1-2')]);
    expect(await unitOf(warehouse, 'chp')).toMatchObject({ eegZuschlagsnummer: null, gebotstermine: [2025060171] });
  });

  it('what is remarkable about links is counted, without a text of the register', async () => {
    const rows = await queryServed<{ befund: string; beispiel: string; anzahl: bigint; roh: null }>(
      warehouse,
      `SELECT befund, beispiel, anzahl, roh FROM befunde WHERE art = 'ausschreibungen' AND (beispiel LIKE '___9990%' OR beispiel LIKE 'EEG%') ORDER BY befund`,
    );
    expect(Object.fromEntries(rows.map(({ befund, beispiel }) => [befund, beispiel]))).toMatchObject({
      flurstueck_mehrdeutig: UNIT.doubtful,
      flurstueck_zu_gross: UNIT.tooLarge,
      nummer_der_liste_unbekannt: 'SEE999000000999',
      zuschlag_anderer_energietraeger: UNIT.notWind,
      // Plants of the generated register have such numbers, too.
      zuschlag_nicht_in_liste: expect.stringMatching(/^EEG/),
      zuschlag_widerspruch: UNIT.contradictory,
      zuschlagsnummer_berichtigt: expect.stringMatching(/^EEG/),
      zuschlagsnummer_unlesbar: expect.stringMatching(/^EEG/),
    });
    expect(rows.every(({ roh }) => roh === null)).toBe(true);
  });
});

describe('places of awards', () => {
  it('an award without a place has that of its unit, and its coordinates', async () =>
    expect(await awardRow(warehouse, 'WIN20-3/007')).toMatchObject({
      ...{ bundesland: 'Niedersachsen', landkreis: 'Osnabrück', plz: '49191', gemeinde: 'Belm' },
      ...{ gemarkung: null, standortQuelle: 'REGISTER', geoGenauigkeit: 'EINHEIT', latitude: 52.3, longitude: 8.1 },
    }));

  it('an award whose unit stands in the next municipality keeps its own place', async () =>
    expect(await awardRow(warehouse, 'SOL20-2/150')).toMatchObject({
      ...{
        plz: '66646',
        gemeinde: 'Marpingen',
        standortQuelle: 'PUBLIKATION',
        geoGenauigkeit: 'EINHEIT',
        latitude: 49.5,
      },
    }));

  it('an award without a unit or place has no coordinates', async () =>
    expect(await awardRow(warehouse, 'WIN20-3/009')).toMatchObject({
      geoGenauigkeit: 'KEINE',
      latitude: null,
      longitude: null,
    }));
});
