import * as Plot from '@observablehq/plot';
import { period } from '../../format/dates.ts';
import { decimal, megawatts } from '../../format/numbers.ts';
import type { Compared, GrowthPoint } from './compared.ts';

const HEIGHT = 300;
const MARGINS = { marginTop: 12, marginBottom: 38, marginLeft: 44 } as const;
/** Space that two labels need one below the other (px). */
const LABEL_HEIGHT = 15;
const WIDE = 560;
const LETTERS_WIDE = 30;
const LETTERS_NARROW = 12;

/** A line for each place over common axes, with its name at its end. */
export function growthLines(
  points: readonly GrowthPoint[],
  places: readonly Compared[],
  months: readonly string[],
  width: number,
): Plot.PlotOptions {
  const isWide = width >= WIDE;
  const letters = isWide ? LETTERS_WIDE : LETTERS_NARROW;
  const most = Math.max(...points.map(({ percent }) => percent), 0.1) * 1.06;
  const placeOf = ({ place }: { readonly place: string }) => places.find(({ name }) => name === place);
  const colorOf = (row: { readonly place: string }) => placeOf(row)?.color ?? 'var(--faint)';
  const [region, ...others] = places;
  const linesOf = (names: readonly Compared[], options: Plot.LineYOptions) =>
    Plot.lineY(
      points.filter(({ place }) => names.some(({ name }) => name === place)),
      { x: 'month', y: 'percent', z: 'place', stroke: colorOf, ...options },
    );
  return {
    ...MARGINS,
    height: HEIGHT,
    marginRight: isWide ? 260 : 96,
    x: {
      type: 'point',
      domain: months,
      label: null,
      tickSize: 0,
      ticks: months.filter((month) => /-(01|07)$/.test(month)),
      tickFormat: (month: string) => period(month).replace(' ', '\n'),
    },
    y: {
      domain: [0, most],
      label: null,
      grid: true,
      ticks: 5,
      tickSize: 0,
      tickFormat: (value) => `${decimal(value)}\u202f%`,
    },
    marks: [
      Plot.ruleY([0], { stroke: 'var(--ink)' }),
      linesOf(
        others.filter(({ isCountry }) => isCountry),
        { strokeWidth: 2, strokeDasharray: '2 4' },
      ),
      linesOf(
        others.filter(({ isCountry }) => !isCountry),
        { strokeWidth: 2 },
      ),
      ...(region === undefined
        ? []
        : [linesOf([region], region.isCountry ? { strokeWidth: 2, strokeDasharray: '2 4' } : { strokeWidth: 3 })]),
      Plot.text(endLabels(points, months.at(-1) ?? '', most), {
        x: () => months.at(-1),
        y: 'at',
        text: ({ place, percent }: EndLabel) =>
          `${place.length > letters ? `${place.slice(0, letters - 1)}…` : place}${isWide ? ` ${decimal(percent)}\u202f%` : ''}`,
        fill: colorOf,
        textAnchor: 'start',
        dx: 8,
        fontWeight: 600,
      }),
      Plot.tip(
        points,
        Plot.pointer({
          x: 'month',
          y: 'percent',
          fill: 'var(--paper)',
          stroke: 'var(--line)',
          title: ({ place, month, mw, percent }: GrowthPoint) =>
            `${place}\nbis ${period(month)}: ${decimal(percent, 2)}\u202f% (${megawatts(mw)}\u202fMW)`,
        }),
      ),
    ],
  };
}

interface EndLabel {
  readonly place: string;
  readonly percent: number;
  /** The height of the label on the axis, so that none covers another. */
  readonly at: number;
}

function endLabels(points: readonly GrowthPoint[], last: string, most: number): readonly EndLabel[] {
  const step = (LABEL_HEIGHT / (HEIGHT - MARGINS.marginTop - MARGINS.marginBottom)) * most;
  const ends = points.filter(({ month }) => month === last).toSorted((a, b) => a.percent - b.percent);
  let lowest = Number.NEGATIVE_INFINITY;
  return ends.map(({ place, percent }) => {
    lowest = Math.max(percent, lowest + step);
    return { place, percent, at: lowest };
  });
}
