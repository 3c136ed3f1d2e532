import type { RuleId } from '../../../sql/catalogue/plausibility.ts';

/** Units by a rule: some to which it applies, and some to which it just does not. */

export type Unit = Readonly<Record<string, string | number | boolean>>;

interface Cases {
  readonly applies: readonly Unit[];
  readonly not: readonly Unit[];
}

const inOperation: Unit = { statusId: 35 };
const roof: Unit = { einheitTyp: 'solar', solarLageId: 853 };
const ground: Unit = { einheitTyp: 'solar', solarLageId: 852 };
const plugIn: Unit = { einheitTyp: 'solar', solarLageId: 2961 };
const battery: Unit = { einheitTyp: 'storage', technologieId: 524 };
const pumped: Unit = { einheitTyp: 'storage', technologieId: 1537 };
const home: Unit = { ...battery, eegMastrNummer: 'EEG900000000001', einspeisungsartId: 689 };
const turbine: Unit = { einheitTyp: 'wind', bruttoleistungKw: 3000 };
const e115: Unit = { typRotorAbM: 115, typRotorBisM: 116, typLeistungAbKw: 2500, typLeistungBisKw: 3200 };
const bavaria: Unit = { bundesland: 'Bayern', landschluessel: '09' };
const abroad: Unit = { abstandDeutschlandM: 2001, latitude: 46, longitude: 11.5 };
const ZONE = 'Ausschließliche Wirtschaftszone';

