import * as Plot from '@observablehq/plot';
import { carrierColor, carrierName } from '../../charts/carriers.ts';
import { Chart } from '../../charts/chart.tsx';
import { type Reading, Readout } from '../../charts/readout.tsx';
import { ticksTo } from '../../charts/ticks.ts';
import { say } from '../../format/language.ts';
import { count, megawatts, plural, unitCount } from '../../format/numbers.ts';
import { momentOfDay, type Pyramid, type YearRow, yearName } from './pyramid.ts';

/** Ages that are marked: support ends after 20 years, and after 25 a unit is old for most carriers. */
const MARKED_AGES = [20, 25];

/** Height of a year (px), by how many there are. */
const rowHeight = (years: number): number => (years > 110 ? 5 : years > 90 ? 6 : years > 45 ? 9 : 13);

const MARGIN = { top: 38, bottom: 8, left: 4, right: 4 } as const;
/** Width of the column of years in the middle (px). */
const MIDDLE = 52;

interface Bar {
  readonly y: number;
  readonly x1: number;
  readonly x2: number;
  readonly fill: string;
}

/** Years down the middle, the oldest at the top; capacity to the left, units to the right, each on its own scale. */
export function PyramidChart({ pyramid: { rows }, today, label }: { pyramid: Pyramid; today: string; label: string }) {
  const first = rows[0]?.year ?? 0;
  const height = rows.length * rowHeight(rows.length) + MARGIN.top + MARGIN.bottom;
  const most = { mw: Math.max(...rows.map(({ mw }) => mw)), count: Math.max(...rows.map((row) => row.count)) };
  const options = (width: number): Plot.PlotOptions => {
    const side = (width - MARGIN.left - MARGIN.right - MIDDLE) / 2;
    /** Pixels from the middle of the chart. */
    const left = (mw: number): number => -MIDDLE / 2 - (most.mw === 0 ? 0 : (mw / most.mw) * side);
    const right = (units: number): number => MIDDLE / 2 + (units / Math.max(most.count, 1)) * side;
    const bars = rows.flatMap((row) => barsOf(row, left, right));
    const about = side < 180 ? 2 : 4;
    const ticks = [
      ...ticksTo(most.mw, about).map((value) => ({ x: left(value), text: megawatts(value) })),
      ...ticksTo(most.count, about).map((value) => ({ x: right(value), text: count(value) })),
    ];
    const now = momentOfDay(today);
    const marked = MARKED_AGES.map((age) => ({ age, y: now - age })).filter(({ y }) => y > first);
    const step = rowHeight(rows.length) * 5 >= 28 ? 5 : 10;
    return {
      height,
      marginTop: MARGIN.top,
      marginBottom: MARGIN.bottom,
      marginLeft: MARGIN.left,
      marginRight: MARGIN.right,
      x: { type: 'linear', domain: [-MIDDLE / 2 - side, MIDDLE / 2 + side], axis: null },
      y: { type: 'linear', domain: [first, first + rows.length], reverse: true, axis: null },
      marks: [
        Plot.ruleX(ticks, { x: 'x', stroke: 'var(--grid)' }),
        Plot.text(ticks, {
          x: 'x',
          text: 'text',
          frameAnchor: 'top',
          dy: -10,
          fill: 'var(--faint)',
          textAnchor: 'middle',
        }),
        Plot.text([say('MW brutto', 'MW gross')], {
          frameAnchor: 'top-left',
          dy: -30,
          fill: 'var(--ink)',
          fontWeight: 600,
        }),
        Plot.text([say('Einheiten', 'units')], {
          frameAnchor: 'top-right',
          dy: -30,
          fill: 'var(--ink)',
          fontWeight: 600,
        }),
        Plot.rect(bars, {
          x1: 'x1',
          x2: 'x2',
          y1: 'y',
          y2: ({ y }: Bar) => y + 1,
          fill: 'fill',
          insetTop: 0.5,
          insetBottom: 0.5,
        }),
        Plot.ruleX([-MIDDLE / 2, MIDDLE / 2], { stroke: 'var(--faint)' }),
        Plot.text(
          rows.filter(({ year }) => year % step === 0 || year < 1900),
          {
            x: 0,
            y: ({ year }: YearRow) => year + 0.5,
            text: ({ year }: YearRow) => yearName(year),
            fill: 'var(--ink)',
          },
        ),
        Plot.ruleY(marked, { y: 'y', stroke: 'var(--ink)', strokeDasharray: '4 3' }),
        Plot.text(marked, {
          y: 'y',
          text: ({ age }: { age: number }) => say(`↑ ${age} Jahre und älter`, `↑ ${age} years and older`),
          frameAnchor: 'right',
          dy: -7,
          fill: 'var(--ink)',
          stroke: 'var(--paper)',
          strokeWidth: 4,
        }),
      ],
    };
  };
  return (
    <Chart
      label={label}
      options={options}
      overlay={(width) => (
        <Readout
          label={say('Werte je Inbetriebnahmejahr ablesen', 'Read values by year of commissioning')}
          axis="y"
          count={rows.length}
          area={{
            left: MARGIN.left,
            top: MARGIN.top,
            width: width - MARGIN.left - MARGIN.right,
            height: height - MARGIN.top - MARGIN.bottom,
          }}
          read={(place) => readingOf(rows[place], today)}
        />
      )}
    />
  );
}

/** The bars of a year, from the middle outwards. */
function barsOf(
  { year, parts }: YearRow,
  left: (mw: number) => number,
  right: (units: number) => number,
): readonly Bar[] {
  let mw = 0;
  let units = 0;
  return parts.flatMap((part) => {
    const fill = part.carrier === null ? 'var(--accent)' : carrierColor(part.carrier);
    const before = { mw, units };
    mw += part.mw;
    units += part.count;
    return [
      { y: year, x1: left(mw), x2: left(before.mw), fill },
      { y: year, x1: right(before.units), x2: right(units), fill },
    ];
  });
}

function readingOf(row: YearRow | undefined, today: string): Reading {
  if (row === undefined) return { title: '', rows: [] };
  const figures = ({ mw, count: units }: { mw: number; count: number }): string =>
    `${megawatts(mw)}\u202fMW, ${unitCount(units)}`;
  const ofCarriers = row.parts.flatMap((part) =>
    part.carrier === null
      ? []
      : [{ name: carrierName(part.carrier), value: figures(part), color: carrierColor(part.carrier) }],
  );
  const age = Number(today.slice(0, 4)) - row.year;
  return {
    title: say(
      `${yearName(row.year)}, ${plural(age, 'Jahr', 'Jahre')} alt`,
      `${yearName(row.year)}, ${plural(age, 'year', 'years')} old`,
    ),
    rows: [
      ...ofCarriers,
      ...(ofCarriers.length === 1 ? [] : [{ name: say('Zusammen', 'Together'), value: figures(row) }]),
    ],
  };
}
