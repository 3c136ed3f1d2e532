import * as Plot from '@observablehq/plot';
import { megawatts, share } from '../../format/numbers.ts';
import type { SharePart } from './compared.ts';

/** The parts of a whole, in the order of the bars. */
export interface Part {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  /** Colour of text on it. */
  readonly ink: string;
}

const ROW_HEIGHT = 50;
/** A share is written into its part where there is room for it. */
const ROOM_FOR_TEXT = 46;
const LETTERS_OF_A_NAME = 40;

/** A bar of 100 % for each place, with its name above it. */
export function shareBars(rows: readonly SharePart[], parts: readonly Part[], width: number): Plot.PlotOptions {
  const places = [...new Set(rows.map(({ place }) => place))];
  const partOf = ({ part }: SharePart) => parts.find(({ id }) => id === part);
  const stack = {
    x: 'share',
    y: 'place',
    z: 'part',
    order: (row: SharePart) => parts.findIndex(({ id }) => id === row.part),
  };
  return {
    height: places.length * ROW_HEIGHT + 6,
    margin: 0,
    marginRight: 1,
    marginBottom: 6,
    x: { axis: null, domain: [0, 1] },
    y: { axis: null, domain: places, paddingInner: 0.55, paddingOuter: 0.5, round: true },
    marks: [
      Plot.barX(rows, {
        ...stack,
        fill: (row: SharePart) => partOf(row)?.color ?? 'var(--faint)',
        insetRight: 1,
        title: (row: SharePart) =>
          `${row.place}, ${partOf(row)?.name ?? row.part}: ${share(row.share)}, ${megawatts(row.mw)}\u202fMW`,
      }),
      Plot.text(
        rows,
        Plot.stackX({
          ...stack,
          text: (row: SharePart) => (row.share * width > ROOM_FOR_TEXT ? share(row.share) : ''),
          fill: (row: SharePart) => partOf(row)?.ink ?? 'var(--ink)',
        }),
      ),
      Plot.text(places, {
        x: 0,
        y: (place: string) => place,
        text: (place: string) =>
          place.length > LETTERS_OF_A_NAME ? `${place.slice(0, LETTERS_OF_A_NAME - 1)}…` : place,
        frameAnchor: 'left',
        textAnchor: 'start',
        dy: -20,
        fill: 'var(--ink)',
      }),
    ],
  };
}
