import { CARRIERS, type Carrier, carrierName } from '../../charts/carriers.ts';
import { day } from '../../format/dates.ts';
import { count, significant } from '../../format/numbers.ts';
import { lastDay } from '../../periods/periods.ts';
import { ADVERBS, nameOfPeriod, spanText } from '../../periods/words.ts';
import type { Basis, Measure, Series, Value, Window } from './series.ts';

/** The words of a comparison. */

export const SERIES_NAMES: Readonly<Record<Series, string>> = {
  zubau: 'Zubau',
  bestand: 'Bestand',
  netto: 'Netto',
  abbau: 'Abbau',
  pipeline: 'Pipeline',
};

export const VALUE_NAMES: Readonly<Record<Value, string>> = {
  mw: 'Leistung',
  anzahl: 'Anzahl',
  mwh: 'Speicherkapazität',
};

export const BASIS_NAMES: Readonly<Record<Basis, string>> = {
  absolut: 'absolut',
  kopf: 'je 1.000 Einwohner',
  flaeche: 'je km²',
  anteil: '% aller Energieträger',
  deutschland: '% von Deutschland',
  index: 'Index (Beginn 100)',
};

/** Ends of a title that has the series before them. */
const TITLE_ENDS: Readonly<Record<Basis, string>> = {
  absolut: '',
  kopf: ' je 1.000 Einwohner',
  flaeche: ' je km²',
  anteil: ', Anteil an allen Energieträgern',
  deutschland: ', Anteil an Deutschland',
  index: ', Index',
};

const BY_VALUE: Readonly<Record<Value, readonly [large: string, small: string]>> = {
  mw: ['MW', 'kW'],
  anzahl: ['Einheiten', 'Einheiten'],
  mwh: ['MWh', 'kWh'],
};

/** „Solar“, „Solar und Wind“, „alle Energieträger“, „5 Energieträger“ */
function carriersText(carriers: readonly Carrier[]): string {
  if (carriers.length === CARRIERS.length) return 'alle Energieträger';
  return carriers.length > 3 ? `${carriers.length} Energieträger` : listed(carriers.map(carrierName));
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} und ${words.at(-1)}`;

/** „Zubau Solar je 1.000 Einwohner, 2016 bis 2025: Bayern, Brandenburg“ */
export function comparedTitle(
  { reihe, wert, bezug }: Measure,
  carriers: readonly Carrier[],
  names: readonly string[],
  window: Window,
): string {
  const what = wert === 'mw' ? '' : ` (${VALUE_NAMES[wert]})`;
  const series = reihe === 'netto' ? 'Nettozubau' : SERIES_NAMES[reihe];
  const step = window.kind === 'jahr' ? '' : `, ${ADVERBS[window.kind]}`;
  return `${series} ${carriersText(carriers)}${what}${TITLE_ENDS[bezug]}${step}, ${spanText(window)}: ${names.join(', ')}`;
}

/** Beside a value, and on the axis. */
export function shortUnit({ wert, bezug }: Measure): string {
  const [large, small] = BY_VALUE[wert];
  if (bezug === 'absolut') return large;
  if (bezug === 'kopf' || bezug === 'flaeche') return `${small} ${BASIS_NAMES[bezug]}`;
  return bezug === 'index' ? 'Index' : '%';
}

const COUNTED: Readonly<Record<Series, string>> = {
  zubau: 'in Betrieb genommen',
  bestand: 'Zubau minus Abbau bis zum Ende der Periode',
  netto: 'Zubau minus Abbau',
  abbau: 'stillgelegt',
  pipeline: 'nach dem geplanten Termin',
};

/** Under the title: what is measured. */
export function comparedUnit(measure: Measure, { kind, range }: Window): string {
  const { reihe, wert, bezug } = measure;
  const gross = wert === 'mw' ? ' brutto' : wert === 'mwh' ? ' nutzbare Speicherkapazität' : '';
  const [large, small] = BY_VALUE[wert];
  const amount = { mw: 'der Leistung', anzahl: 'der Zahl der Einheiten', mwh: 'der Speicherkapazität' }[wert];
  const basis = {
    absolut: `${large}${gross}`,
    kopf: `${small}${gross} je 1.000 Einwohner`,
    flaeche: `${small}${gross} je km²`,
    anteil: `% ${amount} aller Energieträger des Orts`,
    deutschland: `% ${amount} in Deutschland`,
    index: `Index ${amount}, ${nameOfPeriod(kind, range.first)} = 100`,
  }[bezug];
  return `${basis}, ${COUNTED[reihe]}`;
}

export const writer = ({ wert, bezug }: Measure): ((value: number) => string) =>
  wert === 'anzahl' && bezug === 'absolut' ? count : significant;

/** What readers have to know of the end of the data. */
export function openPeriod({ kind, range, now }: Window, asOf: string): string | null {
  if (now < range.first || now > range.last || lastDay(kind, now) <= asOf) return null;
  return `${nameOfPeriod(kind, now)} ist bis zum Stand ${day(asOf)} gezählt.`;
}
