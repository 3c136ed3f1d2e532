import * as Plot from '@observablehq/plot';
import { type Carrier, carrierColor, carrierName } from '../../charts/carriers.ts';
import { Chart } from '../../charts/chart.tsx';
import { addHatching, hatched } from '../../charts/hatching.ts';
import { axisHeight, periodAxis, periodLabels, yearBorders } from '../../charts/period-axis.ts';
import { type Reading, Readout } from '../../charts/readout.tsx';
import { ticksTo } from '../../charts/ticks.ts';
import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { count, megawatts } from '../../format/numbers.ts';
import { lengthOf, momentOfDay, type PeriodKind, type Range } from '../../periods/periods.ts';
import { nameOfPeriod } from '../../periods/words.ts';
import { type Bar, barsOf, type Column, type Measure, measured, type Series, sumOf } from './growth.ts';

export interface GrowthView {
  readonly kind: PeriodKind;
  readonly range: Range;
  readonly measure: Measure;
  readonly series: readonly Series[];
  /** Carriers that are shown, in their order. */
  readonly carriers: readonly Carrier[];
  /** Day of the data, YYYY-MM-DD. */
  readonly asOf: string;
}

const AXIS: Readonly<Record<Measure, string>> = { mw: 'MW', anzahl: say('Einheiten', 'units'), mwh: 'MWh' };

const MARGIN_RIGHT = 8;
const MARGIN_TOP = { plain: 26, withHeading: 34 } as const;
/** Bars thinner than this have no room for a gap (px). */
const THIN = 4;

/**
 * Bars of growth, plans and shutdowns by period, and the line of their net.
 * @param heading stands over the chart where there are several
 */
export function GrowthChart({
  view,
  columns,
  sideBySide,
  height,
  heading,
  label,
}: {
  view: GrowthView;
  columns: readonly Column[];
  sideBySide: boolean;
  height: number;
  heading?: string;
  label: string;
}) {
  const { kind, range, measure, series, carriers, asOf } = view;
  const bars = barsOf(columns, { measure, series, sideBySide: sideBySide ? carriers : null });
  const format = measure === 'anzahl' ? count : megawatts;
  const marginTop = heading === undefined ? MARGIN_TOP.plain : MARGIN_TOP.withHeading;
  const now = momentOfDay(kind, asOf);
  // What is side by side has no common sum that a line could show.
  const net = series.includes('netto') && !sideBySide ? netLine(columns, measure, now) : [];
  const marginLeft = 16 + 7 * longestLabel([...bars.map(({ y2 }) => y2), ...net.map(({ y }) => y)], format);
  const options = (width: number): Plot.PlotOptions => {
    const inner = width - marginLeft - MARGIN_RIGHT;
    const axis = periodAxis(kind, range, inner);
    const isThin = (inner / lengthOf(range)) * 0.8 < THIN;
    const fill = ({ carrier, isPlanned }: Bar): string => (isPlanned ? hatched(carrier) : carrierColor(carrier));
    return {
      height,
      marginTop,
      marginRight: MARGIN_RIGHT,
      marginBottom: axisHeight(axis),
      marginLeft,
      x: { type: 'linear', domain: [range.first, range.last + 1], axis: null },
      y: { type: 'linear', nice: true, zero: true, axis: null },
      marks: [
        future(now, range),
        yearBorders(axis),
        Plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1, ticks: height < 240 ? 4 : 6 }),
        Plot.axisY({
          ticks: height < 240 ? 4 : 6,
          tickSize: 0,
          // There is no half of a unit.
          tickFormat: (value: number) => (measure !== 'anzahl' || Number.isInteger(value) ? format(value) : ''),
          label: heading !== undefined ? null : AXIS[measure],
          labelArrow: 'none',
          labelAnchor: 'top',
          labelOffset: marginLeft - 2,
          fill: 'var(--faint)',
        }),
        Plot.rect(bars, {
          x1: isThin ? ({ x1 }: Bar) => Math.floor(x1) : 'x1',
          x2: isThin ? ({ x1 }: Bar) => Math.floor(x1) + 1 : 'x2',
          y1: 'y1',
          y2: 'y2',
          fill,
        }),
        Plot.ruleY([0], { stroke: 'var(--ink)', strokeWidth: 1 }),
        periodLabels(axis),
        endOfData(now, range, heading === undefined ? say(`Stand ${day(asOf)}`, `As of ${day(asOf)}`) : '', inner),
        ...netMarks(net, inner / lengthOf(range)),
        heading === undefined
          ? null
          : Plot.text([heading], {
              frameAnchor: 'top-left',
              dx: 6 - marginLeft,
              dy: -28,
              fontSize: 13,
              fontWeight: 600,
              fill: 'var(--ink)',
            }),
      ],
    };
  };
  return (
    <Chart
      label={label}
      options={options}
      onDraw={(drawing) => addHatching(drawing, new Map(carriers.map((id) => [id, carrierColor(id)])))}
      overlay={(width) => {
        const inner = width - marginLeft - MARGIN_RIGHT;
        const bottom = axisHeight(periodAxis(kind, range, inner));
        return (
          <Readout
            label={say(
              `${heading === undefined ? '' : `${heading}: `}Werte ablesen`,
              `${heading === undefined ? '' : `${heading}: `}Read values`,
            )}
            axis="x"
            count={columns.length}
            area={{ left: marginLeft, top: marginTop, width: inner, height: height - marginTop - bottom }}
            read={(place) => readingOf(columns[place], view)}
          />
        );
      }}
    />
  );
}

