/**
 * The columns of `units` that can tell of a person: the owner, the point, and texts that somebody chose (sql/register/privacy.csv). Former
 * rows lose them when their past is to be forgotten (sql/query/erased.ts), and keep their figures.
 */
export const PERSONAL_COLUMNS: readonly string[] = [
  ...['betreiberMastrNummer', 'betreiberName', 'name', 'latitude', 'longitude'],
  ...['genehmigungBehoerde', 'genehmigungAktenzeichen', 'windpark', 'solarpark', 'kraftwerk', 'kraftwerksblock'],
];

/** Below this capacity no unit has coordinates (interface.md, privacy rule 7), also of days on which it was larger. */
export const PLACED_FROM_KW = 30;
