import { ADVERBS, nameOfPeriod, PERIOD_NOUNS, spanText } from '../../periods/words.ts';
import type { Measure, Series } from './growth.ts';
import type { GrowthView } from './growth-chart.tsx';

/** The words over and under the chart of growth. */

const SERIES_WORDS: readonly (readonly [Series, string])[] = [
  ['zubau', 'Zubau'],
  ['abbau', 'Abbau'],
  ['netto', 'Nettozubau'],
  ['pipeline', 'Pipeline'],
];

const UNITS: Readonly<Record<Measure, string>> = {
  mw: 'MW brutto',
  anzahl: 'Einheiten',
  mwh: 'MWh nutzbare Speicherkapazität',
};

/** „Zubau, Abbau und Pipeline in Bayern, quartalsweise, Q1 2022 bis Q4 2028“ */
export function growthTitle(view: GrowthView, name: string, isCumulative: boolean): string {
  // The net follows from the other two, and is named only where they are not shown.
  const isNetNamed = !(view.series.includes('zubau') && view.series.includes('abbau'));
  const words = SERIES_WORDS.filter(([series]) => view.series.includes(series))
    .filter(([series]) => series !== 'netto' || isNetNamed)
    .map(([, word]) => word);
  const subject = words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} und ${words.at(-1)}`;
  return `${subject}${isCumulative ? ' kumuliert' : ''}: ${name}, ${ADVERBS[view.kind]}, ${spanText(view)}`;
}

export function growthUnit(view: GrowthView, isCumulative: boolean): string {
  const { kind, range, measure, series } = view;
  const unit = UNITS[measure];
  const downwards = series.includes('abbau') ? '; Abbau nach unten' : '';
  if (!isCumulative) return `${unit} je ${PERIOD_NOUNS[kind]}${downwards}`;
  const start = nameOfPeriod(kind, range.first);
  return `${unit}, laufende Summe ab ${start}, die mit 0 beginnt: Der Bestand davor zählt nicht mit${downwards}`;
}
