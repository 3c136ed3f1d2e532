import { say } from '../format/language.ts';
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
  WIND: say('Windenergie an Land', 'Onshore wind'),
  SOLAR_FREIFLAECHE: say('Solar, erstes Segment (Freifläche)', 'Solar, first segment (ground-mounted)'),
  SOLAR_DACH: say('Solar, zweites Segment (Dach)', 'Solar, second segment (roof)'),
  INNOVATION: say('Innovationsausschreibung', 'Innovation tender'),
  BIOMASSE: say('Biomasse', 'Biomass'),
  BIOMETHAN: say('Biomethan', 'Biomethane'),
  KWK: say('KWK und innovative KWK-Systeme', 'CHP and innovative CHP systems'),
  GEMEINSAM: say('Wind und Solar gemeinsam', 'Wind and solar jointly'),
  WIND_SEE: say('Windenergie auf See', 'Offshore wind'),
};

/** A technology that these pages do not know keeps the name that the interface gives it. */
export const technologyName = (technology: string): string =>
  TECHNOLOGIES.some((known) => known === technology) ? NAMES[technology as Technology] : technology;
