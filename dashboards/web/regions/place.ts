import type { RegionOrCountry } from './region.ts';

/** The place that figures are about, with its name for people. */
export interface Place {
  readonly region: RegionOrCountry;
  readonly name: string;
  /** True: of its units only those of the own portfolio. */
  readonly own?: boolean;
}
