import { CARRIERS, type Carrier, chosenCarriers } from '../charts/carriers.ts';
import { OWN_FILTERS } from '../filters/filter-address.ts';
import { say } from '../format/language.ts';
import type { RegionOrCountry } from '../regions/region.ts';
import { isOnePlace } from '../units/filters.ts';
import type { Criteria } from '../v1/organisation-answers.ts';
import type { SavedFilter } from '../v1/unit-answers.ts';

/** What an alert can be about: units of the register that meet a filter. A view may show several of these. */
export interface Watchable {
  /** In words; null = all units. */
  readonly name: string | null;
  readonly criteria: Criteria;
  /** Asks by this filter instead of the criteria. */
  readonly savedFilterId: string | null;
  /** Asks, beside the criteria, whether a unit is in the portfolio: as this is when the alert is evaluated. */
  readonly own: boolean;
  /** What the view shows and an alert cannot ask; null = it can ask all. */
  readonly transient: string | null;
}

/**
 * What a view has of events and of the portfolio, as an alert asks it. The units of an event are those of one night, and of the
 * portfolio an alert asks by no role and no own value, nor beside a saved filter.
 * @param own names of the filters by the portfolio that are chosen
 */
export function ownPart(
  own: readonly string[],
  { eventId = null, savedFilterId = null }: { eventId?: string | null; savedFilterId?: string | null } = {},
): Pick<Watchable, 'own' | 'transient'> {
  const isOwn = own.length > 0;
  const isAsked = !isOwn || (savedFilterId === null && own.every((name) => name === 'portfolio'));
  return {
    own: isOwn,
    transient:
      eventId !== null
        ? say('die Einheiten eines Ereignisses', 'the units of an event')
        : isAsked
          ? null
          : say(
              'eigene Anlagen nach Rolle, Kennung, Feld oder gespeichertem Filter',
              'own units by role, identifier, field or saved filter',
            ),
  };
}

/** For pages that have the portfolio as a switch alone. */
export const ownSwitch = (isOwn: boolean): Pick<Watchable, 'own' | 'transient'> => ownPart(isOwn ? ['portfolio'] : []);

/** The part of criteria that a page has beside its filters. */
export const placeCriteria = (place: RegionOrCountry, carriers: readonly Carrier[]): Criteria => ({
  ...(carriers.length === CARRIERS.length ? {} : { einheitTyp: [...carriers] }),
  ...(place === null ? {} : { [place.level]: isOnePlace(place.level) ? place.value : [place.value] }),
});

/** The units of a place, and of carriers where only some are chosen. */
export const placeWatchable = (
  place: RegionOrCountry,
  name: string,
  { carriers = CARRIERS, own = false }: { readonly carriers?: readonly Carrier[]; readonly own?: boolean } = {},
): Watchable => ({
  name: [name, chosenCarriers(carriers)].filter(Boolean).join(', '),
  criteria: placeCriteria(place, carriers),
  savedFilterId: null,
  ...ownSwitch(own),
});

/** Pages whose filters are all that they show: what is saved there is a filter of units, too. */
const PAGES_OF_A_FILTER: readonly string[] = ['einheiten', 'karte', 'qualitaet'];

/** Tells whether a list can ask by this; other views are opened, and are nothing else. */
export function isFilter({ ansicht }: SavedFilter): boolean {
  if (ansicht === undefined) return true;
  const names = [...new URLSearchParams(ansicht.query).keys()];
  return (
    PAGES_OF_A_FILTER.includes(ansicht.page) &&
    !names.some((name) => OWN_FILTERS.has(name) || name === 'savedFilterId' || name === 'eventId')
  );
}
