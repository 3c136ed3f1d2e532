import { say } from '../format/language.ts';
import { decimal } from '../format/numbers.ts';

/** Classes of values for a map in few colours: where one ends and the next begins. */

export type Division = 'anzahl' | 'faktor';

/** Colours of the scale in style/map.css, `--map-1` the lowest. */
const COLORS = 6;

export interface Classes {
  /** The upper end of each class but the last; a value at an end belongs to the class above. */
  readonly ends: readonly number[];
  /** Class of a value, 0 the lowest. */
  classOf(value: number): number;
  /** Colour of a class as a CSS value. */
  colorOf(index: number): string;
}

/** Two significant digits: an end that can be read and remembered. */
function rounded(value: number): number {
  if (value === 0) return 0;
  const step = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 1);
  // The division of powers of ten leaves digits behind that are none.
  return Number((Math.round(value / step) * step).toPrecision(2));
}

/**
 * Divides values that are larger than zero.
 * @param division `anzahl`: each class has about as many areas; `faktor`: each class is as many times larger than the one below
 */
export function classesOf(values: readonly number[], division: Division): Classes {
  const sorted = values.filter((value) => value > 0).toSorted((a, b) => a - b);
  const [least = 0] = sorted;
  const most = sorted.at(-1) ?? 0;
  const parts = Array.from({ length: COLORS - 1 }, (_, index) => (index + 1) / COLORS);
  const exact =
    division === 'anzahl'
      ? parts.map((part) => sorted[Math.floor(part * sorted.length)] ?? 0)
      : parts.map((part) => least * (most / least) ** part);
  // Few or equal values have fewer classes; an end at the lowest value would leave the class below it empty.
  const ends = [...new Set(exact.map(rounded))].filter((end) => end > least && end <= most);
  return {
    ends,
    classOf: (value) => ends.filter((end) => value >= end).length,
    // Few classes take colours from the whole scale.
    colorOf: (index) => {
      const place = ends.length === 0 ? COLORS / 2 : 1 + (index * (COLORS - 1)) / ends.length;
      return `var(--map-${Math.round(place)})`;
    },
  };
}

/** An end has two significant digits, and all of them are shown. */
const write = (end: number): string => decimal(end, 12);

/** Names the classes in a legend: „2,5 bis 6“. */
export function classNames({ ends }: Classes): readonly string[] {
  const [first] = ends;
  const last = ends.at(-1);
  if (first === undefined || last === undefined) return [say('über 0', 'over 0')];
  return [
    say(`unter ${write(first)}`, `under ${write(first)}`),
    ...ends
      .slice(1)
      .map((end, index) =>
        say(`${write(ends[index] ?? 0)} bis ${write(end)}`, `${write(ends[index] ?? 0)} to ${write(end)}`),
      ),
    say(`ab ${write(last)}`, `from ${write(last)}`),
  ];
}
