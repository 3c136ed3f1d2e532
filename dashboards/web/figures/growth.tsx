import * as Plot from '@observablehq/plot';
import { useNavigation } from '../address/address.ts';
import { CARRIERS, type Carrier, carrierColor, carrierName, carrierRank } from '../charts/carriers.ts';
import { Chart } from '../charts/chart.tsx';
import { lettersOfTip } from '../charts/within-window.ts';
import { period } from '../format/dates.ts';
import { say } from '../format/language.ts';
import { count, decimal } from '../format/numbers.ts';
import { Figure } from '../frame/figure.tsx';
import { toggled } from '../frame/legend.tsx';
import type { Table } from '../frame/table.ts';
import type { Place } from '../regions/place.ts';
import { placeChoices } from '../regions/region.ts';
import type { TimeSeries, TimeSeriesRow } from '../v1/answers.ts';
import { shown } from '../v1/loaded.ts';
import { useAnswer } from '../v1/use-answer.ts';
import { type Measure, monthsOf, rangeName, type Span, sumOf } from './months.ts';
import { seriesRequest } from './requests.ts';

const MONTHS_SHOWN = 12;

/** The unit in which the columns of a place can be read: little happens in a month in a village. */
const unitOf = (most: number): { readonly name: string; readonly perMw: number } =>
  most > 0 && most < 1 ? { name: 'kW', perMw: 1000 } : { name: 'MW', perMw: 1 };

/** Zubau up and Abbau down in each of the last twelve months that are over. */
export function Growth({
  place: { region, name, own = false },
  span,
  carriers,
  onCarriers,
}: {
  place: Place;
  span: Span | null;
  carriers: readonly Carrier[];
  onCarriers: (carriers: readonly Carrier[]) => void;
}) {
  const { at } = useNavigation();
  const request = span === null ? null : seriesRequest(region, span, own);
  const loaded = useAnswer<TimeSeries>(request);
  const months = span === null ? [] : monthsOf(span).slice(-MONTHS_SHOWN);
  const inYear = ({ data }: TimeSeries) => data.filter(({ periode }) => months.includes(periode)).filter(moves);
  const rowsOf = (answer: TimeSeries) =>
    inYear(answer).filter((row) => carriers.includes(row.energietraeger as Carrier));
  const answer = shown(loaded);
  const sumIn = (measure: Measure, month: string): number =>
    answer === null ? 0 : sumOf(rowsOf(answer), [month], measure);
  const present = CARRIERS.filter((id) => answer !== null && inYear(answer).some((row) => row.energietraeger === id));
  const unit = unitOf(Math.max(0, ...months.flatMap((month) => [sumIn('zubauMw', month), sumIn('abbauMw', month)])));
  const title = say(`Zubau und Abbau nach Monaten: ${name}`, `Additions and removals by month: ${name}`);
  return (
    <Figure
      title={title}
      unit={
        months.length === 0
          ? say('Leistung brutto', 'Gross power')
          : say(
              `${unit.name} brutto, ${rangeName(months)}; Abbau nach unten`,
              `${unit.name} gross, ${rangeName(months)}; removals downwards`,
            )
      }
      loaded={loaded}
      requests={request === null ? [] : [request]}
      shows={say('den Zubau und Abbau nach Monaten', 'additions and removals by month')}
      table={(found) => tableOf(rowsOf(found))}
      empty={(found) =>
        inYear(found).length === 0
          ? say(
              'In diesen zwölf Monaten kam nichts hinzu, und nichts ging.',
              'Nothing was added in these twelve months, and nothing was removed.',
            )
          : null
      }
      legend={{
        entries: present.map((id) => ({
          id,
          name: carrierName(id),
          color: carrierColor(id),
          on: carriers.includes(id),
        })),
        onToggle: (id) => onCarriers(toggled(id as Carrier, carriers, CARRIERS)),
      }}
      more={{ href: at('zeitreihe', placeChoices(region, own)), name: say('Zeitreihe', 'Time series') }}
      height={270}
    >
      {(found) => <Chart label={title} options={(width) => chartOf(rowsOf(found), months, unit, width)} />}
    </Figure>
  );
}

