import { beforeAll, describe, expect, it } from 'vitest';
import { type Kept, keptPlants, type Unit } from './plants.ts';

/** The inputs of the support values of an EEG plant (docs/decisions/0016-support-values.md). */

const WIND = { _art: 'EinheitenWind', Energietraeger_id: 2497 };
const HYDRO = { _art: 'EinheitenWasser', Energietraeger_id: 2498 };
const STORAGE = { _art: 'EinheitenStromSpeicher', Energietraeger_id: 2496 };
const PLUG_IN = { ArtDerSolaranlage_id: 2961 };
const GROUND = { ArtDerSolaranlage_id: 852 };
const UNKNOWN = { Bruttoleistung: null, Nettonennleistung: null };

let locations = 10_000;

/** A unit on a parcel, at a place of its own. */
const on = (district: string, parcels: string, more: Partial<Unit> = {}): Partial<Unit> => {
  locations += 1;
  return {
    ...{ Gemeindeschluessel: '09472175', Gemarkung: district, FlurFlurstuecknummern: parcels, location: locations },
    ...more,
  };
};

const UNITS: readonly Unit[] = [
  { unit: 1, plant: 1, Einspeisungsart_id: 688, Nutzungsbereich_id: 713, Buergerenergie: true },
  { unit: 2, plant: 2 },
  { unit: 3, plant: 3, ...HYDRO },
  { unit: 4, plant: 4, Inbetriebnahmedatum: null, Bruttoleistung: null, Nettonennleistung: null },
  { unit: 5, plant: 5, ...WIND, WindAnLandOderAufSee_id: 889 },
  { unit: 6, plant: 6 },
  { unit: 11, plant: 11, EinheitBetriebsstatus_id: 38, ArtDerSolaranlage_id: 852 },
  { unit: 12, plant: 11, Inbetriebnahmedatum: '2021-03-01' },
  { unit: 13, plant: 11, Inbetriebnahmedatum: '2019-01-01' },
  { unit: 15, plant: 12, EinheitBetriebsstatus_id: 31 },
  { unit: 14, plant: 12, EinheitBetriebsstatus_id: 38 },
  { unit: 16, plant: 13, ...STORAGE },
  { unit: 17, plant: 13, EinheitBetriebsstatus_id: 31 },
  { unit: 18, plant: 14 },
  { unit: 19, plant: 14, ...UNKNOWN },
  { unit: 20, plant: 15 },
  { unit: 21, plant: 15, ...UNKNOWN, EinheitBetriebsstatus_id: 31, Inbetriebnahmedatum: null },
  { unit: 22, plant: 15, EinheitBetriebsstatus_id: 37 },
  { unit: 23, plant: 15 },
  { unit: 24, plant: 16 },
  { unit: 25, plant: 16, ...WIND },
  { unit: 26, plant: 17, ...WIND },
  { unit: 27, plant: 18 },
  { unit: 28, plant: 18, ArtDerSolaranlage_id: 852 },
  { unit: 29, plant: 19, Inbetriebnahmedatum: '2018-01-01' },
  { unit: 30, plant: 19 },
  { unit: 31, plant: 20, Inbetriebnahmedatum: '2018-01-01' },
  { unit: 32, plant: 20 },
  { unit: 33, plant: 21, Inbetriebnahmedatum: '2011-01-01', Einspeisungsart_id: 688, Nutzungsbereich_id: 713 },
  { unit: 34, plant: 21, Inbetriebnahmedatum: '2011-01-01', Einspeisungsart_id: 689, Nutzungsbereich_id: 716 },
];

const PLANTS = [
  {
    plant: 1,
    EegInbetriebnahmedatum: '2012-04-01',
    InstallierteLeistung: 9.9,
    InanspruchnahmeZahlungNachEeg: true,
    MieterstromZugeordnet: true,
    AusschreibungZuschlag: false,
  },
  { plant: 3, ErtuechtigungIds: '17' },
  { plant: 16, _art: 'AnlagenEegWind' },
  { plant: 17, _art: 'AnlagenEegSolar' },
  { plant: 20, EegInbetriebnahmedatum: '2018-01-01' },
  { plant: 5, PilotAnlage: true, PrototypAnlage: true, VerhaeltnisReferenzertragErtrag5Jahre: 85.5 },
];

