/** What a picture shows: bars or lines, or words where it has no values of the view. */

export interface Picture {
  readonly title: string;
  readonly unit: string;
  readonly bars?: readonly Bar[];
  readonly lines?: Lines;
  /** A sentence in place of values. */
  readonly words?: string;
}

export interface Bar {
  readonly label: string;
  /** null = not known. */
  readonly value: number | null;
}

export interface Lines {
  /** Names of the periods, the first one first. */
  readonly periods: readonly string[];
  /** Values of each period. */
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
}

/** Bars of a picture; more could not be read. */
export const MOST_BARS = 12;
