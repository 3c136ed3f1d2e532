import type { Cell } from './values.ts';

/** A table as its file has it, titles and footnotes included. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
}
