import { dayOf, flag, oneOf, ownFlag, type Parameter, someOf, text, useChoices } from '../../address/address.ts';
import { CARRIERS } from '../../charts/carriers.ts';
import { say } from '../../format/language.ts';
import { FIRST_YEAR, LAST_YEAR } from '../../periods/periods.ts';
import { isOnMap } from '../../regions/hits.ts';
import { type RegionOrCountry, readRegion, region } from '../../regions/region.ts';
import { MEASURES } from './measures.ts';

/** Everything that the address of the map may say, but the filters of units. */

const mapRegion: Parameter<RegionOrCountry> = {
  ...region,
  read(value) {
    const place = readRegion(value);
    return place !== null && isOnMap(place) ? place : undefined;
  },
  takes: say(
    'einen Ort der Karte: ein Bundesland (bundesland:Bayern), oder den Schlüssel eines Kreises oder einer Gemeinde (landkreis:09162)',
    'a place of the map: a state (bundesland:Bayern), or the key of a district or municipality (landkreis:09162)',
  ),
};

/** The year in which the time line begins. */
export const FIRST_MAP_YEAR = 1990;

const mapYear: Parameter<number | null> = {
  initial: null,
  read: (value) => {
    const year = /^\d{4}$/.test(value) ? Number(value) : Number.NaN;
    return year >= FIRST_MAP_YEAR && year <= LAST_YEAR ? year : undefined;
  },
  write: (value) => (value === null ? null : String(value)),
  takes: say(`ein Jahr von ${FIRST_MAP_YEAR} an`, `a year from ${FIRST_MAP_YEAR} on`),
};

const mapDay = dayOf(FIRST_YEAR, LAST_YEAR);

export const CHOICES = {
  ebene: oneOf(['landkreis', 'bundesland', 'gemeinde']),
  region: mapRegion,
  wert: oneOf(MEASURES),
  traeger: someOf(CARRIERS),
  /** The whole of which shares are: the units of these carriers, or all. */
  anteilAn: oneOf(['traeger', 'alle']),
  /** The days between which something has changed. */
  von: mapDay,
  bis: mapDay,
  /** The year of the time line; null = it is closed, and the map shows today. */
  jahr: mapYear,
  klassen: oneOf(['anzahl', 'faktor']),
  /** All municipalities of a state that has more than the interface names at once. */
  alle: flag,
  punkte: flag,
  portfolio: ownFlag,
  portfolioRelationType: text,
  portfolioExternalRef: text,
  portfolioCustomField: text,
  einheit: text,
  eventId: text,
};

export const useMapChoices = () => useChoices(CHOICES);

export type MapChoices = ReturnType<typeof useMapChoices>[0];
