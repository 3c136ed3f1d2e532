import type { Dialects } from './dialect.ts';

/** Net capacity in sums. The build has not counted it, so it is added up where it is asked for. */

/** The column of the projections that is added up, kW. */
export const NET_CAPACITY = 'nettonennleistungKw';

/** The dialects of a version whose projections do not have it. */
export const withoutNetCapacity = ({ units, projections }: Dialects): Dialects => ({
  units,
  projections: { ...projections, netCapacity: false },
});
