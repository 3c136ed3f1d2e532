import { alertEventData, type FiredAlert } from '../../api/events/event.ts';
import { storeEvent } from '../../api/events/store-event.ts';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import type { OrgStore, Session } from '../../sql/org/store.ts';

/** Stores events in the store itself, for tests of what is done with them. */

interface EventChoices extends Partial<FiredAlert> {
  /** Default: an address that leads nowhere. */
  readonly settings?: Parameters<typeof alertEventData>[2];
}

/** Stores an event alert.triggered, by default of one new unit, in a transaction of the operator. */
export function addAlertEvent(
  session: Session,
  { id }: Pick<OrganisationRow, 'id'>,
  {
    alert = { id: '019a0f6e-7c1b-7d52-9f0e-00000000a001', name: 'Neue Anlagen', template: 'NEW_UNIT' },
    mastrNumbers = ['SEE900000000001'],
    matchCount = mastrNumbers.length,
    settings = { BASE_URL: 'https://api.example', APP_URL: 'https://api.example/app' },
  }: EventChoices = {},
): ReturnType<typeof storeEvent> {
  return storeEvent(session, {
    organisationId: id,
    type: 'alert.triggered',
    data: (eventId) => alertEventData({ alert, mastrNumbers, matchCount }, eventId, settings),
    data2: null,
    mastrNumbers,
  });
}

/** The same in a transaction of its own. */
export const storeAlertEvent = (
  store: OrgStore,
  organisation: Pick<OrganisationRow, 'id'>,
  choices: EventChoices = {},
): ReturnType<typeof storeEvent> => store.asOperator((session) => addAlertEvent(session, organisation, choices));
