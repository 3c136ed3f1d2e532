import type { Cell } from './values.ts';

/** A table as its file has it, titles and footnotes included. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
  /** The separator of a copy in CSV, whose cells may lack their quotes; a workbook has none. */
  readonly separator?: string;
}
