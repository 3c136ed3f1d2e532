import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignalId, signalMask, signalsIn } from '../../../sql/catalogue/signals.ts';
import { ingestHere } from '../../support/command.ts';
import { folderOfTests, generateExport, RegisterExport, type Row } from '../../support/exports.ts';
import { buildIn, queryServed } from '../../support/warehouse.ts';

/** A build adds to the register: signals, normal names of wind turbines, the operator's list. */

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');
const DAY = '2026-11-01';

/** A wind unit that no signal holds for, to be changed until one does. */
const PLAIN: Row = {
  EinheitBetriebsstatus: '35',
  EinheitSystemstatus: '472',
  Registrierungsdatum: '2019-02-01',
  Inbetriebnahmedatum: '2015-12-31',
  Bruttoleistung: '3000.000',
  Nettonennleistung: '3000.000',
  NetzbetreiberpruefungStatus: '2954',
  DatumLetzteAktualisierung: '2026-01-01T00:00:00',
};

const SIGNAL_CASES: readonly [SignalId[], Row][] = [
  [[], {}],
  [['neu_registriert'], { Registrierungsdatum: '2026-10-02' }],
  [[], { Registrierungsdatum: '2026-10-01' }],
  [
    ['inbetriebnahme_ueberfaellig'],
    { EinheitBetriebsstatus: '31', Inbetriebnahmedatum: '', GeplantesInbetriebnahmedatum: '2026-10-31' },
  ],
  [[], { EinheitBetriebsstatus: '31', Inbetriebnahmedatum: '', GeplantesInbetriebnahmedatum: '2026-11-01' }],
  [['wind_ueber_20_jahre'], { Inbetriebnahmedatum: '2006-11-01', Bruttoleistung: '2000.001' }],
  [['wind_ueber_20_jahre', 'repowering_kandidat'], { Inbetriebnahmedatum: '2006-11-01', Bruttoleistung: '2000' }],
  [[], { Inbetriebnahmedatum: '2006-11-02', Bruttoleistung: '2000' }],
  [[], { Inbetriebnahmedatum: '2006-11-01', EinheitBetriebsstatus: '38' }],
  [['betreiberwechsel_12_monate'], { DatumDesBetreiberwechsels: '2025-11-01' }],
  [[], { DatumDesBetreiberwechsels: '2025-10-31' }],
  [['voruebergehend_stillgelegt'], { EinheitBetriebsstatus: '37' }],
  [['netzbetreiberpruefung_offen'], { NetzbetreiberpruefungStatus: '2955', Registrierungsdatum: '2026-05-01' }],
  [['netzbetreiberpruefung_offen'], { NetzbetreiberpruefungStatus: '0' }],
  [[], { NetzbetreiberpruefungStatus: '2955', Registrierungsdatum: '2026-05-02' }],
  [['direktvermarktungspflicht_ohne_fernsteuerung'], { Inbetriebnahmedatum: '2016-01-01', Bruttoleistung: '100.001' }],
  [[], { Inbetriebnahmedatum: '2016-01-01', Bruttoleistung: '100' }],
  [[], { Inbetriebnahmedatum: '2016-01-01', FernsteuerbarkeitDv: '1' }],
  [['zuschlag_ohne_inbetriebnahme'], { EinheitBetriebsstatus: '31', Inbetriebnahmedatum: '', EegMaStRNummer: 'EEG1' }],
];

const numberOf = (place: number): string => `SEE9${String(place).padStart(11, '0')}`;

let register: RegisterExport;

beforeAll(async () => {
  register = await RegisterExport.read(await generateExport(folder.path, DAY));
  register.shorten(30);
  const wind = register.of('EinheitenWind').records;
  const operator = register.of('Marktakteure').records[0]!.MastrNummer!;
  SIGNAL_CASES.forEach(([, changes], place) => {
    const row = Object.fromEntries(Object.entries({ ...PLAIN, ...changes }).filter(([, text]) => text !== ''));
    wind.push({ EinheitMastrNummer: numberOf(place), AnlagenbetreiberMastrNummer: operator, ...row });
  });
  const award = register.of('AnlagenEegWind').records[0]!;
  award.Zuschlagsnummer = 'WIN17-1-001';
  wind.find(({ EegMaStRNummer }) => EegMaStRNummer === 'EEG1')!.EegMaStRNummer = award.EegMaStRNummer!;
  ['ENERCON E-82/E2/BF', 'Eigenbau  7'].forEach((type, place) => {
    wind.push({ ...PLAIN, EinheitMastrNummer: numberOf(500 + place), Hersteller: '1586', Typenbezeichnung: type });
  });
  const home = register.of('Katalogwerte').records;
  home.push({ Id: '77001', KatalogKategorieId: home[0]!.KatalogKategorieId!, Wert: 'Windbau Hinterhof GmbH' });
  wind.push({ ...PLAIN, EinheitMastrNummer: numberOf(600), Hersteller: '77001', Kraftwerksnummer: 'bna0007' });
  await buildIn(warehouse, register.write(join(folder.path, 'first'), DAY));
});

afterAll(() => folder.remove());

