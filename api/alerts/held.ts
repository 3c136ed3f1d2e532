import { type AlertRow, alertRow, alertsOf, alertsToChange } from '../../sql/org/alerts/alerts.ts';
import { organisationOf, organisationRow, organisationToChange } from '../../sql/org/organisations.ts';
import { singleRow } from '../../sql/org/single-row.ts';
import type { Session } from '../../sql/org/store.ts';
import { rowOfId } from '../problem/own-rows.ts';
import { type AlertHolder, alertHolder } from './question.ts';

/** The alerts of an organisation, as operations read them. */
interface HeldAlerts {
  /** All that the alerts depend on. */
  readonly holder: AlertHolder;
  /** Sorted by name in German. */
  readonly alerts: readonly AlertRow[];
}

export async function heldAlerts(
  session: Session,
  organisationId: string,
  [organisation, alerts]: readonly [typeof organisationOf, typeof alertsOf] = [organisationOf, alertsOf],
): Promise<HeldAlerts> {
  return {
    holder: await alertHolder(session, await singleRow(session, organisationRow, organisation(organisationId))),
    alerts: await session.rows(alertRow, alerts(organisationId)),
  };
}

/** Locks number and names of the alerts, and what evaluations find out about each, until the transaction ends. */
export const lockedAlerts = (session: Session, organisationId: string): Promise<HeldAlerts> =>
  heldAlerts(session, organisationId, [organisationToChange, alertsToChange]);

/** @throws Problem NOT_FOUND */
export const alertIn = (alerts: readonly AlertRow[], id: string): AlertRow =>
  rowOfId(alerts, id, 'alert', 'GET /v1/alerts');
