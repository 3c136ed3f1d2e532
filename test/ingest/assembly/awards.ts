import { join } from 'node:path';
import { type StoredList, storeRound } from '../../../ingest/tenders/store.ts';
import { mastrBits } from '../../../sql/register/mastr-number.ts';
import { awardId, awardNumbers } from '../../../sql/tenders/award-number.ts';
import { tenderKey } from '../../../sql/tenders/technologies.ts';
import { generateExport, RegisterExport, type Row } from '../../support/exports.ts';
import { buildIn, queryServed } from '../../support/warehouse.ts';

/** A small register whose units have awards of loaded lists, or only seem to have them. */

const DAY = '2026-11-01';

export const MARCH_2020 = 2020030120;
const OCTOBER_2020 = 2020100120;
const JOINT_2018 = 2018040180;
const WIND_2020 = 2020060110;
// A round whose volume nobody has published.
const WIND_2026 = 2026080110;
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
function load(warehouse: string, tender: number, ...zuschlaege: Award[]): void {
  const liste = { quelle: 'Test', pruefsumme: '', bekanntgabe: null, kalender: [], zuschlaege, befunde: [] };
  storeRound(warehouse, { ...tenderKey(tender)!, id: tender, listen: [liste], statistik: null });
}

const ALSWEILER = 'Saarland, Landkreis St. Wendel, PLZ 66646, Gemeinde Marpingen, Gemarkung Alsweiler: Flur 10: ';

