import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeRound, type StoredList, storeRound } from '../../../ingest/tenders/store.ts';
import { mastrBits } from '../../../sql/register/mastr-number.ts';
import { awardId, awardNumbers } from '../../../sql/tenders/award-number.ts';
import { tenderKey } from '../../../sql/tenders/technologies.ts';
import { ingestHere } from '../../support/command.ts';
import { folderOfTests, generateExport, RegisterExport, type Row } from '../../support/exports.ts';
import { buildIn, queryServed } from '../../support/warehouse.ts';

/** Awards and units are linked by the rules of the award lists' reference, section 5, in their order. */

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');
const DAY = '2026-11-01';

const MARCH_2020 = 2020030120;
const OCTOBER_2020 = 2020100120;
const JOINT_2018 = 2018040180;
const WIND_2020 = 2020060110;
const BIOMASS_2020 = 2020040140;

type Award = StoredList['zuschlaege'][number];

/** An award of a list: its number, the cell as published, and what else the cell holds. */
function award(tender: number, text: string, cell: string | null, more: Partial<Award> = {}): Award {
  const [number] = awardNumbers(text).numbers;
  return {
    id: awardId(tender, number!.laufnummer),
    gebotstermin: tender,
    zuschlagsnummer: number!.text,
    gebotsmengeKw: null,
    bundesland: null,
    landkreis: null,
    plz: null,
    gemeinde: null,
    gemarkung: null,
    flurstueck: cell,
    flurstueckRoh: cell,
    mastrNummern: [],
    foerderNummern: [],
    ...more,
  };
}

/** Loads the list of a round. */
function load(tender: number, ...zuschlaege: Award[]): void {
  const liste = { quelle: 'Test', pruefsumme: '', bekanntgabe: null, kalender: [], zuschlaege, befunde: [] };
  storeRound(warehouse, { ...tenderKey(tender)!, id: tender, liste, statistik: null });
}

const ALSWEILER = 'Saarland, Landkreis St. Wendel, PLZ 66646, Gemeinde Marpingen, Gemarkung Alsweiler: Flur 10: ';

/** The lists of the first build: the pairs that the reference prints. */
function loadLists(): void {
  load(
    MARCH_2020,
    award(MARCH_2020, 'SOL20-2/037', 'Bayern, Gemarkung Hohenried: 1264; 1276; 1277; 1278', BAVARIA),
    award(MARCH_2020, 'SOL20-2/150', `${ALSWEILER}68/1; 74; 75; 76`, {
      ...{ bundesland: 'Saarland', landkreis: 'St. Wendel', plz: '66646' },
      ...{ gemeinde: 'Marpingen', gemarkung: 'Alsweiler' },
    }),
    award(MARCH_2020, 'SOL20-2/065', 'Bayern, Gemarkung Riggau: 352; 357; 386', BAVARIA),
    award(MARCH_2020, 'SOL20-2/081', 'Bayern, Gemarkung Aurau: 1339; 1340/3; 1341', BAVARIA),
    // Two awards on one parcel.
    award(MARCH_2020, 'SOL20-2/101', 'Bayern, Gemarkung Doppelheim: 7', BAVARIA),
    award(MARCH_2020, 'SOL20-2/102', 'Bayern, Gemarkung Doppelheim: 7; 8', BAVARIA),
  );
  load(
    OCTOBER_2020,
    award(
      OCTOBER_2020,
      'SOL20-6/020',
      'Thüringen, Gemarkung Erfurt Nord: Flur 63: 23/20; 23/21\nGemarkung Ilversgehofen: Flur 2: 1/1',
      {
        bundesland: 'Thüringen',
      },
    ),
    award(OCTOBER_2020, 'SOL20-6/036', 'Bayern, Landkreis Kelheim, Gemarkung Kapfelberg: 819', {
      ...BAVARIA,
      landkreis: 'Kelheim',
      gemarkung: 'Kapfelberg',
    }),
    award(OCTOBER_2020, 'SOL20-6/050', 'Bayern, Gemarkung Engheim: 50', { ...BAVARIA, gebotsmengeKw: 1000 }),
  );
  load(
    JOINT_2018,
    award(JOINT_2018, 'GEM18-1/036', 'Brandenburg, Gemarkung Libbenichen: Flur 1: 493; 100', {
      bundesland: 'Brandenburg',
    }),
    award(JOINT_2018, 'GEM18-1/037', null),
    award(JOINT_2018, 'GEM18-1/021', 'Schleswig-Holstein, Gemeinde Felde', {
      bundesland: 'Schleswig-Holstein',
      gemeinde: 'Felde',
    }),
  );
  load(
    WIND_2020,
    award(WIND_2020, 'WIN20-3/007', null, { mastrNummern: [UNIT.listedWind, 'SEE999000000999'] }),
    award(WIND_2020, 'WIN20-3/008', null, { mastrNummern: [UNIT.contradictory] }),
    award(WIND_2020, 'WIN20-3/009', null),
    award(WIND_2020, 'WIN20-3/010', null, { mastrNummern: [UNIT.notWind] }),
  );
  load(BIOMASS_2020, award(BIOMASS_2020, 'BIO20-1/004', null, { foerderNummern: ['EEG999000000300'] }));
}

