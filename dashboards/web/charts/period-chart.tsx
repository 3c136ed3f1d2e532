import * as Plot from '@observablehq/plot';
import { say } from '../format/language.ts';
import { NOTHING } from '../format/numbers.ts';
import { lengthOf, type PeriodKind, type Range } from '../periods/periods.ts';
import { nameOfPeriod } from '../periods/words.ts';
import { Chart } from './chart.tsx';
import { axisHeight, periodAxis, periodLabels, yearBorders } from './period-axis.ts';
import { type Bar, extentOf, type PeriodForm, type PeriodSeries, stackOf } from './period-series.ts';
import { type Reading, Readout } from './readout.tsx';
import { spread, ticksAround } from './ticks.ts';

export interface PeriodChartProps {
  readonly form: PeriodForm;
  readonly kind: PeriodKind;
  readonly range: Range;
  readonly series: readonly PeriodSeries[];
  /** At the upper end of the axis: „kW je 1.000 Einwohner“. */
  readonly unit: string;
  /** Writes a value, without its unit. */
  write(value: number): string;
  /** True: there are no halves of what is counted. */
  readonly isWhole?: boolean;
  /** The least and the most that the axis shows, where several charts have one scale. */
  readonly scale?: readonly [least: number, most: number];
  readonly height: number;
  /** Stands over the chart where there are several. */
  readonly heading?: string;
  /** Says what is seen, for readers who do not see it. */
  readonly label: string;
}

const MARGIN_RIGHT = 8;
const MARGIN_TOP = { plain: 32, withHeading: 46 } as const;
/** Bars thinner than this have no room for a gap (px). */
const THIN = 4;
/** Part of a period that stays empty on each side of its bars. */
const GAP = 0.1;
/** Height of a label (px). */
const LABEL = 15;
const LETTER = 7;
const BOLD_LETTER = 7.6;
/** Of a chart this wide and wider (px), labels have the value, too. */
const WIDE = 560;
/** The most that labels may take of the width. */
const LARGEST_PART = 0.35;
const LETTERS = { wide: 32, narrow: 14 } as const;
/** Points of a line are marked where a period has more room than this (px). */
const DOTS = 14;

