import * as Plot from '@observablehq/plot';
import { Chart } from '../../charts/chart.tsx';
import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
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
  { id: 'bid', name: say('Geboten', 'Bid'), color: BID, on: true },
  { id: 'awarded', name: say('Bezuschlagt', 'Awarded'), color: AWARDED, on: true },
  { id: 'tendered', name: say('Ausgeschrieben (Strich)', 'Tendered (line)'), color: TENDERED, on: true },
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
      title={say(`Mengen je Gebotstermin: ${name}`, `Volumes by bid date: ${name}`)}
      unit={say(
        'MW; der breite Balken über dem Strich ist die Überzeichnung',
        'MW; the wide bar above the line is the oversubscription',
      )}
      loaded={loaded}
      requests={[ALL_ROUNDS]}
      shows={say('die Mengen je Gebotstermin', 'the volumes by bid date')}
      dataset={TENDERS_DATASET}
      table={volumeTable}
      empty={(rounds) =>
        rounds.some(hasVolume)
          ? null
          : say('Zu keinem Termin ist eine Menge veröffentlicht.', 'Of no date is a volume published.')
      }
      legend={{ entries: LEGEND }}
      height={300}
      note={say(
        'Wo ein Balken fehlt, ist die Menge nicht veröffentlicht.',
        'Where a bar is missing, the volume is not published.',
      )}
    >
      {(rounds) => (
        <Chart
          label={say(
            `Ausgeschriebene, gebotene und bezuschlagte Menge je Gebotstermin: ${name}`,
            `Tendered, bid and awarded volume by bid date: ${name}`,
          )}
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
          say(`Ausgeschrieben ${said(tendered(round))}`, `Tendered ${said(tendered(round))}`),
          say(`Geboten ${said(bid(round))}${times(round)}`, `Bid ${said(bid(round))}${times(round)}`),
          say(`Bezuschlagt ${said(awarded(round))}`, `Awarded ${said(awarded(round))}`),
        ],
      ),
    ],
  };
};

const times = (round: TenderRound): string => {
  const factor = oversubscription(round);
  return factor === null ? '' : say(` (${decimal(factor)}-fach)`, ` (${decimal(factor)} times)`);
};

const volumeTable = (rounds: readonly TenderRound[]): Table => ({
  columns: [
    { name: say('Gebotstermin', 'Bid date') },
    { name: say('Ausgeschrieben', 'Tendered'), unit: 'MW', numeric: true },
    { name: say('Geboten', 'Bid'), unit: 'MW', numeric: true },
    { name: say('Bezuschlagt', 'Awarded'), unit: 'MW', numeric: true },
  ],
  rows: rounds.map((round) => [day(round.datum), tendered(round), bid(round), awarded(round)]),
});