const BAVARIA = { bundesland: 'Bayern' };

/** The units of the test, by what each is there for. */
const NAMES = [
  ...['hohenried', 'tholey', 'riggau', 'erfurt', 'libbenichen', 'engelswies1', 'engelswies2', 'felde', 'neustrelitz'],
  ...[
    'ursensollen',
    'aurau',
    'doubtful',
    'otherState',
    'tooEarly',
    'tooLate',
    'smallParcel',
    'tooLarge',
    'wrongCarrier',
  ],
  ...[
    'listedWind',
    'contradictory',
    'notWind',
    'biomass1',
    'biomass2',
    'several',
    'unreadable',
    'noRound',
    'notListed',
  ],
  'chp',
] as const;

type Name = (typeof NAMES)[number];

const UNIT = Object.fromEntries(NAMES.map((name, place) => [name, `SEE999000000${String(100 + place)}`])) as Record<
  Name,
  string
>;

const plantOf = (name: Name): string => UNIT[name].replace('SEE', 'EEG');

let register: RegisterExport;

const idOf = (text: string): string => register.of('Katalogwerte').records.find(({ Wert }) => Wert === text)!.Id!;

/** Adds a unit of a carrier with its EEG plant, which names these awards. */
function add(name: Name, carrier: 'Wind' | 'Solar' | 'Biomasse', unit: Row, zuschlagsnummer?: string): void {
  const { Bundesland, ...others } = unit;
  register.of(`Einheiten${carrier}`).records.push({
    EinheitMastrNummer: UNIT[name],
    DatumLetzteAktualisierung: '2026-01-01T00:00:00',
    EinheitSystemstatus: '472',
    EinheitBetriebsstatus: '35',
    Bruttoleistung: '5000.000',
    Inbetriebnahmedatum: '2021-05-01',
    Bundesland: idOf(Bundesland ?? 'Bayern'),
    ...{ EegMaStRNummer: plantOf(name), ...others },
  });
  register.of(`AnlagenEeg${carrier}`).records.push({
    EegMaStRNummer: plantOf(name),
    DatumLetzteAktualisierung: '2026-01-01T00:00:00',
    ...(zuschlagsnummer === undefined ? {} : { Zuschlagsnummer: zuschlagsnummer }),
  });
}

const parcels = (gemarkung: string, text: string): Row => ({ Gemarkung: gemarkung, FlurFlurstuecknummern: text });

