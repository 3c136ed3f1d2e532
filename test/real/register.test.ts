import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../../ingest/build/build.ts';
import { anomaliesIn, RULE_IDS, ruleMask } from '../../sql/catalogue/anomalies.ts';
import { inAnomalies, inUnits } from '../recount/agreement.ts';
import { perPlaceOf } from '../recount/per-place.ts';
import { type Recount, recount } from '../recount/recount.ts';
import { buildOptions, type Tables, warehouseFolder, withTables } from '../support/built.ts';
import { type Subject, serve } from '../support/service.ts';
import { type Expected, expected, isMissing, pathOf, titled } from './expected.ts';
import { figuresOf, recordsOf, servedCohorts, servedFigures } from './figures.ts';

const SOURCE = pathOf('register-real.zip');
const { dateien, datensaetze, kennzahlen, einzelpruefungen } = expected<Expected>('register-real.expected.json');

/** The recount depends on the order of days only: no day of the export lies more than twenty years ahead. */
const EXPORT_DAY = '2026-08-22';

/** Units by the rules that name any. */
const CONSPICUOUS_BY_RULE = {
  modulleistung_hoch: 51,
  modulleistung_niedrig: 7,
  netto_ueber_brutto: 6,
  netto_weit_unter_brutto: 24,
  dach_leistung_hoch: 1,
  speicher_privat_hoch: 24,
  speicher_stunden_niedrig: 2,
  pumpspeicher_becken: 14,
  pumpspeicher_jahresspeicher: 10,
  wind_leistung_rotor: 1,
  wind_rotor_typ: 18,
  wind_gleicher_punkt: 42,
  koordinaten_ausserhalb_deutschland: 9,
  koordinaten_ausserhalb_gemeinde: 357,
  gemeinde_passt_nicht_zu_ort: 559,
  koordinaten_ganze_grad: 43,
  gemeindeschluessel_frueher: 46,
  in_planung_mit_inbetriebnahme: 2,
  inbetriebnahme_vor_technik: 2,
  eeg_leistung_summe: 36,
  doppelt_gemeldet: 2,
};

