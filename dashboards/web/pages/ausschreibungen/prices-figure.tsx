import * as Plot from '@observablehq/plot';
import { Chart } from '../../charts/chart.tsx';
import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
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
  { id: 'band', name: say('Niedrigster bis höchster Zuschlag', 'Lowest to highest award'), color: BAND, on: true },
  { id: 'mean', name: say('Mittel', 'Mean'), color: MEAN, on: true },
  { id: 'ceiling', name: say('Höchstwert (Strich)', 'Price cap (line)'), color: CEILING, on: true },
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
      title={say(`Gebotswerte je Gebotstermin: ${name}`, `Bid values by bid date: ${name}`)}
      unit={say(
        'ct/kWh, nur bezuschlagte Gebote; Mittel nach Menge gewichtet; Höchstwert: mehr durfte niemand bieten',
        'ct/kWh, awarded bids alone; mean weighted by volume; price cap: nobody might bid more',
      )}
      loaded={loaded}
      requests={[ALL_ROUNDS]}
      shows={say('die Gebotswerte je Gebotstermin', 'the bid values by bid date')}
      dataset={TENDERS_DATASET}
      table={priceTable}
      empty={(rounds) =>
        rounds.some(hasPrice)
          ? null
          : say('Zu keinem Termin ist ein Gebotswert veröffentlicht.', 'Of no date is a bid value published.')
      }
      legend={{ entries: LEGEND }}
      height={300}
      note={say(
        'Ist nur das niedrigste oder nur das höchste Gebot bekannt, steht ein heller Strich. Der Höchstwert ist nicht von jedem Termin bekannt.',
        'Where only the lowest or only the highest bid is known, there is a light line. The price cap is not known of every date.',
      )}
    >
      {(rounds) => (
        <Chart
          label={say(
            `Niedrigster, mittlerer und höchster Gebotswert und Höchstwert je Gebotstermin: ${name}`,
            `Lowest, mean and highest bid value and price cap by bid date: ${name}`,
          )}
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
          say(`Niedrigster Zuschlag ${said(lowest(round))}`, `Lowest award ${said(lowest(round))}`),
          say(`Mittel ${said(mean(round))}`, `Mean ${said(mean(round))}`),
          say(`Höchster Zuschlag ${said(highest(round))}`, `Highest award ${said(highest(round))}`),
          say(`Höchstwert ${said(ceiling(round))}`, `Price cap ${said(ceiling(round))}`),
        ],
      ),
    ],
  };
};

const priceTable = (rounds: readonly TenderRound[]): Table => ({
  columns: [
    { name: say('Gebotstermin', 'Bid date') },
    { name: say('Niedrigster Zuschlag', 'Lowest award'), unit: 'ct/kWh', numeric: true, digits: 2 },
    { name: say('Mittel', 'Mean'), unit: 'ct/kWh', numeric: true, digits: 2 },
    { name: say('Höchster Zuschlag', 'Highest award'), unit: 'ct/kWh', numeric: true, digits: 2 },
    { name: say('Höchstwert', 'Price cap'), unit: 'ct/kWh', numeric: true, digits: 2 },
  ],
  rows: rounds.map((round) => [day(round.datum), lowest(round), mean(round), highest(round), ceiling(round)]),
});
