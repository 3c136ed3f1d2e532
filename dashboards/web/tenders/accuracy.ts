import { say } from '../format/language.ts';

/** The places that the coordinates of an award can stand for, the most exact first. */
export const ACCURACIES = ['EINHEIT', 'FLURSTUECK', 'GEMARKUNG', 'GEMEINDE', 'LANDKREIS', 'KEINE'] as const;

type Accuracy = (typeof ACCURACIES)[number];

const NAMES: Readonly<Record<Accuracy, string>> = {
  EINHEIT: say('Die Einheit selbst', 'The unit itself'),
  FLURSTUECK: say('Flurstück', 'Parcel'),
  GEMARKUNG: say('Mitte der Gemarkung', 'Middle of the cadastral district'),
  GEMEINDE: say('Mitte der Gemeinde', 'Middle of the municipality'),
  LANDKREIS: say('Mitte des Landkreises', 'Middle of the district'),
  KEINE: say('Ohne Ort', 'Without a place'),
};

/** An accuracy that these pages do not know keeps the name that the interface gives it. */
export const accuracyName = (accuracy: string): string =>
  ACCURACIES.some((known) => known === accuracy) ? NAMES[accuracy as Accuracy] : accuracy;
