import { isDeepStrictEqual } from 'node:util';
import { counted } from '../../../runtime/counted.ts';
import { alertRow, alertsOf } from '../../../sql/org/alerts/alerts.ts';
import { type OrganisationRow, putOrganisation } from '../../../sql/org/organisations.ts';
import type { OrgStore, Session } from '../../../sql/org/store.ts';
import { alertHolder, registerQuestion } from '../../alerts/question.ts';
import { lockOrganisation } from '../common/find-organisation.ts';
import { describeMember, type OrganisationMember } from './members.ts';

/** One member of an organisation set to something else: what most of its commands do. */

interface Change<Name extends OrganisationMember = OrganisationMember> {
  /** External id. */
  readonly organisation: string;
  readonly member: Name;
  readonly before: OrganisationRow[Name];
  readonly after: OrganisationRow[Name];
  readonly changed: boolean;
  /** Names of the alerts that could be evaluated before, and cannot be after. */
  readonly faultyAlerts: readonly string[];
}

/** Changes a member of an organisation; `next` computes its value. @throws CommandFailed when there is no such organisation */
export function change<Name extends OrganisationMember>(
  store: OrgStore,
  reference: string,
  member: Name,
  next: (present: OrganisationRow[Name]) => OrganisationRow[Name],
): Promise<Change<Name>> {
  return store.asOperator(async (session) => {
    const organisation = await lockOrganisation(session, reference);
    const before = organisation[member];
    const after = next(before);
    const changed = !isDeepStrictEqual(before, after);
    const wanted = { ...organisation, [member]: after, updatedAt: new Date().toISOString() };
    const faultyAlerts = changed ? await madeFaulty(session, organisation, wanted) : [];
    if (changed) await session.run(putOrganisation(wanted));
    return { organisation: organisation.externalId, member, before, after, changed, faultyAlerts };
  });
}

async function madeFaulty(session: Session, before: OrganisationRow, after: OrganisationRow): Promise<string[]> {
  const alerts = await session.rows(alertRow, alertsOf(before.id));
  if (alerts.length === 0) return [];
  const [held, holds] = [await alertHolder(session, before), await alertHolder(session, after)];
  return alerts
    .filter((alert) => registerQuestion(alert, held).fault === null && registerQuestion(alert, holds).fault !== null)
    .map(({ name }) => name);
}

/** Tells people which alerts do not work any more. */
export const faultyAlertsNote = ({ organisation, faultyAlerts }: Change): string =>
  faultyAlerts.length === 0
    ? ''
    : `Faulty from now on: ${counted(faultyAlerts.length, 'alert')} (${faultyAlerts.join(', ')}). ` +
      `The reasons: npm run admin -- alerts list ${organisation}`;

export function formatChange<Name extends OrganisationMember>({
  organisation,
  member,
  before,
  after,
  changed,
}: Change<Name>): string {
  const [label, now] = describeMember(member, after);
  return `${organisation}, ${label}: ${now} (${changed ? `before: ${describeMember(member, before)[1]}` : 'as before'})`;
}

export const changeLogFields = ({ organisation, member, changed }: Change): object | null =>
  changed ? { organisation, member } : null;
