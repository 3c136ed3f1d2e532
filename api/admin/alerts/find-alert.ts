import { isDeepStrictEqual } from 'node:util';
import { refused } from '../../../runtime/command-line/exit.ts';
import type { Settings } from '../../../runtime/settings.ts';
import { type AlertRow, alertRow, alertsOf, alertsToChange, putAlerts } from '../../../sql/org/alerts/alerts.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import type { OrgStore, Session } from '../../../sql/org/store.ts';
import { type NamedUnits, neverToldNote } from '../../alerts/never-told.ts';
import { type AlertHolder, alertHolder } from '../../alerts/question.ts';
import { suggestion } from '../../wire/nearest.ts';
import { findOrganisation, lockOrganisation } from '../common/find-organisation.ts';
import { namedUnits } from './served-numbers.ts';
import { type ShownAlert, shown } from './shown.ts';

/** An organisation with its alerts, and with all that these depend on. */
export interface HeldAlerts {
  readonly organisation: OrganisationRow;
  readonly holder: AlertHolder;
  /** Sorted by name in German. */
  readonly alerts: readonly AlertRow[];
}

/** @throws CommandFailed when there is no such organisation */
export const readAlerts = async (session: Session, reference: string): Promise<HeldAlerts> =>
  alertsHeldBy(session, await findOrganisation(session, reference), alertsOf);

/**
 * Locks the organisation, and so the number and names of its alerts, and what evaluations find out about each, until the
 * transaction ends.
 */
export const lockAlerts = async (session: Session, reference: string): Promise<HeldAlerts> =>
  alertsHeldBy(session, await lockOrganisation(session, reference), alertsToChange);

const alertsHeldBy = async (
  session: Session,
  organisation: OrganisationRow,
  statement: typeof alertsOf,
): Promise<HeldAlerts> => ({
  organisation,
  holder: await alertHolder(session, organisation),
  alerts: await session.rows(alertRow, statement(organisation.id)),
});

/** The alert of this name or UUID. @throws CommandFailed suggesting the nearest name */
export function alertNamed({ organisation: { externalId }, alerts }: HeldAlerts, reference: string): AlertRow {
  const found = alerts.find(({ id, name }) => name === reference || id === reference.toLowerCase());
  if (found !== undefined) return found;
  const names = alerts.map(({ name }) => name);
  throw refused(
    `${externalId} has no alert ${reference}${suggestion(reference, names)}\n` +
      `Those it has: npm run admin -- alerts list ${externalId}`,
  );
}

/** @throws CommandFailed when another alert of the organisation has this name */
export function mustBeFreeName({ organisation: { externalId }, alerts }: HeldAlerts, name: string): void {
  const other = alerts.find((alert) => alert.name === name);
  if (other === undefined) return;
  throw refused(
    `${externalId} has an alert ${name} already\nTo change it: npm run admin -- alerts change ${externalId} ${other.id} …`,
  );
}

/** The outcome of a command that changes one alert. */
export interface AlertChange {
  /** External id. */
  readonly organisation: string;
  readonly alert: ShownAlert;
  readonly changed: boolean;
  /** Null as well where nothing was changed. */
  readonly namedUnits: NamedUnits | null;
}

/**
 * Changes an alert; `next` returns what it becomes, or the same object where nothing is to be done.
 * @throws CommandFailed when there is no such organisation or alert
 */
export async function changeOneAlert(
  store: OrgStore,
  reference: string,
  named: string,
  settings: Settings,
  next: (present: AlertRow, held: HeldAlerts, session: Session) => Promise<AlertRow> | AlertRow,
): Promise<AlertChange> {
  const { held, alert, changed } = await store.asOperator(async (session) => {
    const held = await lockAlerts(session, reference);
    const present = alertNamed(held, named);
    const wanted = await next(present, held, session);
    const changed = !isDeepStrictEqual(wanted, present);
    const alert = changed ? { ...wanted, updatedAt: new Date().toISOString() } : present;
    if (changed) await session.run(putAlerts(held.organisation.id, [alert]));
    return { held, alert, changed };
  });
  const { organisation, holder } = held;
  const units = changed ? await namedUnits(alert, holder, settings) : null;
  return { organisation: organisation.externalId, alert: shown(alert, holder), changed, namedUnits: units };
}

/** Advice about an alert that was changed. */
export const changeNote = ({ namedUnits: units }: AlertChange): string => neverToldNote(units);

export const changeLogFields = ({ organisation, alert, changed }: AlertChange): object | null =>
  changed ? { organisation, alert: alert.id } : null;