export const CASES: Readonly<Record<RuleId, Cases>> = {
  modulleistung_hoch: {
    applies: [{ ...roof, solarAnzahlModule: 10, bruttoleistungKw: 8.001 }],
    not: [
      { ...roof, solarAnzahlModule: 10, bruttoleistungKw: 8 },
      { ...roof, solarAnzahlModule: 0, bruttoleistungKw: 8 },
    ],
  },
  modulleistung_niedrig: {
    applies: [
      { ...roof, solarAnzahlModule: 1000, bruttoleistungKw: 4.999 },
      { ...roof, solarAnzahlModule: 1000, bruttoleistungKw: 44.999 },
      { ...plugIn, solarAnzahlModule: 2, bruttoleistungKw: 0.149 },
      { ...ground, solarAnzahlModule: 100, bruttoleistungKw: 5.999, geplantesInbetriebnahmedatum: '2020-01-01' },
    ],
    not: [
      { ...roof, solarAnzahlModule: 1000, bruttoleistungKw: 5 },
      { ...roof, solarAnzahlModule: 1000, bruttoleistungKw: 45 },
      { ...plugIn, solarAnzahlModule: 2, bruttoleistungKw: 0.15 },
      { ...ground, solarAnzahlModule: 100, bruttoleistungKw: 5.999, inbetriebnahmedatum: '2019-12-31' },
    ],
  },
  leistung_je_flaeche_hoch: {
    applies: [{ ...ground, solarFlaecheHa: 2, bruttoleistungKw: 5000.001 }],
    not: [
      { ...ground, solarFlaecheHa: 2, bruttoleistungKw: 5000 },
      { ...ground, solarFlaecheHa: 0, bruttoleistungKw: 5000 },
    ],
  },
  leistung_je_flaeche_niedrig: {
    applies: [{ ...ground, solarFlaecheHa: 2, bruttoleistungKw: 99.999 }],
    not: [{ ...ground, solarFlaecheHa: 2, bruttoleistungKw: 100 }],
  },
  netto_ueber_brutto: {
    applies: [{ nettonennleistungKw: 101.051, bruttoleistungKw: 100 }],
    not: [{ nettonennleistungKw: 101.05, bruttoleistungKw: 100 }, { nettonennleistungKw: 100 }],
  },
  netto_weit_unter_brutto: {
    applies: [{ nettonennleistungKw: 1, bruttoleistungKw: 10.001 }],
    not: [
      { nettonennleistungKw: 1, bruttoleistungKw: 10 },
      { nettonennleistungKw: 0, bruttoleistungKw: 10 },
    ],
  },
  leistung_null: {
    applies: [{ bruttoleistungKw: 0 }, { bruttoleistungKw: 1, nettonennleistungKw: 0 }],
    not: [{ bruttoleistungKw: 0.001, nettonennleistungKw: 0.001 }],
  },
  dach_leistung_hoch: {
    applies: [{ ...roof, bruttoleistungKw: 20_000.001 }],
    not: [
      { ...roof, bruttoleistungKw: 20_000 },
      { ...ground, bruttoleistungKw: 20_000.001 },
    ],
  },
  steckersolar_leistung_hoch: {
    applies: [
      { ...plugIn, bruttoleistungKw: 2.001 },
      { ...plugIn, nettonennleistungKw: 0.801 },
    ],
    not: [{ ...plugIn, bruttoleistungKw: 2, nettonennleistungKw: 0.8 }],
  },
  speicher_privat_hoch: {
    applies: [{ ...home, bruttoleistungKw: 500 }],
    not: [
      { ...home, bruttoleistungKw: 499.999 },
      { ...home, bruttoleistungKw: 500, betreiberName: 'Stadtwerke' },
      { ...home, bruttoleistungKw: 500, technologieId: 1537 },
    ],
  },
  speicher_stunden_niedrig: {
    applies: [{ ...battery, bruttoleistungKw: 100, speicherkapazitaetKwh: 24.999 }],
    not: [{ ...battery, bruttoleistungKw: 100, speicherkapazitaetKwh: 25 }],
  },
  speicher_stunden_hoch: {
    applies: [{ ...battery, speicherdauerStunden: 24.001 }],
    not: [
      { ...battery, speicherdauerStunden: 24 },
      { ...pumped, speicherdauerStunden: 24.001 },
    ],
  },
  pumpspeicher_becken: {
    applies: [{ ...pumped, ...bavaria, speicherdauerStunden: 48.001 }],
    not: [
      { ...pumped, ...bavaria, speicherdauerStunden: 48 },
      { ...pumped, speicherdauerStunden: 48.001 },
      { ...battery, ...bavaria, speicherdauerStunden: 48.001 },
    ],
  },
  pumpspeicher_jahresspeicher: {
    applies: [{ ...pumped, speicherdauerStunden: 48.001 }],
    not: [
      { ...pumped, speicherdauerStunden: 48 },
      { ...pumped, ...bavaria, speicherdauerStunden: 48.001 },
    ],
  },
  wind_leistung_rotor: {
    applies: [
      { ...turbine, bruttoleistungKw: 5500, windRotordurchmesserM: 100 },
      { ...turbine, bruttoleistungKw: 1178, windRotordurchmesserM: 100 },
    ],
    not: [
      { ...turbine, bruttoleistungKw: 5497, windRotordurchmesserM: 100 },
      { ...turbine, bruttoleistungKw: 1179, windRotordurchmesserM: 100 },
      { ...turbine, bruttoleistungKw: 99, windRotordurchmesserM: 100 },
    ],
  },
  wind_nabenhoehe_rotor: {
    applies: [
      { ...turbine, windNabenhoeheM: 57.9, windRotordurchmesserM: 100 },
      { ...turbine, windNabenhoeheM: 300.1, windRotordurchmesserM: 100 },
      { ...turbine, windNabenhoeheM: 310.1, windRotordurchmesserM: 160 },
    ],
    not: [
      { ...turbine, windNabenhoeheM: 58, windRotordurchmesserM: 100 },
      { ...turbine, windNabenhoeheM: 300, windRotordurchmesserM: 100 },
    ],
  },
  wind_rotor_typ: {
    applies: [
      { ...turbine, ...e115, windRotordurchmesserM: 111.5 },
      { ...turbine, ...e115, windRotordurchmesserM: 119.5 },
    ],
    not: [
      { ...turbine, ...e115, windRotordurchmesserM: 111.6 },
      { ...turbine, windRotordurchmesserM: 111.5 },
    ],
  },
  wind_leistung_typ: {
    applies: [
      { ...turbine, ...e115, bruttoleistungKw: 2249 },
      { ...turbine, ...e115, bruttoleistungKw: 3361 },
    ],
    not: [
      { ...turbine, ...e115, bruttoleistungKw: 2250 },
      { ...turbine, ...e115, bruttoleistungKw: 3360 },
    ],
  },
  wind_gleicher_punkt: {
    applies: [
      { ...turbine, abstandTurbineM: 0 },
      { ...turbine, abstandTurbineM: 30 },
    ],
    not: [turbine, { ...turbine, abstandTurbineM: 30.1 }],
  },
  koordinaten_null: {
    applies: [{ latitude: 0, longitude: 11 }],
    not: [{ latitude: 48.1, longitude: 11 }],
  },
  koordinaten_vertauscht: {
    applies: [{ latitude: 11.5, longitude: 48.1 }],
    not: [{ latitude: 48.1, longitude: 11.5 }],
  },
  koordinaten_ausserhalb_deutschland: {
    applies: [
      { ...abroad, ...bavaria },
      // Solar modules do not float in the North Sea, nor turbines in the Alps.
      { ...abroad, ...bavaria, einheitTyp: 'solar', latitude: 54.5, longitude: 7 },
      { ...abroad, ...bavaria, einheitTyp: 'wind', latitude: 47, longitude: 11 },
      { ...abroad, bundesland: ZONE, einheitTyp: 'wind', latitude: 56, longitude: 7 },
    ],
    not: [
      { ...abroad, ...bavaria, abstandDeutschlandM: 2000 },
      abroad,
      bavaria,
      { ...abroad, ...bavaria, einheitTyp: 'wind', latitude: 54.5, longitude: 7 },
      { ...abroad, bundesland: ZONE, latitude: 54.5, longitude: 13 },
    ],
  },
  koordinaten_ausserhalb_gemeinde: {
    applies: [
      { ...bavaria, abstandGemeindeM: 501 },
      { ...bavaria, abstandGemeindeM: 501, ortAmPunkt: false },
    ],
    not: [
      { ...bavaria, abstandGemeindeM: 500 },
      { ...bavaria, abstandGemeindeM: 501, ortAmPunkt: true },
      { bundesland: ZONE, abstandGemeindeM: 501 },
      { ...abroad, ...bavaria },
    ],
  },
  gemeinde_passt_nicht_zu_ort: {
    applies: [{ ...bavaria, abstandGemeindeM: 501, ortAmPunkt: true }],
    not: [
      { ...bavaria, abstandGemeindeM: 500, ortAmPunkt: true },
      { ...bavaria, abstandGemeindeM: 501, ortAmPunkt: false },
      { ...bavaria, abstandGemeindeM: 501 },
      { bundesland: ZONE, abstandGemeindeM: 501, ortAmPunkt: true },
    ],
  },
  koordinaten_ganze_grad: {
    applies: [{ latitude: 48, longitude: 11 }],
    not: [{ latitude: 48, longitude: 11.5 }],
  },
  gemeinde_anderes_bundesland: {
    applies: [{ ...bavaria, gemeindeschluessel: '08111000' }],
    not: [
      { ...bavaria, gemeindeschluessel: '09162000' },
      { bundesland: 'Ausschließliche Wirtschaftszone', gemeindeschluessel: '08111000' },
    ],
  },
  gemeindeschluessel_unbekannt: {
    applies: [{ ...bavaria, schluesselStand: 'unbekannt' }],
    not: [bavaria, { ...bavaria, schluesselStand: 'frueher' }, { bundesland: ZONE, schluesselStand: 'unbekannt' }],
  },
  gemeindeschluessel_frueher: {
    applies: [
      { ...bavaria, schluesselStand: 'frueher' },
      { ...bavaria, schluesselStand: 'frueher', schluesselHeute: '09162000' },
    ],
    not: [bavaria, { ...bavaria, schluesselStand: 'unbekannt' }],
  },
  plz_anderes_bundesland: {
    applies: [{ ...bavaria, plz: '20095' }],
    not: [
      { ...bavaria, plz: '80331' },
      { ...bavaria, plz: '07330' },
      { ...bavaria, plz: '2009' },
    ],
  },
  in_betrieb_ab_zukunft: {
    applies: [{ ...inOperation, inbetriebnahmedatum: '2026-11-02' }],
    not: [
      { ...inOperation, inbetriebnahmedatum: '2026-11-01' },
      { statusId: 31, inbetriebnahmedatum: '2026-11-02' },
    ],
  },
  in_betrieb_mit_ende: {
    applies: [{ ...inOperation, stilllegungsdatum: '2026-11-01' }],
    not: [
      { ...inOperation, stilllegungsdatum: '2026-11-02' },
      { statusId: 38, stilllegungsdatum: '2026-11-01' },
    ],
  },
  in_planung_mit_inbetriebnahme: {
    applies: [{ statusId: 31, inbetriebnahmedatum: '2026-11-01' }],
    not: [
      { statusId: 31, inbetriebnahmedatum: '2026-11-02' },
      { statusId: 35, inbetriebnahmedatum: '2026-11-01' },
    ],
  },
  ende_vor_beginn: {
    applies: [{ inbetriebnahmedatum: '2020-01-02', stilllegungsdatum: '2020-01-01' }],
    not: [{ inbetriebnahmedatum: '2020-01-01', stilllegungsdatum: '2020-01-01' }],
  },
  inbetriebnahme_vor_technik: {
    applies: [
      { einheitTyp: 'wind', inbetriebnahmedatum: '1979-12-31' },
      { ...battery, inbetriebnahmedatum: '1979-12-31' },
    ],
    not: [
      { einheitTyp: 'wind', inbetriebnahmedatum: '1980-01-01' },
      { einheitTyp: 'hydro', inbetriebnahmedatum: '1901-01-01' },
      { einheitTyp: 'storage', technologieId: 1537, inbetriebnahmedatum: '1979-12-31' },
    ],
  },
  eeg_leistung_summe: {
    applies: [
      { ...inOperation, einheitTyp: 'biomass', anlageKw: 100, anlageEinheitenKw: 110.001 },
      { ...inOperation, einheitTyp: 'wind', anlageKw: 110.001, anlageEinheitenKw: 100 },
    ],
    not: [
      { ...inOperation, einheitTyp: 'biomass', anlageKw: 100, anlageEinheitenKw: 110 },
      { ...inOperation, einheitTyp: 'wind', anlageKw: 110, anlageEinheitenKw: 100 },
      // Some of its units may be missing.
      { ...inOperation, einheitTyp: 'biomass', anlageKw: 110.001, anlageEinheitenKw: 100 },
      { statusId: 31, einheitTyp: 'wind', anlageKw: 100, anlageEinheitenKw: 200 },
      { ...inOperation, einheitTyp: 'wind', anlageEinheitenKw: 200 },
    ],
  },
  doppelt_gemeldet: {
    applies: [{ ...roof, doppelt: true }],
    not: [roof, { ...roof, doppelt: false }],
  },
};
