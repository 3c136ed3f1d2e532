import { z } from 'zod';
import { repeatedText } from '../wire/parameters.ts';

/** The parameter `region`, of which there may be several. */

/** Most places of one request. */
export const MOST_PLACES = 50;

/** Places that count as one call: they cost about what one does that is not kept. */
export const PLACES_OF_A_CALL = 10;

/** The calls that a request counts as. */
export const callsOfPlaces = (query: URLSearchParams): number =>
  Math.max(1, Math.ceil(Math.min(query.getAll('region').length, MOST_PLACES) / PLACES_OF_A_CALL));

/** The regions of a request, each once. */
export const regionParameter = () =>
  repeatedText(MOST_PLACES).describe(
    `Name, exactly as the register writes it; for landkreis and gemeinde also \`Name, Bundesland\`; or the official key (2, 5 or 8 digits); with plz the first digits. Up to ${MOST_PLACES} times for several places of the level, of which each row then names its own; ${PLACES_OF_A_CALL} of them count as one call`,
  );

/** The member of a row that says what place it is about. */
export const placeOfRow = {
  region: z.string().optional().describe('With several places: the one that the row is about, as `region` was sent'),
};
