import * as Plot from '@observablehq/plot';
import { roundName } from '../../tenders/rounds.ts';
import type { TenderRound } from '../../v1/tender-answers.ts';

/** Rounds stand side by side in the order of their dates, one place each, in both charts alike. */

export const idOf = ({ id }: TenderRound): string => String(id);

const yearOf = ({ datum }: TenderRound): string => datum.slice(0, 4);

/** Room that a year takes, written with four digits (px). */
const YEAR_WIDTH = 34;

/** Names the first round of each year. @param width of the chart (px) */
export function yearAxis(rounds: readonly TenderRound[], width: number): Plot.Markish {
  const firsts = rounds.flatMap((round, index) => {
    const before = rounds[index - 1];
    return before !== undefined && yearOf(before) === yearOf(round) ? [] : [{ round, index }];
  });
  const gaps = firsts.slice(1).map(({ index }, at) => index - (firsts[at]?.index ?? 0));
  const isTight = Math.min(...gaps) * (width / rounds.length) < YEAR_WIDTH;
  const years = new Map(firsts.map(({ round }) => [idOf(round), yearOf(round)]));
  return Plot.axisX([...years.keys()], {
    label: null,
    tickFormat: (id: string) => (isTight ? `’${years.get(id)?.slice(2)}` : (years.get(id) ?? '')),
  });
}

/** @param lines what is said of a round under the pointer */
export const roundTip = (
  rounds: readonly TenderRound[],
  y: (round: TenderRound) => number | null,
  lines: (round: TenderRound) => readonly string[],
): Plot.Markish =>
  Plot.tip(
    rounds,
    Plot.pointerX({
      x: idOf,
      y,
      title: (round: TenderRound) => [roundName(round), ...lines(round)].join('\n'),
      fill: 'var(--paper)',
      stroke: 'var(--line)',
    }),
  );