describe.skipIf(isMissing)(titled('real register content'), () => {
  const warehouse = warehouseFolder();
  let service: Subject;
  let counted: Recount;
  const withRegister = <T>(question: (tables: Tables) => Promise<T>): Promise<T> =>
    withTables(warehouse.path, question);

  beforeAll(async () => {
    await build(buildOptions(SOURCE, warehouse.path, EXPORT_DAY));
    service = await serve(warehouse.path, { TODAY: kennzahlen.altersstruktur.stichtag });
    counted = await recount(SOURCE, EXPORT_DAY);
  });

  afterAll(async () => {
    await service?.stop();
    warehouse.remove();
  });

  it('has the records and keys of every file', async () => {
    expect(await withRegister(recordsOf)).toEqual({ dateien, datensaetze });
  });

  it('has the key figures', async () => {
    const { koordinaten: _, ...figures } = kennzahlen;
    const { kohorten } = figures.altersstruktur;
    const found = await withRegister((tables) => figuresOf(tables, figures.altersstruktur.stichtag));
    expect(found.altersstruktur.kohorten).toHaveLength(kohorten.length);
    expect(found).toEqual({
      ...figures,
      altersstruktur: { ...figures.altersstruktur, kohorten: expect.arrayContaining([...kohorten]) },
    });
  });

  it('omits the one impossible deadline of a permit', async () => {
    const found = await withRegister((tables) =>
      tables(`SELECT art, feld, roh, anzahl FROM befunde WHERE befund = 'tag_unplausibel'`),
    );
    expect(found).toEqual([{ art: 'EinheitenGenehmigung', feld: 'Frist', roh: '2077-12-06', anzahl: '1' }]);
  });

  it('has figures by inhabitant and area, with Eisenach and Hanau where they lie today', async () => {
    const units = [...counted.units.values()];
    const large = units.filter(({ fields }) => Number(fields.bruttoleistungKw ?? 0) >= 100);
    const [perPlace, ofLarge] = [perPlaceOf(units), perPlaceOf(units, large)];
    for (const level of ['landkreis', 'gemeinde'] as const) {
      const { json } = await service.get(`/v1/aggregations?groupBy=${level}&leistungMinKw=100`);
      const told = ofLarge.groups(level);
      for (const { key, ...group } of json.data.groups) if (key !== null) expect(group).toMatchObject(told.get(key)!);
    }
    for (const region of ['16056', '16063', '06435']) {
      const question = { ebene: 'landkreis', region, periode: 'jahr' } as const;
      const { json } = await service.get(`/v1/region/zeitreihe?${new URLSearchParams(question)}`);
      expect(json.data).toEqual(perPlace.zeitreihe(question));
      const places = json.meta.bezug.orte.map(({ schluessel }: { schluessel: string }) => schluessel);
      expect(places).toEqual([region === '16056' ? '16063' : region]);
    }
  });

  it('has the time series and age structure over HTTP', async () => {
    const { zeitreihe, kohorten } = await servedFigures(service);
    expect(zeitreihe).toMatchObject(kennzahlen.zeitreihe);
    expect(kohorten).toMatchObject(servedCohorts(kennzahlen));
  });

  it('counts the energy of storage once a plant, in every sum', async () => {
    const energyOf = async (sql: string) => {
      const [row] = await withRegister((tables) => tables(`SELECT CAST(${sql} AS DOUBLE) AS kwh FROM units`));
      return row!.kwh;
    };
    // Over units each plant counts as often as it has units. Over plants: the sum of the elements of AnlagenStromSpeicher.
    expect(await energyOf('sum(speicherkapazitaetKwh)')).toBe(1_843_012_086.276);
    expect(await energyOf('sum(speicherkapazitaetAnteilKwh)')).toBe(761_788_886.276);
    for (const groupBy of ['speichersegment', 'bundesland', 'betriebsStatus', 'landkreis']) {
      const { json } = await service.get(`/v1/aggregations?groupBy=${groupBy}`);
      const groups = json.data.groups.map((group: { speicherkapazitaetKwh: number }) => group.speicherkapazitaetKwh);
      const wattHours = groups.reduce((sum: number, kwh: number) => sum + Math.round(kwh * 1000), 0);
      expect([groupBy, wattHours / 1000]).toEqual([groupBy, 761_788_886.276]);
      expect(json.data.totals.speicherkapazitaetKwh).toBe(761_788_886.276);
    }
    const { json } = await service.get('/v1/region/altersstruktur');
    const running = json.data.reduce((sum: number, { mwh }: { mwh: number }) => sum + Math.round(mwh * 1e6), 0);
    expect(running / 1000).toBe(
      await energyOf(`sum(speicherkapazitaetAnteilKwh)
      FILTER (betriebsStatus = 'In Betrieb' AND inbetriebnahmedatum IS NOT NULL)`),
    );
  });

  it('has as many conspicuous units by each rule as were judged, and a second way finds the same', async () => {
    const rows = await withRegister((tables) =>
      tables<{ mask: number }>('SELECT auffaelligkeiten::DOUBLE AS mask FROM units WHERE auffaelligkeiten IS NOT NULL'),
    );
    const found = rows.flatMap(({ mask }) => anomaliesIn(mask).map(({ regel }) => regel));
    const counts = RULE_IDS.flatMap((id) => {
      const count = found.filter((one) => one === id).length;
      return count === 0 ? [] : [[id, count] as const];
    });
    expect(Object.fromEntries(counts)).toEqual(CONSPICUOUS_BY_RULE);
    expect(await withRegister((tables) => inAnomalies(EXPORT_DAY)(tables, counted))).toEqual([]);
  });

  it('has the pumped storage of the country where no rule names it', async () => {
    const of = async (condition: string) => {
      const { json } = await service.get(`/v1/units?limit=1&speichersegment=pumpspeicher&${condition}`);
      return json.meta.page.total;
    };
    expect([await of(''), await of('auffaelligkeit=pumpspeicher_becken,pumpspeicher_jahresspeicher')]).toEqual([
      74, 24,
    ]);
    const [row] = await withRegister((tables) =>
      tables(`SELECT CAST(sum(speicherkapazitaetAnteilKwh) AS DOUBLE) AS kwh FROM units
        WHERE speichersegment = 'pumpspeicher'
          AND coalesce(auffaelligkeiten & ${ruleMask(['pumpspeicher_becken', 'pumpspeicher_jahresspeicher'])}, 0) = 0`),
    );
    expect(row!.kwh).toBeCloseTo(41_736_700, 0);
  });

  it('says what is mixed under geothermal, and what stands together', async () => {
    const { json } = await service.get('/v1/aggregations?groupBy=energietraeger&einheitTyp=geothermal');
    expect(json.data.groups).toMatchObject([
      { key: 'Solarthermie', count: 72 },
      { key: 'Geothermie', count: 22 },
    ]);
    const total = async (query: string) => (await service.get(`/v1/units?limit=1&${query}`)).json.meta.page.total;
    expect(await total('einheitTyp=solar&amStandort=storage')).toBe(92);
    expect(await total('einheitTyp=storage&amStandort=solar')).toBe(90);
  });

  it('serves the coordinates that may be served', async () => {
    const { mitKoordinaten, davonAb30Kw, davonGenau30Kw, davonUnter30Kw, davonOhneBruttoleistung } =
      kennzahlen.koordinaten;
    const [served] = await withRegister((tables) =>
      tables(`SELECT
        CAST(count(*) AS INTEGER) AS alle,
        CAST(count(*) FILTER (bruttoleistungKw >= 30) AS INTEGER) AS ab30,
        CAST(count(*) FILTER (bruttoleistungKw = 30) AS INTEGER) AS genau30
        FROM units WHERE latitude IS NOT NULL AND longitude IS NOT NULL`),
    );
    expect(served).toEqual({ alle: davonAb30Kw, ab30: davonAb30Kw, genau30: davonGenau30Kw });
    const half = await withRegister((tables) =>
      tables('SELECT mastrNummer FROM units WHERE (latitude IS NULL) <> (longitude IS NULL)'),
    );
    expect(half).toEqual([]);

    const inExport = [...counted.raw.values()].filter((row) => row.Breitengrad && row.Laengengrad);
    expect(inExport).toHaveLength(mitKoordinaten);
    expect(inExport.filter((row) => row.Bruttoleistung === undefined)).toHaveLength(davonOhneBruttoleistung);
    expect(inExport.filter((row) => Number(row.Bruttoleistung) < 30)).toHaveLength(davonUnter30Kw);
  });

  it.each(einzelpruefungen ?? [])('shows $bedient.mastrNummer', async ({ bedient }) => {
    const { status, json } = await service.get(`/v1/units/${bedient.mastrNummer}`);
    expect(status).toBe(200);
    const { eegZuschlagsnummerRoh, bilanzierungsgebietYeic, ...fields } = bedient;
    const award = String(eegZuschlagsnummerRoh ?? '')
      .split(/[,;]/)
      .map((one) => one.replaceAll(' ', '').toUpperCase())
      .filter((one) => one !== '')
      .join('; ');
    expect(json.data).toMatchObject({ ...fields, eegZuschlagsnummer: award === '' ? null : award });
    // The area is shown by its name, where it has one.
    if (bilanzierungsgebietYeic !== undefined) {
      expect(counted.areas.get(json.data.bilanzierungsgebiet)).toContain(bilanzierungsgebietYeic);
    }
  });

  it('is the same as a recount, unit by unit and field by field', async () => {
    expect(await withRegister((tables) => inUnits(tables, counted))).toEqual([]);
  });
});
