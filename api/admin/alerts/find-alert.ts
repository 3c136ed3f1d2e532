import { type AlertRow, alertRow, alertsOf } from '../../../sql/org/alerts/alerts.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import type { Session } from '../../../sql/org/store.ts';
import { thingNamed } from '../common/thing-named.ts';

/** The alert of this name or UUID. @throws CommandFailed suggesting the nearest name */
export const findAlert = async (
  session: Session,
  { id, externalId }: OrganisationRow,
  reference: string,
): Promise<AlertRow> =>
  thingNamed(reference, await session.rows(alertRow, alertsOf(id)), {
    ...{ what: 'alert', command: 'alerts list', organisation: externalId },
  });