/** Lines with their names at their ends, bars side by side, or bars on top of each other, over an axis of periods. */
export function PeriodChart(props: PeriodChartProps) {
  const { form, kind, range, series, unit, write, isWhole = false, height, heading, label } = props;
  const [least, most] = props.scale ?? extentOf(series, form);
  const ticks = ticksAround(least, most, height < 240 ? 3 : 5).filter((tick) => !isWhole || Number.isInteger(tick));
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const marginTop = heading === undefined ? MARGIN_TOP.plain : MARGIN_TOP.withHeading;
  const marginLeft = 16 + LETTER * Math.max(...ticks.map((tick) => write(tick).length));
  const layout = (width: number) => {
    const wanted = form === 'linien' ? endLabels(series, width >= WIDE ? write : null) : [];
    const needed = 14 + BOLD_LETTER * Math.max(0, ...wanted.map((one) => one.text.length));
    // The legend has the same names: lines that could not be read any more have none at their ends.
    const labels = needed > width * LARGEST_PART ? [] : wanted;
    const marginRight = labels.length === 0 ? MARGIN_RIGHT : needed;
    const inner = Math.max(1, width - marginLeft - marginRight);
    const axis = periodAxis(kind, range, inner);
    const marginBottom = axisHeight(axis);
    return { labels, marginRight, inner, axis, marginBottom, innerHeight: height - marginTop - marginBottom };
  };
  const options = (width: number): Plot.PlotOptions => {
    const { labels, marginRight, inner, axis, marginBottom, innerHeight } = layout(width);
    const pixels = inner / lengthOf(range);
    return {
      ...{ height, marginTop, marginRight, marginBottom, marginLeft },
      x: { type: 'linear', domain: [range.first, range.last + 1], axis: null },
      y: { type: 'linear', domain: [low, high], axis: null },
      marks: [
        yearBorders(axis),
        Plot.gridY(ticks, { stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.axisY(ticks, { tickSize: 0, tickFormat: write, label: null, fill: 'var(--faint)' }),
        Plot.text([unit], { ...CORNER, dx: 6 - marginLeft, dy: -20, fill: 'var(--faint)' }),
        form === 'linien' ? linesOf(series, range, pixels) : barsOf(series, form, range, pixels),
        Plot.ruleY(low <= 0 ? [0] : [], { stroke: 'var(--ink)', strokeWidth: 1 }),
        periodLabels(axis),
        Plot.text(placed(labels, [low, high], innerHeight), {
          x: () => range.last + 1,
          y: 'at',
          text: 'text',
          fill: 'color',
          textAnchor: 'start',
          dx: 6,
          fontWeight: 600,
        }),
        Plot.text(heading === undefined ? [] : [heading], {
          ...{ ...CORNER, dx: 6 - marginLeft, dy: -40, fontSize: 13, fontWeight: 600, fill: 'var(--ink)' },
        }),
      ],
    };
  };
  return (
    <Chart
      label={label}
      options={options}
      overlay={(width) => {
        const { inner, innerHeight } = layout(width);
        return (
          <Readout
            label={say(
              `${heading === undefined ? '' : `${heading}: `}Werte ablesen`,
              `${heading === undefined ? '' : `${heading}: `}Read values`,
            )}
            axis="x"
            count={lengthOf(range)}
            area={{ left: marginLeft, top: marginTop, width: inner, height: innerHeight }}
            read={(place) => readingOf(props, place)}
          />
        );
      }}
    />
  );
}

const CORNER = { frameAnchor: 'top-left', textAnchor: 'start' } as const;

function linesOf(series: readonly PeriodSeries[], range: Range, pixels: number): Plot.Markish {
  // What others are measured by lies beneath them.
  const ordered = series.toSorted((a, b) => rank(a) - rank(b));
  return Plot.marks(
    ...ordered.map(({ values, color, isDashed = false, isStrong = false }) => {
      const points = values.map((value, index) => ({ x: range.first + index + 0.5, y: value ?? Number.NaN }));
      return Plot.marks(
        Plot.line(points, {
          x: 'x',
          y: 'y',
          stroke: color,
          strokeWidth: isStrong ? 3 : 2,
          strokeLinejoin: 'round',
          ...(isDashed ? { strokeDasharray: '2 4' } : {}),
        }),
        pixels > DOTS || points.length === 1
          ? Plot.dot(points, { x: 'x', y: 'y', r: 3, fill: color, stroke: 'var(--paper)', strokeWidth: 1 })
          : null,
      );
    }),
  );
}

const rank = ({ isDashed = false, isStrong = false }: PeriodSeries): number => (isDashed ? 0 : isStrong ? 2 : 1);

function barsOf(series: readonly PeriodSeries[], form: PeriodForm, range: Range, pixels: number): Plot.Markish {
  const slots = form === 'gestapelt' ? 1 : Math.max(1, series.length);
  const width = (1 - 2 * GAP) / slots;
  const isThin = pixels * width < THIN;
  const bars = Array.from({ length: lengthOf(range) }, (_, period) => {
    const start = range.first + period;
    const parts: readonly Bar[][] =
      form === 'gestapelt' ? [[...stackOf(series, period)]] : series.map((one) => [...stackOf([one], period)]);
    return parts.flatMap((bar, slot) =>
      bar.map((one) =>
        isThin
          ? { ...one, x1: start + slot / slots, x2: start + (slot + 1) / slots }
          : { ...one, x1: start + GAP + slot * width, x2: start + GAP + (slot + 1) * width },
      ),
    );
  }).flat();
  return Plot.rect(bars, { x1: 'x1', x2: 'x2', y1: 'y1', y2: 'y2', fill: 'color' });
}

interface EndLabel {
  readonly text: string;
  readonly color: string;
  readonly value: number;
}

/** The name of each line, at its end. @param write null = there is no room for values */
function endLabels(series: readonly PeriodSeries[], write: ((value: number) => string) | null): readonly EndLabel[] {
  const letters = write === null ? LETTERS.narrow : LETTERS.wide;
  return series.flatMap(({ name, color, values }) => {
    const value = values.findLast((one) => one !== null) ?? null;
    if (value === null) return [];
    const short = name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
    return [{ text: write === null ? short : `${short} ${write(value)}`, color, value }];
  });
}

/** The labels with the heights on the axis at which none covers another. */
function placed(labels: readonly EndLabel[], [low, high]: readonly [number, number], height: number) {
  const perPixel = (high - low) / height;
  const sorted = labels.toSorted((a, b) => b.value - a.value);
  const places = spread(
    sorted.map(({ value }) => (high - value) / perPixel),
    LABEL,
    height,
  );
  return sorted.map((label, index) => ({ ...label, at: high - (places[index] ?? 0) * perPixel }));
}

/** The values of a period, the largest first. */
function readingOf({ form, kind, range, series, unit, write }: PeriodChartProps, place: number): Reading {
  const rows = series
    .map(({ name, color, values }) => ({ name, color, value: values[place] ?? null }))
    .toSorted((a, b) => (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY));
  const sum = rows.reduce((total, { value }) => total + (value ?? 0), 0);
  return {
    title: `${nameOfPeriod(kind, range.first + place)}, ${unit}`,
    rows: [
      ...rows.map(({ name, color, value }) => ({ name, color, value: value === null ? NOTHING : write(value) })),
      ...(form === 'gestapelt' && rows.length > 1 ? [{ name: say('Summe', 'Sum'), value: write(sum) }] : []),
    ],
  };
}