/** Characters of the longest label of an axis that has all of these values. */
function longestLabel(values: readonly number[], format: (value: number) => string): number {
  // The axis reaches a round value beyond the last one.
  const most = 1.2 * values.reduce((one, other) => Math.max(one, other), 0);
  const least = 1.2 * values.reduce((one, other) => Math.min(one, other), 0);
  const ticks = [...ticksTo(most, 6), ...ticksTo(-least, 6).map((tick) => -tick)];
  return Math.max(...ticks.map((tick) => format(tick).length));
}

interface NetPoint {
  readonly x: number;
  readonly y: number;
}

/** The net ends with the data: nobody knows it for later. */
const netLine = (columns: readonly Column[], measure: Measure, now: number): readonly NetPoint[] =>
  columns
    .filter(({ period }) => period <= now)
    .map(({ period, parts }) => ({ x: period + 0.5, y: measured(sumOf(parts), measure).netto }));

/**
 * A line with an edge of paper, so that it stands out from every colour; where bars are thin it is thin, too, and leaves them
 * to be seen.
 * @param pixels width of a period
 */
const netMarks = (net: readonly NetPoint[], pixels: number): Plot.Markish[] => [
  pixels < THIN
    ? null
    : Plot.line(net, { x: 'x', y: 'y', stroke: 'var(--paper)', strokeWidth: 4, strokeLinejoin: 'round' }),
  Plot.line(net, {
    x: 'x',
    y: 'y',
    stroke: 'var(--ink)',
    strokeWidth: pixels < THIN ? 0.6 : 1.75,
    strokeLinejoin: 'round',
  }),
  pixels > 14
    ? Plot.dot(net, { x: 'x', y: 'y', r: 2.5, fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 1 })
    : null,
];

/** What lies behind the end of the data is planned, or not known. */
const future = (now: number, { first, last }: Range): Plot.Markish =>
  now <= first || now >= last + 1 ? null : Plot.rectX([now], { x1: now, x2: last + 1, fill: 'var(--panel)' });

function endOfData(now: number, { first, last }: Range, text: string, width: number): Plot.Markish {
  if (now <= first || now >= last + 1) return null;
  const fits = (1 - (now - first) / (last + 1 - first)) * width > 7 * text.length;
  return Plot.marks(
    Plot.ruleX([now], { stroke: 'var(--ink)', strokeWidth: 1, strokeDasharray: '3 3', insetTop: -8 }),
    Plot.text([now], {
      x: now,
      text: () => text,
      frameAnchor: 'top',
      textAnchor: fits ? 'start' : 'end',
      dx: fits ? 4 : -4,
      dy: -14,
      fill: 'var(--faint)',
    }),
  );
}

/** The figures of a period, as the pointer or the arrow keys show them. */
function readingOf(column: Column | undefined, { kind, measure, series, carriers, asOf }: GrowthView): Reading {
  if (column === undefined) return { title: '', rows: [] };
  const amount = (value: number): string =>
    measure === 'anzahl'
      ? `${count(value)} ${value === 1 ? say('Einheit', 'unit') : say('Einheiten', 'units')}`
      : `${megawatts(value)}\u202f${AXIS[measure]}`;
  const sums = measured(sumOf(column.parts), measure);
  const isPast = column.period <= momentOfDay(kind, asOf);
  const total = (name: Series, text: string): Reading['rows'] =>
    series.includes(name) && (name === 'pipeline' ? sums[name] !== 0 : isPast)
      ? [{ name: text, value: amount(sums[name]) }]
      : [];
  const ofCarriers = carriers.flatMap((carrier) => {
    const part = column.parts.find((one) => one.carrier === carrier);
    if (part === undefined) return [];
    const values = measured(part, measure);
    const color = carrierColor(carrier);
    const row = (name: Series, text: string) =>
      series.includes(name) && values[name] !== 0
        ? [{ name: `${carrierName(carrier)}${text}`, value: amount(values[name]), color }]
        : [];
    return [
      ...row('zubau', ''),
      ...row('abbau', say(', Abbau', ', removed')),
      ...row('pipeline', say(', geplant', ', planned')),
    ];
  });
  const rows = [
    ...ofCarriers,
    ...total('zubau', say('Zubau', 'Added')),
    ...total('abbau', say('Abbau', 'Removed')),
    ...total('netto', say('Netto', 'Net')),
    ...total('pipeline', say('Geplant', 'Planned')),
  ];
  const title = nameOfPeriod(kind, column.period);
  return { title, rows: rows.length > 0 ? rows : [{ name: say('nichts', 'nothing'), value: '' }] };
}
