import { describe, expect, it } from 'vitest';
import { keptPlants, type Register } from './plants.ts';

/** What the support values of an EEG plant are computed from: eeg.md, sections 1 and 4. */

const plant = async (number: number, register: Register) => (await keptPlants(register)).get(number);

describe('an EEG plant', () => {
  it('of one unit has the properties of its unit and its own day and capacity', async () =>
    expect(
      await plant(1, {
        units: [{ unit: 1, plant: 1, Einspeisungsart_id: 688, Nutzungsbereich_id: 713, Buergerenergie: true }],
        plants: [
          {
            plant: 1,
            EegInbetriebnahmedatum: '2012-04-01',
            InstallierteLeistung: 9.9,
            InanspruchnahmeZahlungNachEeg: true,
            MieterstromZugeordnet: true,
            AusschreibungZuschlag: false,
          },
        ],
      }),
    ).toMatchObject({
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

  it('without day and capacity of its own has those of its unit: modules of solar, net capacity of others', async () => {
    const plants = await keptPlants({
      units: [
        { unit: 1, plant: 1 },
        { unit: 2, plant: 2, _art: 'EinheitenWasser', Energietraeger_id: 2498 },
        { unit: 3, plant: 3, Inbetriebnahmedatum: null, Bruttoleistung: null, Nettonennleistung: null },
      ],
    });
    expect(plants.get(1)).toMatchObject({ inbetriebnahme: '2020-06-15', eigenesDatum: false, kw: 10 });
    expect(plants.get(2)).toMatchObject({ einheitTyp: 'hydro', kw: 8 });
    expect(plants.get(3)).toMatchObject({ inbetriebnahme: null, eigenesDatum: false, kw: null });
  });

  it('of wind and hydro has yield ratios, flags of prototypes and upgrades', async () => {
    const plants = await keptPlants({
      units: [
        { unit: 1, plant: 1, _art: 'EinheitenWind', Energietraeger_id: 2497, WindAnLandOderAufSee_id: 889 },
        { unit: 2, plant: 2, _art: 'EinheitenWasser', Energietraeger_id: 2498 },
      ],
      plants: [
        { plant: 1, PilotAnlage: true, PrototypAnlage: true, VerhaeltnisReferenzertragErtrag5Jahre: 85.5 },
        { plant: 2, ErtuechtigungIds: '17' },
      ],
    });
    expect(plants.get(1)).toMatchObject({ pilot: true, prototyp: true, ertrag5: 85.5, ertrag10: null, seelageId: 889 });
    expect(plants.get(2)).toMatchObject({ ertuechtigt: true, pilot: false, seelageId: null, zahlung: null });
  });

  it('that units name and the export lacks is none', async () =>
    expect((await keptPlants({ units: [{ unit: 1, plant: 1 }], missing: [1] })).size).toBe(0));
});

describe('an EEG plant of several units', () => {
  it('is one row, led by its first unit in operation, with the capacity of all', async () =>
    expect(
      await plant(1, {
        units: [
          { unit: 1, plant: 1, EinheitBetriebsstatus_id: 38, ArtDerSolaranlage_id: 852 },
          { unit: 2, plant: 1, Inbetriebnahmedatum: '2021-03-01' },
          { unit: 3, plant: 1, Inbetriebnahmedatum: '2019-01-01' },
        ],
      }),
    ).toMatchObject({ einheit: 2, lageId: 853, statusId: 35, inbetriebnahme: '2021-03-01', kw: 30 }));

  it('is led by its smallest number when none is in operation', async () =>
    expect(
      await plant(1, {
        units: [
          { unit: 4, plant: 1, EinheitBetriebsstatus_id: 31 },
          { unit: 3, plant: 1, EinheitBetriebsstatus_id: 38 },
        ],
      }),
    ).toMatchObject({ einheit: 3, statusId: 38 }));

  it('is not led by a storage beside it, whose capacity does not count', async () =>
    expect(
      await plant(1, {
        units: [
          { unit: 1, plant: 1, _art: 'EinheitenStromSpeicher', Energietraeger_id: 2496 },
          { unit: 2, plant: 1, EinheitBetriebsstatus_id: 31 },
        ],
      }),
    ).toMatchObject({ einheit: 2, einheitTyp: 'solar', kw: 10 }));
});

describe('several plants as one', () => {
  const PLACE = 7;

  /** Capacities that count before the plants, which are commissioned on these days at one place. */
  const capacitiesBefore = async (
    days: readonly string[],
    changes: readonly Record<string, string | number>[] = [],
  ) => {
    const plants = await keptPlants({
      units: days.map((day, at) => ({
        ...{ unit: at + 1, plant: at + 1, location: PLACE, Inbetriebnahmedatum: day },
        ...changes[at],
      })),
    });
    return days.map((_, at) => plants.get(at + 1)?.davorKw);
  };

  it('are those of one place and carrier', async () => {
    expect(await capacitiesBefore(['2020-01-01', '2020-06-01'])).toEqual([0, 10]);
    expect(await capacitiesBefore(['2020-01-01', '2020-06-01'], [{ location: 8 }])).toEqual([0, 0]);
    expect(
      await capacitiesBefore(['2020-01-01', '2020-06-01'], [{ _art: 'EinheitenWind', Energietraeger_id: 2497 }]),
    ).toEqual([0, 0]);
  });

  it('of the twelve months before, both days included; before 2009 of six months', async () => {
    expect(await capacitiesBefore(['2019-06-15', '2020-06-15'])).toEqual([0, 10]);
    expect(await capacitiesBefore(['2019-06-14', '2020-06-15'])).toEqual([0, 0]);
    expect(await capacitiesBefore(['2023-02-28', '2024-02-29'])).toEqual([0, 10]);
    expect(await capacitiesBefore(['2008-06-30', '2008-12-31'])).toEqual([0, 10]);
    expect(await capacitiesBefore(['2008-06-29', '2008-12-31'])).toEqual([0, 0]);
    expect(await capacitiesBefore(['2008-06-29', '2009-01-01'])).toEqual([0, 10]);
  });

  it('count in the order of their days, on one day in that of their numbers', async () => {
    expect(await capacitiesBefore(['2020-03-01', '2020-02-01', '2020-01-01'])).toEqual([20, 10, 0]);
    expect(await capacitiesBefore(['2020-03-01', '2020-03-01', '2020-03-01'])).toEqual([0, 10, 20]);
    expect(await capacitiesBefore(['2019-01-01', '2019-09-01', '2020-05-01'])).toEqual([0, 10, 10]);
  });

  it('are no plug-in devices and no storage', async () => {
    expect(await capacitiesBefore(['2020-01-01', '2020-06-01'], [{ ArtDerSolaranlage_id: 2961 }])).toEqual([0, 0]);
    expect(await capacitiesBefore(['2020-01-01', '2020-06-01'], [{}, { ArtDerSolaranlage_id: 2961 }])).toEqual([0, 0]);
    const storage = { _art: 'EinheitenStromSpeicher', Energietraeger_id: 2496 };
    expect(await capacitiesBefore(['2020-01-01', '2020-06-01'], [storage, storage])).toEqual([0, 0]);
    expect(await capacitiesBefore(['', '2020-06-01'].map((day) => day || 'NULL').slice(1))).toEqual([0]);
  });

  it('are not the units of one plant', async () =>
    expect(
      await plant(1, {
        units: [
          { unit: 1, plant: 1, location: PLACE },
          { unit: 2, plant: 1, location: PLACE },
        ],
      }),
    ).toMatchObject({ davorKw: 0 }));

  it('are those of each place of a plant; the fullest counts', async () => {
    const plants = await keptPlants({
      units: [
        { unit: 1, plant: 1, location: 1, Inbetriebnahmedatum: '2020-01-01', Bruttoleistung: 5 },
        { unit: 2, plant: 2, location: 2, Inbetriebnahmedatum: '2020-01-01', Bruttoleistung: 7 },
        { unit: 3, plant: 3, location: 1, Inbetriebnahmedatum: '2020-02-01' },
        { unit: 4, plant: 3, location: 2, Inbetriebnahmedatum: '2020-02-01' },
        { unit: 5, plant: 4, location: 2, Inbetriebnahmedatum: '2020-03-01' },
      ],
    });
    expect([1, 2, 3, 4].map((number) => plants.get(number)?.davorKw)).toEqual([0, 0, 7, 27]);
  });
});
