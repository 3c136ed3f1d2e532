/** What charts over an axis of periods show. */

/** Something that has a value in each period. */
export interface PeriodSeries {
  readonly id: string;
  readonly name: string;
  /** As a CSS value. */
  readonly color: string;
  /** By the periods of the range; null = not known. */
  readonly values: readonly (number | null)[];
  /** What the others are measured by. */
  readonly isDashed?: boolean;
  readonly isStrong?: boolean;
}

export type PeriodForm = 'linien' | 'balken' | 'gestapelt';

export interface Bar {
  readonly color: string;
  readonly y1: number;
  readonly y2: number;
}

/** What is above 0 is stacked upwards, what is below downwards. */
export function stackOf(series: readonly PeriodSeries[], period: number): readonly Bar[] {
  const ends = { up: 0, down: 0 };
  return series.flatMap(({ color, values }): readonly Bar[] => {
    const value = values[period] ?? 0;
    if (value === 0) return [];
    const side = value > 0 ? 'up' : 'down';
    const y1 = ends[side];
    ends[side] += value;
    return [{ color, y1, y2: ends[side] }];
  });
}

/** The least and the most of what a chart draws, with 0. */
export function extentOf(series: readonly PeriodSeries[], form: PeriodForm): readonly [number, number] {
  const periods = Math.max(0, ...series.map(({ values }) => values.length));
  const all =
    form === 'gestapelt'
      ? Array.from({ length: periods }, (_, period) => stackOf(series, period))
          .flat()
          .flatMap(({ y1, y2 }) => [y1, y2])
      : series.flatMap(({ values }) => values.filter((value) => value !== null));
  return [all.reduce((one, other) => Math.min(one, other), 0), all.reduce((one, other) => Math.max(one, other), 0)];
}