let plants: ReadonlyMap<number, readonly Kept[]>;

beforeAll(async () => {
  plants = await keptPlants({ units: UNITS, plants: PLANTS, missing: [6] });
});

const plant = (number: number) => plants.get(number)?.[0];

describe('an EEG plant', () => {
  it('of one unit has the properties of its unit and its own day and capacity', () =>
    expect(plant(1)).toMatchObject({
      einheit: 1,
      einheitTyp: 'solar',
      energietraegerId: 2495,
      statusId: 35,
      inbetriebnahme: '2012-04-01',
      eigenesDatum: true,
      kw: 9.9,
      zahlung: true,
      lageId: 853,
      nutzungsbereichId: 713,
      einspeisungsartId: 688,
      mieterstrom: true,
      buergerenergie: true,
      suedregion: null,
      davorKw: 0,
      zuschlaege: null,
      hatZuschlag: false,
    }));

  it('without day and capacity of its own has those of its unit: modules of solar, net capacity of others', () => {
    expect(plant(2)).toMatchObject({ inbetriebnahme: '2020-06-15', eigenesDatum: false, kw: 10 });
    expect(plant(3)).toMatchObject({ einheitTyp: 'hydro', kw: 8 });
    expect(plant(4)).toMatchObject({ inbetriebnahme: null, eigenesDatum: false, kw: null });
  });

  it('of wind and hydro has yield ratios, flags of prototypes and upgrades', () => {
    expect(plant(5)).toMatchObject({ pilot: true, prototyp: true, ertrag5: 85.5, ertrag10: null, seelageId: 889 });
    expect(plant(3)).toMatchObject({ ertuechtigt: true, pilot: false, seelageId: null, zahlung: null });
  });

  it('that units name and the export lacks is none', () => expect(plants.has(6)).toBe(false));
});

describe('an EEG plant of several units', () => {
  it('is led by its first unit in operation, with the capacity of all', () =>
    expect(plant(11)).toMatchObject({
      einheit: 12,
      lageId: 853,
      statusId: 35,
      inbetriebnahme: '2021-03-01',
      kw: 30,
    }));

  it('has values of its own for its units in each state, and counts planned capacity once it is built', () => {
    expect(plants.get(15)).toMatchObject([
      { einheit: 20, statusId: 35, kw: 30, inbetriebnahme: '2020-06-15' },
      { einheit: 21, statusId: 31, kw: 30, inbetriebnahme: null, gruende: ['nicht_in_betrieb'], verguetung: null },
      { einheit: 22, statusId: 37, kw: 30, gruende: ['nicht_in_betrieb'], verguetung: null },
    ]);
    expect(plant(15)?.verguetung).not.toBeNull();
  });

  it('of another carrier gives a unit nothing, and the unit neither leads it nor adds to it', () => {
    const nothing = { gruende: ['anderer_energietraeger'], ableitbarkeit: 'nicht_ableitbar' };
    expect(plants.get(16)).toMatchObject([
      { einheit: 24, einheitTyp: 'solar', ...nothing, foerderbeginn: null, foerderende: null },
      { einheit: 25, einheitTyp: 'wind', kw: 8 },
    ]);
    expect(plants.get(17)).toMatchObject([{ einheit: 26, einheitTyp: 'wind', ...nothing }]);
  });

  it('whose units differ is an estimate: in kind, or in their day where it has none of its own', () => {
    expect([plant(18), plant(19), plant(20)].map((row) => row?.gruende)).toEqual([
      ['fremdes_datum', 'einheiten_verschieden', 'gebaeude_aussenbereich'],
      ['fremdes_datum', 'einheiten_verschieden', 'gebaeude_aussenbereich'],
      ['gebaeude_aussenbereich'],
    ]);
    expect(plant(21)).toMatchObject({ nutzungsbereichId: null, einspeisungsartId: null, gruende: ['fremdes_datum'] });
  });

  it('has no known capacity where that of a unit is unknown', () => expect(plant(14)?.kw).toBeNull());

  it('is led by its smallest number when none is in operation', () =>
    expect(plant(12)).toMatchObject({ einheit: 14, statusId: 38 }));

  it('is not led by a storage beside it, whose capacity does not count', () =>
    expect(plant(13)).toMatchObject({ einheit: 17, einheitTyp: 'solar', kw: 10 }));
});

