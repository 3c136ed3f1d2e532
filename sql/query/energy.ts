import type { Dialects } from './dialect.ts';

/**
 * The energy of storage in sums. The register gives it once for each plant, and several units may be of one: what is added up are
 * their shares, so that a plant counts once, and groups among which its units are divided add up to the total.
 */

/** The column of `units` that is added up, kWh. */
export const SUMMED_ENERGY = 'speicherkapazitaetAnteilKwh';

/** The dialects of a version without that column, and without `kwh` in its roll-ups. */
export const withoutEnergy = ({ units, projections }: Dialects): Dialects => ({
  units: { ...units, storageEnergy: false },
  projections: { ...projections, storageEnergy: false },
});
