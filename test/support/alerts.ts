import { randomUUIDv7 } from 'node:crypto';
import { type AlertRow, putAlerts } from '../../sql/org/alerts/alerts.ts';
import type { OrgStore } from '../../sql/org/store.ts';

/** Makes or changes an alert of an organisation past commands and interface; without choices, one of all new units. */
export async function makeAlert(
  store: OrgStore,
  organisation: { readonly id: string },
  choices: Partial<AlertRow> = {},
): Promise<AlertRow> {
  const id = randomUUIDv7();
  const now = new Date().toISOString();
  const alert: AlertRow = {
    ...{ id, name: `Alarm ${id}`, template: 'NEW_UNIT', signals: [], fields: [], criteria: {}, savedFilterId: null },
    ...{ enabled: true, enabledAt: now, fault: null, faultySince: null, createdAt: now, updatedAt: now },
    ...choices,
  };
  await store.asOperator((session) => session.run(putAlerts(organisation.id, [alert])));
  return alert;
}
