import * as Plot from '@observablehq/plot';
import { lettersOfTip } from '../../charts/within-window.ts';
import { roundName } from '../../tenders/rounds.ts';
import type { TenderRound } from '../../v1/tender-answers.ts';

/** Rounds stand at their dates, in both charts alike: a year without any is a gap. */

export const timeOf = ({ datum }: TenderRound): Date => new Date(datum);

const DAY = 86_400_000;

/** Room that a year takes, written with four digits (px). */
const YEAR_WIDTH = 34;
/** Room beside the plot (px), and what a bar may be wide (px). */
const SIDES = 68;
const THINNEST = { wide: 5, narrow: 3 } as const;
const NARROW = 420;
const WIDEST = 26;
/** Part of the way to the next round that a bar takes. */
const FILLED = 0.8;

/** @param width of the chart (px) */
export function roundScale(rounds: readonly TenderRound[], width: number) {
  const times = rounds.map((round) => timeOf(round).getTime()).toSorted((one, other) => one - other);
  const [first = 0, last = first] = [times[0], times.at(-1)];
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const nearest = Math.min(...gaps.filter((gap) => gap > 0), 365 * DAY);
  const room = Math.max(1, width - SIDES - WIDEST);
  const perPixel = Math.max(last - first, 365 * DAY) / room;
  const bar = Math.max(
    width < NARROW ? THINNEST.narrow : THINNEST.wide,
    Math.min(WIDEST, (nearest / perPixel) * FILLED),
  );
  const half = (bar / 2) * perPixel;
  const edge = (WIDEST / 2) * perPixel;
  const middle = (first + last) / 2;
  const span = Math.max(last - first, 365 * DAY) / 2;
  return {
    x: { type: 'utc', domain: [new Date(middle - span - edge), new Date(middle + span + edge)] } as const,
    /** The place of what is as wide as a bar. */
    at: {
      x1: (round: TenderRound) => new Date(timeOf(round).getTime() - half),
      x2: (round: TenderRound) => new Date(timeOf(round).getTime() + half),
    },
    /** Width of a bar (px). */
    bar,
  };
}

/** Names each year at its beginning. @param width of the chart (px) */
export function yearAxis(rounds: readonly TenderRound[], width: number): Plot.Markish {
  const years = new Set(rounds.map(({ datum }) => datum.slice(0, 4)));
  const numbers = [...years].map(Number);
  const span = Math.max(...numbers) - Math.min(...numbers) + 1;
  const isTight = (width - SIDES) / span < YEAR_WIDTH;
  return Plot.axisX({
    label: null,
    ticks: 'year',
    tickFormat: (date: Date) => (isTight ? `’${String(date.getUTCFullYear()).slice(2)}` : `${date.getUTCFullYear()}`),
  });
}

/** @param lines what is said of a round under the pointer */
export const roundTip = (
  rounds: readonly TenderRound[],
  width: number,
  y: (round: TenderRound) => number | null,
  lines: (round: TenderRound) => readonly string[],
): Plot.Markish =>
  Plot.tip(
    rounds,
    Plot.pointerX({
      x: timeOf,
      y,
      title: (round: TenderRound) => [roundName(round), ...lines(round)].join('\n'),
      fill: 'var(--paper)',
      stroke: 'var(--line)',
      lineWidth: lettersOfTip(width),
    }),
  );
