import { CARRIERS, type Carrier, carrierName } from '../../charts/carriers.ts';
import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { count, significant } from '../../format/numbers.ts';
import { lastDay } from '../../periods/periods.ts';
import { ADVERBS, nameOfPeriod, spanText } from '../../periods/words.ts';
import type { Basis, Measure, Series, Value, Window } from './series.ts';

/** The words of a comparison. */

export const SERIES_NAMES: Readonly<Record<Series, string>> = {
  zubau: say('Zubau', 'Added'),
  bestand: say('Bestand', 'Stock'),
  netto: say('Netto', 'Net'),
  abbau: say('Abbau', 'Removed'),
  pipeline: 'Pipeline',
};

export const VALUE_NAMES: Readonly<Record<Value, string>> = {
  mw: say('Leistung', 'Power'),
  anzahl: say('Anzahl', 'Number'),
  mwh: say('Speicherkapazität', 'Storage capacity'),
};

export const BASIS_NAMES: Readonly<Record<Basis, string>> = {
  absolut: say('absolut', 'absolute'),
  kopf: say('je 1.000 Einwohner', 'per 1,000 inhabitants'),
  flaeche: say('je km²', 'per km²'),
  anteil: say('% aller Energieträger', '% of all carriers'),
  deutschland: say('% von Deutschland', '% of Germany'),
  index: say('Index (Beginn 100)', 'Index (beginning 100)'),
};

/** Ends of a title that has the series before them. */
const TITLE_ENDS: Readonly<Record<Basis, string>> = {
  absolut: '',
  kopf: say(' je 1.000 Einwohner', ' per 1,000 inhabitants'),
  flaeche: say(' je km²', ' per km²'),
  anteil: say(', Anteil an allen Energieträgern', ', share of all carriers'),
  deutschland: say(', Anteil an Deutschland', ', share of Germany'),
  index: say(', Index', ', index'),
};

const BY_VALUE: Readonly<Record<Value, readonly [large: string, small: string]>> = {
  mw: ['MW', 'kW'],
  anzahl: [say('Einheiten', 'units'), say('Einheiten', 'units')],
  mwh: ['MWh', 'kWh'],
};

/** „Solar“, „Solar und Wind“, „alle Energieträger“, „5 Energieträger“ */
function carriersText(carriers: readonly Carrier[]): string {
  if (carriers.length === CARRIERS.length) return say('alle Energieträger', 'all carriers');
  return carriers.length > 3
    ? say(`${carriers.length} Energieträger`, `${carriers.length} carriers`)
    : listed(carriers.map(carrierName));
}

const listed = (words: readonly string[]): string =>
  words.length < 2
    ? words.join()
    : say(
        `${words.slice(0, -1).join(', ')} und ${words.at(-1)}`,
        `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`,
      );

/** „Zubau Solar je 1.000 Einwohner, 2016 bis 2025: Bayern, Brandenburg“ */
export function comparedTitle(
  { reihe, wert, bezug }: Measure,
  carriers: readonly Carrier[],
  names: readonly string[],
  window: Window,
): string {
  const what = wert === 'mw' ? '' : ` (${VALUE_NAMES[wert]})`;
  const series = reihe === 'netto' ? say('Nettozubau', 'Net additions') : SERIES_NAMES[reihe];
  const step = window.kind === 'jahr' ? '' : `, ${ADVERBS[window.kind]}`;
  return `${series} ${carriersText(carriers)}${what}${TITLE_ENDS[bezug]}${step}, ${spanText(window)}: ${names.join(', ')}`;
}

/** Beside a value, and on the axis. */
export function shortUnit({ wert, bezug }: Measure): string {
  const [large, small] = BY_VALUE[wert];
  if (bezug === 'absolut') return large;
  if (bezug === 'kopf' || bezug === 'flaeche') return `${small} ${BASIS_NAMES[bezug]}`;
  return bezug === 'index' ? say('Index', 'index') : '%';
}

const COUNTED: Readonly<Record<Series, string>> = {
  zubau: say('in Betrieb genommen', 'gone into operation'),
  bestand: say('Zubau minus Abbau bis zum Ende der Periode', 'added minus removed until the end of the period'),
  netto: say('Zubau minus Abbau', 'added minus removed'),
  abbau: say('stillgelegt', 'shut down'),
  pipeline: say('nach dem geplanten Termin', 'by the planned date'),
};

/** Under the title: what is measured. */
export function comparedUnit(measure: Measure, { kind, range }: Window): string {
  const { reihe, wert, bezug } = measure;
  const gross =
    wert === 'mw'
      ? say(' brutto', ' gross')
      : wert === 'mwh'
        ? say(' nutzbare Speicherkapazität', ' usable storage capacity')
        : '';
  const [large, small] = BY_VALUE[wert];
  const amount = {
    mw: say('der Leistung', 'of the power'),
    anzahl: say('der Zahl der Einheiten', 'of the number of units'),
    mwh: say('der Speicherkapazität', 'of the storage capacity'),
  }[wert];
  const basis = {
    absolut: `${large}${gross}`,
    kopf: say(`${small}${gross} je 1.000 Einwohner`, `${small}${gross} per 1,000 inhabitants`),
    flaeche: say(`${small}${gross} je km²`, `${small}${gross} per km²`),
    anteil: say(`% ${amount} aller Energieträger des Orts`, `% ${amount} of all carriers of the place`),
    deutschland: say(`% ${amount} in Deutschland`, `% ${amount} in Germany`),
    index: `Index ${amount}, ${nameOfPeriod(kind, range.first)} = 100`,
  }[bezug];
  return `${basis}, ${COUNTED[reihe]}`;
}

export const writer = ({ wert, bezug }: Measure): ((value: number) => string) =>
  wert === 'anzahl' && bezug === 'absolut' ? count : significant;

/** What readers have to know of the end of the data. */
export function openPeriod({ kind, range, now }: Window, asOf: string): string | null {
  if (now < range.first || now > range.last || lastDay(kind, now) <= asOf) return null;
  return say(
    `${nameOfPeriod(kind, now)} ist bis zum Stand ${day(asOf)} gezählt.`,
    `${nameOfPeriod(kind, now)} is counted up to ${day(asOf)}.`,
  );
}
