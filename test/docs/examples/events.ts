import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { storeAlertEvent } from '../../support/events.ts';
import { CONNECTED_UNITS } from './connected.ts';

/** Stores the events of the examples: units that are new, and one whose signals have changed. */
export async function storeExampleEvents(store: OrgStore, organisation: OrganisationRow, url: string): Promise<void> {
  const settings = { BASE_URL: url, APP_URL: `${url}/app` };
  const alert = { id: alertId(1), name: 'Neue Windparks im Norden', template: 'NEW_UNIT' } as const;
  await storeAlertEvent(store, organisation, { settings, alert, mastrNumbers: CONNECTED_UNITS });
  const watched = { id: alertId(2), name: 'Förderung läuft aus', template: 'SIGNAL_CHANGE' } as const;
  await storeAlertEvent(store, organisation, { settings, alert: watched, mastrNumbers: CONNECTED_UNITS.slice(0, 1) });
}

const alertId = (number: number): string => `019a0f6e-7c1b-7d52-9f0e-00000000a00${number}`;