/** The pipeline is in the same rows, and is not shown here. */
const moves = ({ zubauAnzahl, abbauAnzahl }: TimeSeriesRow): boolean => zubauAnzahl > 0 || abbauAnzahl > 0;

const byCarrier = {
  fill: (row: TimeSeriesRow) => carrierColor(row.energietraeger),
  order: (row: TimeSeriesRow) => carrierRank(row.energietraeger),
};

function chartOf(
  rows: readonly TimeSeriesRow[],
  months: readonly string[],
  { name, perMw }: ReturnType<typeof unitOf>,
  width: number,
): Plot.PlotOptions {
  const totals = months.map((month) => ({
    month,
    grown: sumOf(rows, [month], 'zubauMw') * perMw,
    gone: sumOf(rows, [month], 'abbauMw') * perMw,
    units: sumOf(rows, [month], 'zubauAnzahl'),
  }));
  return {
    height: 260,
    marginLeft: 48,
    marginBottom: 38,
    x: {
      domain: months,
      label: null,
      tickSize: 0,
      padding: 0.25,
      tickFormat: (month) => monthTick(month, months, width),
    },
    y: { label: null, grid: true, ticks: 5, tickSize: 0, tickFormat: (value) => decimal(value), nice: true },
    marks: [
      Plot.barY(rows, { x: 'periode', y: ({ zubauMw }: TimeSeriesRow) => zubauMw * perMw, ...byCarrier }),
      Plot.barY(rows, {
        x: 'periode',
        y: ({ abbauMw }: TimeSeriesRow) => -abbauMw * perMw,
        fillOpacity: 0.6,
        ...byCarrier,
      }),
      Plot.ruleY([0], { stroke: 'var(--ink)' }),
      Plot.tip(
        totals,
        Plot.pointerX({
          x: 'month',
          y: 'grown',
          fill: 'var(--paper)',
          stroke: 'var(--line)',
          lineWidth: lettersOfTip(width),
          title: ({ month, grown, gone, units }: (typeof totals)[number]) =>
            say(
              `${period(month)}\nZubau ${decimal(grown)}\u202f${name}, ${count(units)} Einheiten\nAbbau ${decimal(gone)}\u202f${name}`,
              `${period(month)}\nAdded ${decimal(grown)}\u202f${name}, ${count(units)} units\nRemoved ${decimal(gone)}\u202f${name}`,
            ),
        }),
      ),
    ],
  };
}

/** Month, and beneath the first and each January the year. On a telephone every other month is named. */
function monthTick(month: string, months: readonly string[], width: number): string {
  const index = months.indexOf(month);
  const [name, year] = period(month).split(' ');
  const withYear = index === 0 || month.endsWith('-01');
  const isNamed = width >= 460 || index % 2 === 0 || withYear;
  return `${isNamed ? name?.replace('.', '') : ''}${withYear ? `\n${year}` : ''}`;
}

const tableOf = (rows: readonly TimeSeriesRow[]): Table => ({
  columns: [
    { name: say('Monat', 'Month'), isPeriod: true },
    { name: say('Energieträger', 'Carrier') },
    { name: say('Zubau', 'Added'), unit: 'MW', numeric: true, digits: 3 },
    { name: say('Zubau Einheiten', 'Added units'), numeric: true, digits: 0 },
    { name: say('Abbau', 'Removed'), unit: 'MW', numeric: true, digits: 3 },
    { name: say('Abbau Einheiten', 'Removed units'), numeric: true, digits: 0 },
  ],
  rows: rows.map((row) => [
    row.periode,
    carrierName(row.energietraeger),
    row.zubauMw,
    row.zubauAnzahl,
    row.abbauMw,
    row.abbauAnzahl,
  ]),
});