/** Plants at one place: their commissioning days, what else they are, and the capacity that counts before each. */
const PLACES: readonly {
  readonly title: string;
  readonly days: readonly (string | null)[];
  readonly changes?: readonly Partial<Unit>[];
  readonly before: readonly (number | null | undefined)[];
}[] = [
  { title: 'one place', days: ['2020-01-01', '2020-06-01'], before: [0, 10] },
  { title: 'another place', days: ['2020-01-01', '2020-06-01'], changes: [{ location: 999 }], before: [0, 0] },
  { title: 'another carrier', days: ['2020-01-01', '2020-06-01'], changes: [WIND], before: [0, 0] },
  { title: 'twelve months before, to the day', days: ['2019-06-15', '2020-06-15'], before: [0, 10] },
  { title: 'a day earlier', days: ['2019-06-14', '2020-06-15'], before: [0, 0] },
  { title: 'twelve months before a leap day', days: ['2023-02-28', '2024-02-29'], before: [0, 10] },
  { title: 'six months before, until 2008', days: ['2008-06-30', '2008-12-31'], before: [0, 10] },
  { title: 'a day earlier, until 2008', days: ['2008-06-29', '2008-12-31'], before: [0, 0] },
  { title: 'twelve months again, from 2009', days: ['2008-06-29', '2009-01-01'], before: [0, 10] },
  { title: 'days in any order', days: ['2020-03-01', '2020-02-01', '2020-01-01'], before: [20, 10, 0] },
  { title: 'one day, by number', days: ['2020-03-01', '2020-03-01', '2020-03-01'], before: [0, 10, 20] },
  { title: 'a chain of years', days: ['2019-01-01', '2019-09-01', '2020-05-01'], before: [0, 10, 10] },
  { title: 'a plug-in device before', days: ['2020-01-01', '2020-06-01'], changes: [PLUG_IN], before: [0, 0] },
  { title: 'a plug-in device after', days: ['2020-01-01', '2020-06-01'], changes: [{}, PLUG_IN], before: [0, 0] },
  {
    title: 'storage, which is no plant itself',
    days: ['2020-01-01', '2020-06-01'],
    changes: [STORAGE],
    before: [undefined, 0],
  },
  { title: 'no day', days: [null, '2020-06-01', '2020-07-01'], before: [0, 0, 10] },
  {
    title: 'a unit of the same plant',
    days: ['2020-01-01', '2020-06-01', '2020-07-01'],
    changes: [{}, { plant: 1600 }],
    before: [0, 0, 20],
  },
  { title: 'turbines of one place', days: ['2020-01-01', '2020-06-01'], changes: [WIND, WIND], before: [0, 0] },
  {
    title: 'one parcel behind two points of connection',
    days: ['2020-01-01', '2020-06-01'],
    changes: [on('Riggau', '356'), on('Riggau ', 'Flurstücke 0356, 357')],
    before: [0, 10],
  },
  {
    title: 'a parcel of another cadastral district',
    days: ['2020-01-01', '2020-06-01'],
    changes: [on('Riggau', '77'), on('Neustadt', '77')],
    before: [0, 0],
  },
  {
    title: 'a parcel of another municipality whose district has the same name',
    days: ['2020-01-01', '2020-06-01'],
    changes: [on('Neustadt', '78'), on('Neustadt', '78', { Gemeindeschluessel: '09374146' })],
    before: [0, 0],
  },
  {
    title: 'a parcel without its cadastral district or its municipality',
    days: ['2020-01-01', '2020-06-01', '2020-07-01', '2020-08-01'],
    changes: [
      ...[on('Flur 2', '356'), on('Flur 2', '356')],
      ...[on('Au', '7', { Gemeindeschluessel: null }), on('Au', '7', { Gemeindeschluessel: null })],
    ],
    before: [0, 0, 0, 0],
  },
  {
    title: 'a parcel under the EEG 2004, which looked at the building, and the one before it',
    days: ['2008-11-01', '2008-12-01', '2009-01-01'],
    changes: [on('Riggau', '1'), on('Riggau', '1'), on('Riggau', '1')],
    before: [0, 0, 20],
  },
  {
    title: 'roofs of one parcel, apart from 16 May 2024 on',
    days: ['2024-05-01', '2024-05-15', '2024-05-16'],
    changes: [on('Riggau', '2'), on('Riggau', '2'), on('Riggau', '2')],
    before: [0, 10, 0],
  },
  {
    title: 'ground-mounted plants of one parcel, and roofs before them, since then',
    days: ['2024-06-01', '2024-06-02', '2024-06-03'],
    changes: [on('Riggau', '3'), on('Riggau', '3', GROUND), on('Riggau', '3', GROUND)],
    before: [0, 10, 20],
  },
  {
    title: 'a key of the municipality that has lost its zero',
    days: ['2020-01-01', '2020-06-01'],
    changes: [on('Riggau', '8', { Gemeindeschluessel: '9472175' }), on('Riggau', '8')],
    before: [0, 10],
  },
  {
    title: 'a parcel of another carrier',
    days: ['2020-01-01', '2020-06-01'],
    changes: [on('Riggau', '4', HYDRO), on('Riggau', '4')],
    before: [0, 0],
  },
  {
    title: 'a place and a parcel: the fullest counts',
    days: ['2020-01-01', '2020-01-02', '2020-02-01', '2020-03-01'],
    changes: [on('Riggau', '5'), on('Riggau', '5'), {}, on('Riggau', '5', { location: 777 }), {}],
    before: [0, 10, 0, 20],
  },
  {
    title: 'one before whose capacity is not known',
    days: ['2020-01-01', '2020-06-01', '2021-03-01'],
    changes: [UNKNOWN],
    before: [0, null, 10],
  },
  {
    title: 'one of the same day after it whose capacity is not known',
    days: ['2020-01-01', '2020-01-01'],
    changes: [{}, UNKNOWN],
    before: [0, 10],
  },
];

