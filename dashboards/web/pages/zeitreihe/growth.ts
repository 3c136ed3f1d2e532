import { type Carrier, carrierRank } from '../../charts/carriers.ts';
import { exact } from '../../format/numbers.ts';
import { type PeriodKind, periodNumber, type Range } from '../../periods/periods.ts';
import type { TimeSeriesRow } from '../../v1/answers.ts';

/** Growth by period and carrier: the rows of the interface, in the range and with the carriers that are shown. */

const MEMBERS = [
  ...(['zubauAnzahl', 'zubauMw', 'zubauMwh'] as const),
  ...(['abbauAnzahl', 'abbauMw', 'abbauMwh'] as const),
  ...(['pipelineAnzahl', 'pipelineMw', 'pipelineMwh'] as const),
] as const;

export type Figures = Readonly<Record<(typeof MEMBERS)[number], number>>;

interface Part extends Figures {
  readonly carrier: Carrier;
}

export interface Column {
  readonly period: number;
  /** Carriers with something to show in this period, in their order. */
  readonly parts: readonly Part[];
}

export const SERIES = ['zubau', 'abbau', 'netto', 'pipeline'] as const;

export type Series = (typeof SERIES)[number];

export const MEASURES = ['mw', 'anzahl', 'mwh'] as const;

export type Measure = (typeof MEASURES)[number];

const NONE = Object.fromEntries(MEMBERS.map((name) => [name, 0])) as Figures;

/** A row without the energy that a version of an earlier release does not know. */
export const figuresOf = ({ zubauMwh, abbauMwh, pipelineMwh, ...row }: TimeSeriesRow) => ({
  ...row,
  zubauMwh: zubauMwh ?? 0,
  abbauMwh: abbauMwh ?? 0,
  pipelineMwh: pipelineMwh ?? 0,
});

/** All periods that have a row. @returns null when there is no row */
export function spanOf(kind: PeriodKind, rows: readonly TimeSeriesRow[]): Range | null {
  const [first] = rows;
  const last = rows.at(-1);
  // The interface sorts rows by period.
  return first === undefined || last === undefined
    ? null
    : { first: periodNumber(kind, first.periode), last: periodNumber(kind, last.periode) };
}

/** A column for each period of the range, also where nothing happened: the interface leaves such periods out. */
export function columnsOf(
  rows: readonly TimeSeriesRow[],
  kind: PeriodKind,
  range: Range,
  carriers: readonly Carrier[],
): readonly Column[] {
  const parts = new Map<number, Part[]>();
  for (const row of rows) {
    const carrier = carriers.find((one) => one === row.energietraeger);
    const period = periodNumber(kind, row.periode);
    if (carrier === undefined || period < range.first || period > range.last) continue;
    const list = parts.get(period) ?? [];
    list.push({ ...figuresOf(row), carrier });
    parts.set(period, list);
  }
  return Array.from({ length: range.last - range.first + 1 }, (_, index) => ({
    period: range.first + index,
    parts: (parts.get(range.first + index) ?? []).sort(byRank),
  }));
}

const byRank = (one: Part, other: Part): number => carrierRank(one.carrier) - carrierRank(other.carrier);

/**
 * Running sums from the first column on. What is planned runs from the period in which the data end: plans for the time
 * before were not carried out, and add nothing to what will be.
 */
export function cumulated(columns: readonly Column[], now: number): readonly Column[] {
  const sums = new Map<Carrier, Figures>();
  return columns.map(({ period, parts }) => {
    for (const { carrier, ...part } of parts) {
      const plans = period < now ? { pipelineAnzahl: 0, pipelineMw: 0, pipelineMwh: 0 } : {};
      sums.set(carrier, plus(sums.get(carrier) ?? NONE, { ...part, ...plans }));
    }
    return { period, parts: [...sums].map(([carrier, figures]) => ({ carrier, ...figures })).sort(byRank) };
  });
}

/** The sum of several figures. */
export const sumOf = (parts: readonly Figures[]): Figures => parts.reduce(plus, NONE);

const plus = (one: Figures, other: Figures): Figures =>
  Object.fromEntries(MEMBERS.map((name) => [name, exact(one[name] + other[name])])) as unknown as Figures;

/** The ends of the names of members. */
const ENDS = { mw: 'Mw', anzahl: 'Anzahl', mwh: 'Mwh' } as const satisfies Record<Measure, string>;

/** The figures of a part in the unit that is shown. */
export function measured(figures: Figures, measure: Measure): Readonly<Record<Series, number>> {
  const end = ENDS[measure];
  const [zubau, abbau, pipeline] = [figures[`zubau${end}`], figures[`abbau${end}`], figures[`pipeline${end}`]];
  return { zubau, abbau, netto: exact(zubau - abbau), pipeline };
}

/** A rectangle of the chart: `x` in periods, `y` in the unit that is shown. */
export interface Bar {
  readonly carrier: Carrier;
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
  readonly isPlanned: boolean;
}

interface Layout {
  readonly measure: Measure;
  readonly series: readonly Series[];
  /** Carriers that stand side by side in each period; null = all on top of each other. */
  readonly sideBySide: readonly Carrier[] | null;
}

/** Part of a period that stays empty on each side of its bars. */
const GAP = 0.1;

/** Stacks what was built upwards, what is planned above it, and what was shut down downwards. */
export function barsOf(columns: readonly Column[], { measure, series, sideBySide }: Layout): readonly Bar[] {
  const has = (name: Series): boolean => series.includes(name);
  return columns.flatMap(({ period, parts }) => {
    const slots = sideBySide?.length ?? 1;
    const tops = new Array<number>(slots).fill(0);
    const bottoms = new Array<number>(slots).fill(0);
    const bars: Bar[] = [];
    const put = (carrier: Carrier, amount: number, isPlanned: boolean): void => {
      if (amount === 0) return;
      const slot = sideBySide?.indexOf(carrier) ?? 0;
      const edge = amount > 0 ? tops : bottoms;
      const start = edge[slot] ?? 0;
      edge[slot] = start + amount;
      const width = (1 - 2 * GAP) / slots;
      const x1 = period + GAP + slot * width;
      bars.push({ carrier, x1, x2: x1 + width, y1: start, y2: start + amount, isPlanned });
    };
    if (has('zubau')) for (const part of parts) put(part.carrier, measured(part, measure).zubau, false);
    if (has('pipeline')) for (const part of parts) put(part.carrier, measured(part, measure).pipeline, true);
    if (has('abbau')) for (const part of parts) put(part.carrier, -measured(part, measure).abbau, false);
    return bars;
  });
}
