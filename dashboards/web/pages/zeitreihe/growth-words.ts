import { say } from '../../format/language.ts';
import { ADVERBS, nameOfPeriod, PERIOD_NOUNS, spanText } from '../../periods/words.ts';
import type { Measure, Series } from './growth.ts';
import type { GrowthView } from './growth-chart.tsx';

/** The words over and under the chart of growth. */

const SERIES_WORDS: readonly (readonly [Series, string])[] = [
  ['zubau', say('Zubau', 'Additions')],
  ['abbau', say('Abbau', 'Removals')],
  ['netto', say('Nettozubau', 'Net additions')],
  ['pipeline', 'Pipeline'],
];

const UNITS: Readonly<Record<Measure, string>> = {
  mw: say('MW brutto', 'MW gross'),
  anzahl: say('Einheiten', 'Units'),
  mwh: say('MWh nutzbare Speicherkapazität', 'MWh usable storage capacity'),
};

/** „Zubau, Abbau und Pipeline in Bayern, quartalsweise, Q1 2022 bis Q4 2028“ */
export function growthTitle(view: GrowthView, name: string, isCumulative: boolean): string {
  // The net follows from the other two, and is named only where they are not shown.
  const isNetNamed = !(view.series.includes('zubau') && view.series.includes('abbau'));
  const words = SERIES_WORDS.filter(([series]) => view.series.includes(series))
    .filter(([series]) => series !== 'netto' || isNetNamed)
    .map(([, word]) => word);
  const subject =
    words.length < 2
      ? words.join()
      : say(
          `${words.slice(0, -1).join(', ')} und ${words.at(-1)}`,
          `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`,
        );
  return `${subject}${isCumulative ? say(' kumuliert', ', cumulated') : ''}: ${name}, ${ADVERBS[view.kind]}, ${spanText(view)}`;
}

export function growthUnit(view: GrowthView, isCumulative: boolean): string {
  const { kind, range, measure, series } = view;
  const unit = UNITS[measure];
  const downwards = series.includes('abbau') ? say('; Abbau nach unten', '; removals downwards') : '';
  if (!isCumulative)
    return say(`${unit} je ${PERIOD_NOUNS[kind]}${downwards}`, `${unit} by ${PERIOD_NOUNS[kind]}${downwards}`);
  const start = nameOfPeriod(kind, range.first);
  return say(
    `${unit}, laufende Summe ab ${start}, die mit 0 beginnt: Der Bestand davor zählt nicht mit${downwards}`,
    `${unit}, running sum from ${start} on, which begins at 0: the stock before does not count${downwards}`,
  );
}
