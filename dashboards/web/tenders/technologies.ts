import type { Technology } from '../v1/tender-answers.ts';

/** Technologies that are put out to tender, in the order in which they are offered. */
export const TECHNOLOGIES = [
  'WIND',
  'SOLAR_FREIFLAECHE',
  'SOLAR_DACH',
  'INNOVATION',
  'BIOMASSE',
  'BIOMETHAN',
  'KWK',
  'GEMEINSAM',
  'WIND_SEE',
] as const satisfies readonly Technology[];

const NAMES: Readonly<Record<Technology, string>> = {
  WIND: 'Windenergie an Land',
  SOLAR_FREIFLAECHE: 'Solar, erstes Segment (Freifläche)',
  SOLAR_DACH: 'Solar, zweites Segment (Dach)',
  INNOVATION: 'Innovationsausschreibung',
  BIOMASSE: 'Biomasse',
  BIOMETHAN: 'Biomethan',
  KWK: 'KWK und innovative KWK-Systeme',
  GEMEINSAM: 'Wind und Solar gemeinsam',
  WIND_SEE: 'Windenergie auf See',
};

/** A technology that these pages do not know keeps the name that the interface gives it. */
export const technologyName = (technology: string): string =>
  TECHNOLOGIES.some((known) => known === technology) ? NAMES[technology as Technology] : technology;