function addUnits(): void {
  add('hohenried', 'Solar', parcels('Hohenried', '1264, 1276, 1277, 1278'));
  add('tholey', 'Solar', {
    ...parcels('Alsweiler', '10: 68/1, 74'),
    ...{ Bundesland: 'Saarland', Postleitzahl: '66636', Gemeinde: 'Tholey', Laengengrad: '7.1', Breitengrad: '49.5' },
  });
  add('riggau', 'Solar', parcels('Riggau', '385, 355, 356, 357'));
  add('erfurt', 'Solar', { ...parcels('Erfurt-Nord, Ilversgehofen', 'Flur63: 23/20'), Bundesland: 'Thüringen' });
  add('libbenichen', 'Solar', {
    ...parcels('Libbenichen, Carzig', 'Flur 1: 92; 100; 493; 653; 654 (Libbenichen); Flur 1: 137 (Carzig)'),
    ...{ Bundesland: 'Brandenburg', Inbetriebnahmedatum: '2019-09-01' },
  });
  add('engelswies1', 'Solar', { Bundesland: 'Baden-Württemberg', Gemeinde: 'Inzigkofen' }, 'Gem18-1/037');
  add('engelswies2', 'Solar', { Bundesland: 'Baden-Württemberg', Gemeinde: 'Inzigkofen' }, 'GEM18-1-037');
  add('felde', 'Solar', { Bundesland: 'Schleswig-Holstein', Gemeinde: 'Felde', Postleitzahl: '24242' }, 'GEM18-1/021');
  add('neustrelitz', 'Solar', { Bundesland: 'Mecklenburg-Vorpommern', Gemeinde: 'Neustrelitz' }, 'GEM18-1/021');
  add(
    'ursensollen',
    'Solar',
    { ...parcels('Hausen', '1890'), Postleitzahl: '92289', Gemeinde: 'Ursensollen' },
    'sol20-6/036',
  );
  add('aurau', 'Solar', parcels('Aurau', 'Flurnr 1339;1340/3;1341'));
  add('doubtful', 'Solar', parcels('Doppelheim', '7'));
  add('otherState', 'Solar', { ...parcels('Riggau', '352'), Bundesland: 'Hessen' });
  add('tooEarly', 'Solar', { ...parcels('Riggau', '352'), Inbetriebnahmedatum: '2020-02-28' });
  add('tooLate', 'Solar', { ...parcels('Riggau', '352'), Inbetriebnahmedatum: '2025-01-01' });
  add('smallParcel', 'Solar', { ...parcels('Riggau', '352'), Bruttoleistung: '99.999' });
  add('tooLarge', 'Solar', { ...parcels('Engheim', '50'), Bruttoleistung: '1150.001' });
  add('wrongCarrier', 'Biomasse', parcels('Riggau', '352'));
  add('listedWind', 'Wind', {
    ...{ EinheitBetriebsstatus: '31', Inbetriebnahmedatum: '', Gemeinde: 'Belm', Postleitzahl: '49191' },
    ...{ Bundesland: 'Niedersachsen', Landkreis: 'Osnabrück', Laengengrad: '8.1', Breitengrad: '52.3' },
  });
  add('contradictory', 'Wind', {}, 'WlN20-3/009');
  add('notWind', 'Solar', {});
  add('biomass1', 'Biomasse', { EegMaStRNummer: 'EEG999000000300' });
  add('biomass2', 'Biomasse', { EegMaStRNummer: 'EEG999000000300' });
  add('several', 'Solar', {}, 'SOL17-2/123; SOL18-2/037;SOL17-2/123');
  add('unreadable', 'Solar', {}, '13/2014');
  add('noRound', 'Solar', {}, 'SOL19-8/312');
  add('notListed', 'Wind', {}, 'WIN20-3/055');
  add('chp', 'Biomasse', { KwkMaStRNummer: 'KWK999000000100' });
  register.of('AnlagenKwk').records.push({
    KwkMastrNummer: 'KWK999000000100',
    DatumLetzteAktualisierung: '2026-01-01T00:00:00',
    Zuschlagnummer: 'iKWK25-1-2',
  });
}

beforeAll(async () => {
  register = await RegisterExport.read(await generateExport(folder.path, DAY));
  register.shorten(30);
  addUnits();
  loadLists();
  await buildIn(warehouse, register.write(join(folder.path, 'first'), DAY));
}, 120_000);

afterAll(() => folder.remove());

interface Link {
  zuschlagsnummer: string;
  zuordnung: string;
  regel: string;
  sicherheit: string;
}

const linksOf = (name: Name): Promise<Link[]> =>
  queryServed<Link>(
    warehouse,
    `SELECT zuschlagsnummer, zuordnung, regel, sicherheit FROM zuschlag_einheiten
     WHERE einheit = ${mastrBits(UNIT[name])} ORDER BY ALL`,
  );

async function unitOf(name: Name): Promise<Record<string, unknown>> {
  const [row] = await queryServed<Record<string, unknown>>(
    warehouse,
    `SELECT eegZuschlagsnummer, gebotstermine, ausschreibungen, inhaltSeit FROM units WHERE mastrNummer = '${UNIT[name]}'`,
  );
  return row!;
}

async function awardRow(number: string): Promise<Record<string, unknown>> {
  const [row] = await queryServed<Record<string, unknown>>(
    warehouse,
    `SELECT * FROM zuschlaege WHERE zuschlagsnummer = '${number}'`,
  );
  return row!;
}

const byRegister = (zuschlagsnummer: string): Link => ({
  ...{ zuschlagsnummer, zuordnung: 'register', regel: 'registernummer', sicherheit: 'sicher' },
});

const byParcel = (zuschlagsnummer: string): Link => ({
  ...{ zuschlagsnummer, zuordnung: 'abgleich', regel: 'flurstueck', sicherheit: 'wahrscheinlich' },
});

