/**
 * The energy carriers of the interface, in the order in which they are documented. A set of carriers is stored as a bit mask, where the
 * place of a carrier is its bit: a new one goes to the end, and none ever moves.
 */
export const CARRIERS = [
  'wind',
  'solar',
  'storage',
  'biomass',
  'hydro',
  'geothermal',
  'combustion',
  'nuclear',
] as const;

export type Carrier = (typeof CARRIERS)[number];

/** The bit mask of these carriers. */
export const carrierMask = (carriers: readonly string[]): number =>
  CARRIERS.reduce((mask, carrier, bit) => (carriers.includes(carrier) ? mask + 2 ** bit : mask), 0);

/** The carriers of a bit mask. */
export const carriersIn = (mask: number): Carrier[] => CARRIERS.filter((_, bit) => (mask & (2 ** bit)) !== 0);

/** The bit of a carrier, as SQL over its name. */
export const carrierBit = (name: string): string =>
  `CASE ${name} ${CARRIERS.map((carrier, bit) => `WHEN '${carrier}' THEN ${2 ** bit}`).join(' ')} END`;
