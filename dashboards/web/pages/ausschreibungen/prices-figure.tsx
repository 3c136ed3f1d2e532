import * as Plot from '@observablehq/plot';
import { Chart } from '../../charts/chart.tsx';
import { day } from '../../format/dates.ts';
import { decimal, fixed, NOTHING } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import type { Table } from '../../frame/table.ts';
import { ALL_ROUNDS, TENDERS_DATASET } from '../../tenders/rounds.ts';
import type { Loaded } from '../../v1/loaded.ts';
import type { TenderRound } from '../../v1/tender-answers.ts';
import { roundScale, roundTip, timeOf, yearAxis } from './round-axis.ts';

const BAND = 'var(--tender-bid)';
const MEAN = 'var(--accent)';
const CEILING = 'var(--warn)';

const LEGEND = [
  { id: 'band', name: 'Niedrigster bis höchster Zuschlag', color: BAND, on: true },
  { id: 'mean', name: 'Mittel', color: MEAN, on: true },
  { id: 'ceiling', name: 'Höchstwert (Strich)', color: CEILING, on: true },
];

const lowest = (round: TenderRound) => round.gebotNiedrigstesCtKwh;
const highest = (round: TenderRound) => round.gebotHoechstesCtKwh;
const mean = (round: TenderRound) => round.zuschlagswertDurchschnittCtKwh;
const ceiling = (round: TenderRound) => round.hoechstwertCtKwh;

const values = (round: TenderRound): readonly number[] =>
  [lowest(round), highest(round), mean(round), ceiling(round)].filter((value) => value !== null);
const hasPrice = (round: TenderRound): boolean => values(round).length > 0;
const hasBand = (round: TenderRound): boolean => lowest(round) !== null && highest(round) !== null;

const said = (value: number | null): string => (value === null ? NOTHING : `${fixed(value, 2)}\u202fct/kWh`);

export function PricesFigure({ loaded, name }: { loaded: Loaded<readonly TenderRound[]>; name: string }) {
  return (
    <Figure
      title={`Gebotswerte je Gebotstermin: ${name}`}
      unit="ct/kWh, nur bezuschlagte Gebote; Mittel nach Menge gewichtet; Höchstwert: mehr durfte niemand bieten"
      loaded={loaded}
      requests={[ALL_ROUNDS]}
      shows="die Gebotswerte je Gebotstermin"
      dataset={TENDERS_DATASET}
      table={priceTable}
      empty={(rounds) => (rounds.some(hasPrice) ? null : 'Zu keinem Termin ist ein Gebotswert veröffentlicht.')}
      legend={{ entries: LEGEND }}
      height={300}
      note="Ist nur das niedrigste oder nur das höchste Gebot bekannt, steht ein heller Strich. Der Höchstwert ist nicht von jedem Termin bekannt."
    >
      {(rounds) => (
        <Chart
          label={`Niedrigster, mittlerer und höchster Gebotswert und Höchstwert je Gebotstermin: ${name}`}
          options={(width) => options(rounds.filter(hasPrice), width)}
        />
      )}
    </Figure>
  );
}

const options = (rounds: readonly TenderRound[], width: number): Plot.PlotOptions => {
  const single = (round: TenderRound) => (hasBand(round) ? null : (lowest(round) ?? highest(round)));
  const { x, at, bar } = roundScale(rounds, width);
  const top = Math.max(...rounds.flatMap(values));
  return {
    height: 300,
    marginLeft: 48,
    marginTop: 24,
    x,
    y: {
      label: 'ct/kWh',
      grid: true,
      domain: [0, top * 1.08],
      tickFormat: (value: number) => decimal(value),
      ticks: 6,
    },
    marks: [
      // A band of one price would have no height.
      Plot.rectY(rounds.filter(hasBand), { ...at, y1: lowest, y2: highest, fill: BAND, stroke: BAND, rx: 2 }),
      Plot.ruleY(rounds, { ...at, y: single, stroke: BAND, strokeWidth: 4 }),
      Plot.ruleY(rounds, { ...at, y: ceiling, stroke: CEILING, strokeWidth: 2 }),
      Plot.dot(rounds, { x: timeOf, y: mean, fill: MEAN, r: bar < 8 ? 2.5 : 4 }),
      yearAxis(rounds, width),
      Plot.ruleY([0]),
      roundTip(
        rounds,
        width,
        (round) => Math.max(...values(round)),
        (round) => [
          `Niedrigster Zuschlag ${said(lowest(round))}`,
          `Mittel ${said(mean(round))}`,
          `Höchster Zuschlag ${said(highest(round))}`,
          `Höchstwert ${said(ceiling(round))}`,
        ],
      ),
    ],
  };
};

const priceTable = (rounds: readonly TenderRound[]): Table => ({
  columns: [
    { name: 'Gebotstermin' },
    { name: 'Niedrigster Zuschlag', unit: 'ct/kWh', numeric: true, digits: 2 },
    { name: 'Mittel', unit: 'ct/kWh', numeric: true, digits: 2 },
    { name: 'Höchster Zuschlag', unit: 'ct/kWh', numeric: true, digits: 2 },
    { name: 'Höchstwert', unit: 'ct/kWh', numeric: true, digits: 2 },
  ],
  rows: rounds.map((round) => [day(round.datum), lowest(round), mean(round), highest(round), ceiling(round)]),
});