describe('the pairs that the reference prints', () => {
  it.each([
    ['SOL20-2/037, the clean case', 'hohenried', 'SOL20-2/037'],
    ['SOL20-2/150: postcode and municipality differ, Flur as a bare number, parcels overlap', 'tholey', 'SOL20-2/150'],
    ['SOL20-2/065: one parcel in common', 'riggau', 'SOL20-2/065'],
    ['SOL20-6/020: two districts in one field, and a hyphen', 'erfurt', 'SOL20-6/020'],
    ['GEM18-1/036: the register lists more', 'libbenichen', 'GEM18-1/036'],
    ['SOL20-2/081: free text in the register', 'aurau', 'SOL20-2/081'],
  ] as const)('%s', async (_, name, number) => {
    expect(await linksOf(name)).toEqual([byParcel(number)]);
    expect((await unitOf(name)).eegZuschlagsnummer).toBe(number);
  });

  it('GEM18-1/037: several units have one award, by number', async () => {
    expect(await linksOf('engelswies1')).toEqual([byRegister('GEM18-1/037')]);
    expect(await linksOf('engelswies2')).toEqual([byRegister('GEM18-1/037')]);
  });

  it('GEM18-1/021: part of an award has moved to another state; the place stays as published', async () => {
    expect(await linksOf('felde')).toEqual([byRegister('GEM18-1/021')]);
    expect(await linksOf('neustrelitz')).toEqual([byRegister('GEM18-1/021')]);
    expect(await awardRow('GEM18-1/021')).toMatchObject({
      ...{ bundesland: 'Schleswig-Holstein', gemeinde: 'Felde', plz: '24242', standortQuelle: 'REGISTER' },
    });
  });

  it('SOL20-6/036: an award has moved to another site; the place stays as published', async () => {
    expect(await linksOf('ursensollen')).toEqual([byRegister('SOL20-6/036')]);
    expect(await awardRow('SOL20-6/036')).toMatchObject({
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
  ] as const)('%s', async (_, name) => {
    expect(await linksOf(name)).toEqual([]);
    expect(await unitOf(name)).toMatchObject({ eegZuschlagsnummer: null, gebotstermine: null, ausschreibungen: null });
  });
});

describe('numbers', () => {
  it('a unit that the list names has its award; one that no longer exists stays in the list', async () => {
    expect(await linksOf('listedWind')).toEqual([
      { zuschlagsnummer: 'WIN20-3/007', zuordnung: 'abgleich', regel: 'see_nummer', sicherheit: 'sicher' },
    ]);
    expect((await awardRow('WIN20-3/007')).mastrNummern).toEqual([UNIT.listedWind, 'SEE999000000999']);
  });

  it('a plant that the list names leads to all its units', async () => {
    const link = { zuschlagsnummer: 'BIO20-1/004', zuordnung: 'abgleich', regel: 'eeg_nummer', sicherheit: 'sicher' };
    expect(await linksOf('biomass1')).toEqual([link]);
    expect(await linksOf('biomass2')).toEqual([link]);
    expect(await awardRow('BIO20-1/004')).toMatchObject({
      mastrNummern: [UNIT.biomass1, UNIT.biomass2],
      foerderNummern: ['EEG999000000300'],
      foerderNummernAbgeleitet: null,
    });
  });

  it('where register and list contradict each other, both links are kept and the register leads', async () => {
    expect(await linksOf('contradictory')).toEqual([
      { zuschlagsnummer: 'WIN20-3/008', zuordnung: 'abgleich', regel: 'see_nummer', sicherheit: 'wahrscheinlich' },
      byRegister('WIN20-3/009'),
    ]);
    expect((await unitOf('contradictory')).eegZuschlagsnummer).toBe('WIN20-3/009');
  });

  it('of several awards the field has the newest, and the links all of them once', async () => {
    expect(await linksOf('several')).toEqual([byRegister('SOL17-2/123'), byRegister('SOL18-2/037')]);
    expect(await unitOf('several')).toMatchObject({
      eegZuschlagsnummer: 'SOL18-2/037',
      gebotstermine: [2018060120, 2017060120],
    });
  });

  it('a text that is no award number is shown as it is, and links nothing', async () => {
    expect(await linksOf('unreadable')).toEqual([]);
    expect(await unitOf('unreadable')).toMatchObject({ eegZuschlagsnummer: '13/2014', ausschreibungen: null });
  });

  it('a number of a round that never was is a link without a round', async () => {
    expect(await linksOf('noRound')).toEqual([{ ...byRegister('SOL19-8/312'), sicherheit: 'wahrscheinlich' }]);
    expect(await unitOf('noRound')).toMatchObject({ eegZuschlagsnummer: 'SOL19-8/312', gebotstermine: null });
  });

  it('a number that the list of its round does not have is not sure, nor is another carrier', async () => {
    expect(await linksOf('notListed')).toEqual([{ ...byRegister('WIN20-3/055'), sicherheit: 'wahrscheinlich' }]);
    expect(await linksOf('notWind')).toMatchObject([{ zuschlagsnummer: 'WIN20-3/010', sicherheit: 'wahrscheinlich' }]);
  });

  it('an award of combined heat and power is linked, and is no EEG award number', async () => {
    expect(await linksOf('chp')).toEqual([byRegister('iKWK25-1-2')]);
    expect(await unitOf('chp')).toMatchObject({ eegZuschlagsnummer: null, gebotstermine: [2025060171] });
  });

  it('what is remarkable about links is counted, without a text of the register', async () => {
    const rows = await queryServed<{ befund: string; beispiel: string; anzahl: bigint; roh: null }>(
      warehouse,
      `SELECT befund, beispiel, anzahl, roh FROM befunde WHERE art = 'ausschreibungen' AND (beispiel LIKE '___9990%' OR beispiel LIKE 'EEG%') ORDER BY befund`,
    );
    expect(Object.fromEntries(rows.map(({ befund, beispiel }) => [befund, beispiel]))).toMatchObject({
      flurstueck_mehrdeutig: UNIT.doubtful,
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
    expect(await awardRow('WIN20-3/007')).toMatchObject({
      ...{ bundesland: 'Niedersachsen', landkreis: 'Osnabrück', plz: '49191', gemeinde: 'Belm' },
      ...{ gemarkung: null, standortQuelle: 'REGISTER', geoGenauigkeit: 'EINHEIT', latitude: 52.3, longitude: 8.1 },
    }));

  it('an award whose unit stands in the next municipality keeps its own place', async () =>
    expect(await awardRow('SOL20-2/150')).toMatchObject({
      ...{
        plz: '66646',
        gemeinde: 'Marpingen',
        standortQuelle: 'PUBLIKATION',
        geoGenauigkeit: 'EINHEIT',
        latitude: 49.5,
      },
    }));

  it('an award without a unit or place has no coordinates', async () =>
    expect(await awardRow('WIN20-3/009')).toMatchObject({ geoGenauigkeit: 'KEINE', latitude: null, longitude: null }));
});

describe('what was loaded since', () => {
  const since = async (): Promise<Set<string>> => {
    const rows = await queryServed<{ mastrNummer: string }>(
      warehouse,
      'SELECT mastrNummer FROM units WHERE inhaltSeit = (SELECT sequence FROM dataset)',
    );
    return new Set(rows.map(({ mastrNummer }) => mastrNummer));
  };

  it('building the same export again changes no unit', async () => {
    expect(await ingestHere(warehouse, ['rebuild'])).toMatchObject({ code: 0 });
    expect(await since()).toEqual(new Set());
  });

  it('a list that is removed changes the units that had its awards, and a delta tells them', async () => {
    removeRound(warehouse, MARCH_2020);
    expect(await ingestHere(warehouse, ['rebuild'])).toMatchObject({ code: 0 });
    expect(await since()).toEqual(new Set([UNIT.hohenried, UNIT.tholey, UNIT.riggau, UNIT.aurau]));
    expect(await unitOf('riggau')).toMatchObject({ eegZuschlagsnummer: null, gebotstermine: null });
    expect(
      await queryServed(warehouse, `SELECT gebotstermine FROM units_ersetzt WHERE mastrNummer = '${UNIT.riggau}'`),
    ).toEqual([{ gebotstermine: [MARCH_2020] }]);
  });

  it('an export that is gone is named, with what to do', async () => {
    const source = join(folder.path, 'first', 'Gesamtdatenexport_20261101_26.1.zip');
    renameSync(source, `${source}.away`);
    const result = await ingestHere(warehouse, ['rebuild']);
    renameSync(`${source}.away`, source);
    expect(result).toMatchObject({ code: 5 });
    expect(result.err).toContain('Gesamtdatenexport_20261101_26.1.zip, is no longer at ');
    expect(result.err).toContain('Name it: npm run ingest -- build <export>');
  });
});