describe('the plants before a plant, which count as one with it', () => {
  let found: ReadonlyMap<number, readonly Kept[]>;
  const numberOf = (place: number, at: number): number => place * 100 + at;

  beforeAll(async () => {
    const atPlaces = PLACES.flatMap(({ days, changes = [] }, place) =>
      days.map((day, at) => ({
        unit: numberOf(place, at),
        plant: numberOf(place, at),
        location: place,
        Inbetriebnahmedatum: day,
        ...changes[at],
      })),
    );
    const twoPlaces = [
      { unit: 9001, plant: 9001, location: 901, Inbetriebnahmedatum: '2020-01-01', Bruttoleistung: 5 },
      { unit: 9002, plant: 9002, location: 902, Inbetriebnahmedatum: '2020-01-01', Bruttoleistung: 7 },
      { unit: 9003, plant: 9003, location: 901, Inbetriebnahmedatum: '2020-02-01' },
      { unit: 9004, plant: 9003, location: 902, Inbetriebnahmedatum: '2020-02-01' },
      { unit: 9005, plant: 9004, location: 902, Inbetriebnahmedatum: '2020-03-01' },
    ];
    found = await keptPlants({ units: [...atPlaces, ...twoPlaces] });
  });

  it.each(PLACES.map((one, place) => [one.title, one, place] as const))('%s', (_, { days, changes, before }, place) =>
    expect(days.map((_, at) => found.get(changes?.[at]?.plant ?? numberOf(place, at))?.[0]?.davorKw)).toEqual(before),
  );

  it('two places of one plant: the fullest counts', () =>
    expect([9001, 9002, 9003, 9004].map((number) => found.get(number)?.[0]?.davorKw)).toEqual([0, 0, 7, 27]));
});
