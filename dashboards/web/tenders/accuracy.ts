/** The places that the coordinates of an award can stand for, the most exact first. */
export const ACCURACIES = ['EINHEIT', 'FLURSTUECK', 'GEMARKUNG', 'GEMEINDE', 'LANDKREIS', 'KEINE'] as const;

type Accuracy = (typeof ACCURACIES)[number];

const NAMES: Readonly<Record<Accuracy, string>> = {
  EINHEIT: 'Die Einheit selbst',
  FLURSTUECK: 'Flurstück',
  GEMARKUNG: 'Mitte der Gemarkung',
  GEMEINDE: 'Mitte der Gemeinde',
  LANDKREIS: 'Mitte des Landkreises',
  KEINE: 'Ohne Ort',
};

/** An accuracy that these pages do not know keeps the name that the interface gives it. */
export const accuracyName = (accuracy: string): string =>
  ACCURACIES.some((known) => known === accuracy) ? NAMES[accuracy as Accuracy] : accuracy;
