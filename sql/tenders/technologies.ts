/** Technologies and procedures of the tenders, and the ids that are made of them. */

/** The technologies that the interface names, each with the digit that stands for it in ids. */
export const TECHNOLOGIES = {
  WIND: 1,
  SOLAR_FREIFLAECHE: 2,
  SOLAR_DACH: 3,
  BIOMASSE: 4,
  BIOMETHAN: 5,
  INNOVATION: 6,
  KWK: 7,
  GEMEINSAM: 8,
  WIND_SEE: 9,
} as const;

export type Technology = keyof typeof TECHNOLOGIES;

/** Procedures beside the ordinary one of a date and technology, with their digits in ids; the ordinary one has 0. */
export const PROCEDURES = { iKWK: 1, grenzueberschreitend: 2 } as const;

/** A procedure beside the ordinary one; null is the ordinary one. */
export type Procedure = keyof typeof PROCEDURES | null;

export const isTechnology = (text: string): text is Technology => Object.hasOwn(TECHNOLOGIES, text);

export const isProcedure = (text: string): text is keyof typeof PROCEDURES => Object.hasOwn(PROCEDURES, text);

/** The properties that identify a tender. */
export interface TenderKey {
  readonly technologie: Technology;
  readonly verfahren: Procedure;
  /** The bid date, YYYY-MM-DD. */
  readonly datum: string;
}

/**
 * The id of a tender: its date as eight digits, then technology and procedure. The id of a tender never
 * changes, whatever is loaded, and ids sort by date.
 */
export const tenderId = ({ technologie, verfahren, datum }: TenderKey): number =>
  Number(datum.replaceAll('-', '')) * 100 +
  TECHNOLOGIES[technologie] * 10 +
  (verfahren === null ? 0 : PROCEDURES[verfahren]);

/** Takes an id apart; null for a number that is none. */
export function tenderKey(id: number): TenderKey | null {
  const match = /^(\d{4})(\d{2})(\d{2})(\d)(\d)$/.exec(String(id));
  if (match === null) return null;
  const [, year, month, day, technologyDigit, procedureDigit] = match;
  const technologie = Object.entries(TECHNOLOGIES).find(([, digit]) => String(digit) === technologyDigit)?.[0];
  const procedure = Object.entries(PROCEDURES).find(([, digit]) => String(digit) === procedureDigit)?.[0];
  if (technologie === undefined || (procedure === undefined && procedureDigit !== '0')) return null;
  return {
    technologie: technologie as Technology,
    verfahren: (procedure ?? null) as Procedure,
    datum: `${year}-${month}-${day}`,
  };
}

const NAMES: Readonly<Record<Technology, string>> = {
  WIND: 'Windenergie an Land',
  SOLAR_FREIFLAECHE: 'Solaranlagen des ersten Segments',
  SOLAR_DACH: 'Solaranlagen des zweiten Segments',
  BIOMASSE: 'Biomasseanlagen',
  BIOMETHAN: 'Biomethananlagen',
  INNOVATION: 'Innovationsausschreibung',
  KWK: 'KWK-Anlagen',
  GEMEINSAM: 'Gemeinsame Ausschreibung Wind und Solar',
  WIND_SEE: 'Windenergie auf See',
};

const PROCEDURE_NAMES: Readonly<Record<keyof typeof PROCEDURES, string>> = {
  iKWK: 'Innovative KWK-Systeme',
  grenzueberschreitend: 'Grenzüberschreitende Ausschreibung Solar',
};

/** The name of a round: `Windenergie an Land, Gebotstermin 1.5.2017`. */
export function roundName({ technologie, verfahren, datum }: TenderKey): string {
  const [year, month, day] = datum.split('-').map(Number);
  return `${verfahren === null ? NAMES[technologie] : PROCEDURE_NAMES[verfahren]}, Gebotstermin ${day}.${month}.${year}`;
}