/** The lists of the first build: pairs of awards and units that were published, and awards for each doubt. */
function loadLists(warehouse: string): void {
  load(
    warehouse,
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
    award(MARCH_2020, 'SOL20-2/103', 'Bayern, Gemarkung Zehnheim: 1', BAVARIA),
    award(MARCH_2020, 'SOL20-2/104', 'Bayern, Gemarkung Zehnheim: 2', BAVARIA),
  );
  load(
    warehouse,
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
    warehouse,
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
    warehouse,
    WIND_2020,
    award(WIND_2020, 'WIN20-3/007', null, { mastrNummern: [UNIT.listedWind, 'SEE999000000999'] }),
    award(WIND_2020, 'WIN20-3/008', null, { mastrNummern: [UNIT.contradictory] }),
    award(WIND_2020, 'WIN20-3/009', null),
    award(WIND_2020, 'WIN20-3/010', null, { mastrNummern: [UNIT.notWind] }),
  );
  load(warehouse, WIND_2026, award(WIND_2026, 'WIN26-3/001', 'Bayern, Gemarkung Windheim: 3', BAVARIA));
  load(warehouse, BIOMASS_2020, award(BIOMASS_2020, 'BIO20-1/004', null, { foerderNummern: ['EEG999000000300'] }));
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
  ...['largestBid', 'beyondAnyBid', 'noBound'],
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

export type Name = (typeof NAMES)[number];

export const UNIT = Object.fromEntries(
  NAMES.map((name, place) => [name, `SEE999000000${String(100 + place)}`]),
) as Record<Name, string>;

const plantOf = (name: Name): string => UNIT[name].replace('SEE', 'EEG');

const idOf = (register: RegisterExport, text: string): string =>
  register.of('Katalogwerte').records.find(({ Wert }) => Wert === text)!.Id!;

/** Adds a unit of a carrier with its EEG plant, which names these awards. */
function add(
  register: RegisterExport,
  name: Name,
  carrier: 'Wind' | 'Solar' | 'Biomasse',
  unit: Row,
  zuschlagsnummer?: string,
): void {
  const { Bundesland, ...others } = unit;
  register.of(`Einheiten${carrier}`).records.push({
    EinheitMastrNummer: UNIT[name],
    DatumLetzteAktualisierung: '2026-01-01T00:00:00',
    EinheitSystemstatus: '472',
    EinheitBetriebsstatus: '35',
    Bruttoleistung: '5000.000',
    Inbetriebnahmedatum: '2021-05-01',
    Bundesland: idOf(register, Bundesland ?? 'Bayern'),
    ...{ EegMaStRNummer: plantOf(name), ...others },
  });
  register.of(`AnlagenEeg${carrier}`).records.push({
    EegMaStRNummer: plantOf(name),
    DatumLetzteAktualisierung: '2026-01-01T00:00:00',
    ...(zuschlagsnummer === undefined ? {} : { Zuschlagsnummer: zuschlagsnummer }),
  });
}

const parcels = (gemarkung: string, text: string): Row => ({ Gemarkung: gemarkung, FlurFlurstuecknummern: text });

function addUnits(register: RegisterExport): void {
  add(register, 'hohenried', 'Solar', parcels('Hohenried', '1264, 1276, 1277, 1278'));
  add(register, 'tholey', 'Solar', {
    ...parcels('Alsweiler', '10: 68/1, 74'),
    ...{ Bundesland: 'Saarland', Postleitzahl: '66636', Gemeinde: 'Tholey', Laengengrad: '7.1', Breitengrad: '49.5' },
  });
  add(register, 'riggau', 'Solar', parcels('Riggau', '385, 355, 356, 357'));
  add(register, 'erfurt', 'Solar', {
    ...parcels('Erfurt-Nord, Ilversgehofen', 'Flur63: 23/20'),
    Bundesland: 'Thüringen',
  });
  add(register, 'libbenichen', 'Solar', {
    ...parcels('Libbenichen, Carzig', 'Flur 1: 92; 100; 493; 653; 654 (Libbenichen); Flur 1: 137 (Carzig)'),
    ...{ Bundesland: 'Brandenburg', Inbetriebnahmedatum: '2019-09-01' },
  });
  add(register, 'engelswies1', 'Solar', { Bundesland: 'Baden-Württemberg', Gemeinde: 'Inzigkofen' }, 'Gem18-1/037');
  add(register, 'engelswies2', 'Solar', { Bundesland: 'Baden-Württemberg', Gemeinde: 'Inzigkofen' }, 'GEM18-1-037');
  add(
    register,
    'felde',
    'Solar',
    { Bundesland: 'Schleswig-Holstein', Gemeinde: 'Felde', Postleitzahl: '24242' },
    'GEM18-1/021',
  );
  add(
    register,
    'neustrelitz',
    'Solar',
    { Bundesland: 'Mecklenburg-Vorpommern', Gemeinde: 'Neustrelitz' },
    'GEM18-1/021',
  );
  add(
    register,
    'ursensollen',
    'Solar',
    { ...parcels('Hausen', '1890'), Postleitzahl: '92289', Gemeinde: 'Ursensollen' },
    'sol20-6/036',
  );
  add(register, 'aurau', 'Solar', parcels('Aurau', 'Flurnr 1339;1340/3;1341'));
  add(register, 'doubtful', 'Solar', parcels('Doppelheim', '7'));
  add(register, 'otherState', 'Solar', { ...parcels('Riggau', '352'), Bundesland: 'Hessen' });
  add(register, 'tooEarly', 'Solar', { ...parcels('Riggau', '352'), Inbetriebnahmedatum: '2020-02-28' });
  add(register, 'tooLate', 'Solar', { ...parcels('Riggau', '352'), Inbetriebnahmedatum: '2025-01-01' });
  add(register, 'smallParcel', 'Solar', { ...parcels('Riggau', '352'), Bruttoleistung: '99.999' });
  add(register, 'tooLarge', 'Solar', { ...parcels('Engheim', '50'), Bruttoleistung: '1150.001' });
  add(register, 'wrongCarrier', 'Biomasse', parcels('Riggau', '352'));
  add(register, 'largestBid', 'Solar', { ...parcels('Zehnheim', '1'), Bruttoleistung: '11500.000' });
  add(register, 'beyondAnyBid', 'Solar', { ...parcels('Zehnheim', '2'), Bruttoleistung: '12541.000' });
  add(register, 'noBound', 'Wind', { ...parcels('Windheim', '3'), Inbetriebnahmedatum: '2026-10-01' });
  add(register, 'listedWind', 'Wind', {
    ...{ EinheitBetriebsstatus: '31', Inbetriebnahmedatum: '', Gemeinde: 'Belm', Postleitzahl: '49191' },
    ...{ Bundesland: 'Niedersachsen', Landkreis: 'Osnabrück', Laengengrad: '8.1', Breitengrad: '52.3' },
  });
  add(register, 'contradictory', 'Wind', {}, 'WlN20-3/009');
  add(register, 'notWind', 'Solar', {});
  add(register, 'biomass1', 'Biomasse', { EegMaStRNummer: 'EEG999000000300' });
  add(register, 'biomass2', 'Biomasse', { EegMaStRNummer: 'EEG999000000300' });
  add(register, 'several', 'Solar', {}, 'SOL17-2/123; SOL18-2/037;SOL17-2/123');
  add(register, 'unreadable', 'Solar', {}, '13/2014');
  add(register, 'noRound', 'Solar', {}, 'SOL19-8/312');
  add(register, 'notListed', 'Wind', {}, 'WIN20-3/055');
  add(register, 'chp', 'Biomasse', { KwkMaStRNummer: 'KWK999000000100' });
  register.of('AnlagenKwk').records.push({
    KwkMastrNummer: 'KWK999000000100',
    DatumLetzteAktualisierung: '2026-01-01T00:00:00',
    Zuschlagnummer: 'iKWK25-1-2',
  });
}

/** Loads the lists, writes the register into the folder `first`, and builds it. */
export async function buildWithAwards(folder: string, warehouse: string): Promise<void> {
  const register = await RegisterExport.read(await generateExport(folder, DAY));
  register.shorten(30);
  addUnits(register);
  loadLists(warehouse);
  await buildIn(warehouse, register.write(join(folder, 'first'), DAY));
}

export interface Link {
  zuschlagsnummer: string;
  zuordnung: string;
  regel: string;
  sicherheit: string;
}

export const linksOf = (warehouse: string, name: Name): Promise<Link[]> =>
  queryServed<Link>(
    warehouse,
    `SELECT zuschlagsnummer, zuordnung, regel, sicherheit FROM zuschlag_einheiten
     WHERE einheit = ${mastrBits(UNIT[name])} ORDER BY ALL`,
  );

export async function unitOf(warehouse: string, name: Name): Promise<Record<string, unknown>> {
  const [row] = await queryServed<Record<string, unknown>>(
    warehouse,
    `SELECT eegZuschlagsnummer, gebotstermine, ausschreibungen, inhaltSeit FROM units WHERE mastrNummer = '${UNIT[name]}'`,
  );
  return row!;
}

export async function awardRow(warehouse: string, number: string): Promise<Record<string, unknown>> {
  const [row] = await queryServed<Record<string, unknown>>(
    warehouse,
    `SELECT * FROM zuschlaege WHERE zuschlagsnummer = '${number}'`,
  );
  return row!;
}