const unit = async (number: string) => {
  const [row] = await queryServed(warehouse, `SELECT * FROM units WHERE mastrNummer = '${number}'`);
  return row!;
};

describe('signals on 2026-11-01', () => {
  it.each(SIGNAL_CASES.map(([ids, changes], place) => [place, changes, ids] as const))(
    'unit %i with %j has %j',
    async (place, _, ids) => {
      // Whether the values of these units fit together is asked elsewhere.
      const found = signalsIn(Number((await unit(numberOf(place))).signals)).filter((id) => id !== 'daten_auffaellig');
      expect(found).toEqual(ids);
    },
  );

  it('grossspeicher is storage from 1 MW', async () => {
    const rows = await queryServed<{ passt: boolean }>(
      warehouse,
      `SELECT DISTINCT (signals & ${signalMask(['grossspeicher'])} <> 0)
         = coalesce(einheitTyp = 'storage' AND bruttoleistungKw >= 1000, false) AS passt FROM units`,
    );
    expect(rows).toEqual([{ passt: true }]);
  });
});

describe('names of wind turbines', () => {
  it('have a normal form in addition to the value of the register', async () =>
    expect(await unit(numberOf(500))).toMatchObject({
      windHersteller: 'Enercon',
      windHerstellerRegister: 'ENERCON GmbH',
      windTypenbezeichnung: 'E-82 E2',
      windTypenbezeichnungRegister: 'ENERCON E-82/E2/BF',
    }));

  it('stay unchanged where no rule matches; manufacturers are then a finding', async () => {
    expect(await unit(numberOf(501))).toMatchObject({ windTypenbezeichnung: 'Eigenbau 7' });
    expect(await unit(numberOf(600))).toMatchObject({ windHersteller: 'Windbau Hinterhof GmbH' });
    expect(
      await queryServed(warehouse, `SELECT roh, beispiel FROM befunde WHERE befund = 'hersteller_ohne_regel'`),
    ).toEqual([{ roh: 'Windbau Hinterhof GmbH', beispiel: numberOf(600) }]);
  });
});

describe('the next exports', () => {
  it('another operator is a signal and a change, once; the first version has nothing to compare with', async () => {
    expect((await unit(numberOf(0))).betreiberSeit).toBeNull();
    const changed = register.copy();
    const row = changed.of('EinheitenWind').records.find((one) => one.EinheitMastrNummer === numberOf(0))!;
    row.AnlagenbetreiberMastrNummer = changed.of('Marktakteure').records[1]!.MastrNummer!;
    const next = (day: string) => buildIn(warehouse, changed.write(join(folder.path, 'changed'), day), { force: true });
    await next('2026-11-02');
    expect(signalsIn(Number((await unit(numberOf(0))).signals))).toEqual(['betreiberwechsel_12_monate']);
    await next('2026-11-03');
    expect(await unit(numberOf(0))).toMatchObject({ betreiberSeit: new Date('2026-11-02'), inhaltSeit: 2 });
    // A year later nothing but the day has changed: the signal ends, and so the unit has changed once more.
    await next('2027-11-03');
    expect(await unit(numberOf(0))).toMatchObject({ signals: 0, inhaltSeit: 4 });
  });

  it('a list of the grid development plan is applied by number and by power plant, until it is taken away', async () => {
    const list = join(folder.path, 'nep.csv');
    writeFileSync(list, `mastrNummer,kraftwerksnummer\n${numberOf(1)},\n,BNA0007\n,BNA9999\n`);
    const loaded = await ingestHere(warehouse, ['table', 'nep', list, '--json']);
    expect(JSON.parse(loaded.out)).toMatchObject({ rows: 3, matched: 2, unmatched: 1 });
    expect((await ingestHere(warehouse, ['table'])).out).toMatch(/^nep {2}3 rows {2}loaded 20/);
    expect((await unit(numberOf(1))).nepGelistet).toBe(false);

    await buildIn(warehouse, register.write(join(folder.path, 'listed'), '2027-11-04'), { force: true });
    const listed = await queryServed(warehouse, 'SELECT mastrNummer FROM units WHERE nepGelistet ORDER BY ALL');
    expect(listed.map(({ mastrNummer }) => mastrNummer)).toEqual([numberOf(1), numberOf(600)]);
    expect((await unit(numberOf(2))).nepGelistet).toBe(false);
    expect(await queryServed(warehouse, 'FROM zusatztabellen')).toEqual([{ name: 'nep', zeilen: 3, zugeordnet: 2 }]);

    expect((await ingestHere(warehouse, ['table', 'nep', '--clear'])).out).toMatch(/^The table nep is gone/);
    await buildIn(warehouse, register.write(join(folder.path, 'cleared'), '2027-11-05'), { force: true });
    expect((await unit(numberOf(1))).nepGelistet).toBe(false);
    expect((await ingestHere(warehouse, ['table'])).out).toBe('No table is loaded\n');
  });

  it.each([
    [['table', 'mine'], 2],
    [['table', '--clear'], 2],
    [['table', 'nep', 'no-such-file.csv'], 5],
  ])('%j is refused', async (words, code) => expect(await ingestHere(warehouse, words)).toMatchObject({ code }));
});
