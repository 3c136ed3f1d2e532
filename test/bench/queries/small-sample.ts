import { type SampledUnit, sampleFrom } from './sample.ts';

const unit = (more: Partial<SampledUnit>): SampledUnit => ({
  mastrNummer: 'SEE900000000001',
  einheitTyp: 'solar',
  betriebsStatus: 'In Betrieb',
  bundesland: 'Bayern',
  landkreis: 'Hof',
  gemeinde: 'Naila',
  plz: '95119',
  bruttoleistungKw: 9.9,
  inbetriebnahmedatum: '2020-05-04',
  betreiberMastrNummer: 'ABR900000000001',
  netzbetreiber: 'Netz Süd, Gesellschaft',
  spannungsebene: 'Niederspannung',
  name: 'PV Sonnenhof 12',
  ort: 'Bad Steben',
  betreiberName: null,
  ...more,
});

const UNITS = [
  unit({}),
  unit({ mastrNummer: 'SEE900000000002', bundesland: null, name: 'Öko', plz: null }),
  unit({ mastrNummer: 'SEE900000000003', einheitTyp: 'wind', name: 'Windpark Hohe Rhön', ort: 'Fladungen' }),
];

/** Three units, for tests of the questions. */
export const SMALL_SAMPLE = sampleFrom(
  UNITS,
  UNITS.length,
  UNITS.map(({ mastrNummer }) => mastrNummer),
);
