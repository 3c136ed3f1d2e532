/** What is put out to tender. The values of `technologie` are closed by decisions, section 6. */
export const TECHNOLOGIES = [
  'WIND',
  'SOLAR_FREIFLAECHE',
  'SOLAR_DACH',
  'BIOMASSE',
  'BIOMETHAN',
  'INNOVATION',
  'KWK',
  'GEMEINSAM',
  'WIND_SEE',
] as const;
