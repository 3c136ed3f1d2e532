/** The energy carriers of the interface, in the order in which they are documented. */
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
