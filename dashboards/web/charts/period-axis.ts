import * as Plot from '@observablehq/plot';
import { PERIODS_OF_YEAR, type PeriodKind, placeInYear, type Range, yearOf } from '../periods/periods.ts';

/** The axis of periods: each year once, beneath the whole of it, and quarters or months above it where they have room. */

interface AxisLabel {
  /** Middle of what it names, in periods. */
  readonly at: number;
  readonly text: string;
}

export interface PeriodAxis {
  readonly years: readonly AxisLabel[];
  readonly parts: readonly AxisLabel[];
  /** True: a year begins here. */
  readonly borders: readonly number[];
}

const MONTH_LETTERS = 'JFMAMJJASOND';
const YEAR_SPACE = 38;
/** Room of `Q1`, and of a letter. */
const PART_SPACE = { quartal: 20, monat: 12, jahr: Number.POSITIVE_INFINITY } as const;
const STEPS = [1, 2, 5, 10, 20, 50, 100];

/** @param width of the axis (px) */
export function periodAxis(kind: PeriodKind, { first, last }: Range, width: number): PeriodAxis {
  const ofYear = PERIODS_OF_YEAR[kind];
  const pixels = width / (last - first + 1);
  const yearWidth = pixels * ofYear;
  const step = STEPS.find((years) => years * yearWidth >= YEAR_SPACE) ?? 100;
  const years: AxisLabel[] = [];
  const borders: number[] = [];
  for (let year = yearOf(kind, first); year <= yearOf(kind, last); year++) {
    const start = Math.max(first, year * ofYear);
    const end = Math.min(last + 1, (year + 1) * ofYear);
    if (year % step !== 0) continue;
    borders.push(year * ofYear);
    // With every year named, a label stands under what is seen of it; otherwise it stands under its own year.
    if (step > 1 || (end - start) * pixels >= YEAR_SPACE) years.push({ at: (start + end) / 2, text: String(year) });
  }
  const hasParts = pixels >= PART_SPACE[kind];
  const parts = hasParts
    ? Array.from({ length: last - first + 1 }, (_, index) => {
        const place = placeInYear(kind, first + index);
        return { at: first + index + 0.5, text: kind === 'quartal' ? `Q${place + 1}` : (MONTH_LETTERS[place] ?? '') };
      })
    : [];
  return { years, parts, borders: borders.filter((border) => border > first) };
}

/** Space beneath a chart for the axis (px). */
export const axisHeight = ({ parts }: PeriodAxis): number => (parts.length > 0 ? 40 : 24);

/** Lines between the years, which lie under the data. */
export const yearBorders = ({ borders, parts }: PeriodAxis): Plot.Markish =>
  Plot.tickX(borders, { stroke: 'var(--line)', strokeWidth: 1, insetBottom: parts.length > 0 ? -34 : -6 });

export const periodLabels = ({ years, parts }: PeriodAxis): Plot.Markish => {
  const text = (labels: readonly AxisLabel[], dy: number, fill: string) =>
    Plot.text(labels, { x: 'at', text: 'text', frameAnchor: 'bottom', lineAnchor: 'top', dy, fill, clip: false });
  return Plot.marks(text(parts, 7, 'var(--faint)'), text(years, parts.length > 0 ? 23 : 8, 'var(--ink)'));
};
