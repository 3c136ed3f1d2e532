import * as Plot from '@observablehq/plot';
import { Chart } from '../../charts/chart.tsx';
import { day } from '../../format/dates.ts';
import { decimal, megawatts, NOTHING } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import type { Table } from '../../frame/table.ts';
import { ALL_ROUNDS, inMegawatts, oversubscription, TENDERS_DATASET } from '../../tenders/rounds.ts';
import type { Loaded } from '../../v1/loaded.ts';
import type { TenderRound } from '../../v1/tender-answers.ts';
import { roundScale, roundTip, yearAxis } from './round-axis.ts';

const BID = 'var(--tender-bid)';
const AWARDED = 'var(--accent)';
const TENDERED = 'var(--ink)';

const LEGEND = [
  { id: 'bid', name: 'Geboten', color: BID, on: true },
  { id: 'awarded', name: 'Bezuschlagt', color: AWARDED, on: true },
  { id: 'tendered', name: 'Ausgeschrieben (Strich)', color: TENDERED, on: true },
];

const bid = (round: TenderRound) => inMegawatts(round.volumenBeworbenKw);
const awarded = (round: TenderRound) => inMegawatts(round.volumenBezuschlagtKw);
const tendered = (round: TenderRound) => inMegawatts(round.volumenAusgeschriebenKw);

const hasVolume = (round: TenderRound): boolean =>
  bid(round) !== null || awarded(round) !== null || tendered(round) !== null;

const said = (value: number | null): string => (value === null ? NOTHING : `${megawatts(value)}\u202fMW`);

/** Bids beyond the line of the tendered volume found no room. */
export function VolumesFigure({ loaded, name }: { loaded: Loaded<readonly TenderRound[]>; name: string }) {
  return (
    <Figure
      title={`Mengen je Gebotstermin: ${name}`}
      unit="MW; der breite Balken über dem Strich ist die Überzeichnung"
      loaded={loaded}
      requests={[ALL_ROUNDS]}
      shows="die Mengen je Gebotstermin"
      dataset={TENDERS_DATASET}
      table={volumeTable}
      empty={(rounds) => (rounds.some(hasVolume) ? null : 'Zu keinem Termin ist eine Menge veröffentlicht.')}
      legend={{ entries: LEGEND }}
      height={300}
      note="Wo ein Balken fehlt, ist die Menge nicht veröffentlicht."
    >
      {(rounds) => (
        <Chart
          label={`Ausgeschriebene, gebotene und bezuschlagte Menge je Gebotstermin: ${name}`}
          options={(width) => options(rounds.filter(hasVolume), width)}
        />
      )}
    </Figure>
  );
}

const options = (rounds: readonly TenderRound[], width: number): Plot.PlotOptions => {
  const { x, at, bar } = roundScale(rounds, width);
  return {
    height: 300,
    marginLeft: 48,
    marginTop: 24,
    x,
    y: { label: 'MW', grid: true, tickFormat: megawatts, ticks: 6 },
    marks: [
      Plot.rectY(rounds, { ...at, y: bid, fill: BID }),
      Plot.rectY(rounds, { ...at, y: awarded, fill: AWARDED, insetLeft: bar * 0.2, insetRight: bar * 0.2 }),
      Plot.ruleY(rounds, { ...at, y: tendered, stroke: TENDERED, strokeWidth: 2 }),
      yearAxis(rounds, width),
      Plot.ruleY([0]),
      roundTip(
        rounds,
        width,
        (round) => Math.max(bid(round) ?? 0, awarded(round) ?? 0, tendered(round) ?? 0),
        (round) => [
          `Ausgeschrieben ${said(tendered(round))}`,
          `Geboten ${said(bid(round))}${times(round)}`,
          `Bezuschlagt ${said(awarded(round))}`,
        ],
      ),
    ],
  };
};

const times = (round: TenderRound): string => {
  const factor = oversubscription(round);
  return factor === null ? '' : ` (${decimal(factor)}-fach)`;
};

const volumeTable = (rounds: readonly TenderRound[]): Table => ({
  columns: [
    { name: 'Gebotstermin' },
    { name: 'Ausgeschrieben', unit: 'MW', numeric: true },
    { name: 'Geboten', unit: 'MW', numeric: true },
    { name: 'Bezuschlagt', unit: 'MW', numeric: true },
  ],
  rows: rounds.map((round) => [day(round.datum), tendered(round), bid(round), awarded(round)]),
});
