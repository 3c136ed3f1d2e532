import { modulesNow, type OrganisationRow } from '../../../sql/org/organisations.ts';
import { moment, nameValueLines } from '../common/text-table.ts';
import { describeMember } from './members.ts';

/** Describes an organisation for people. */
export function describeOrganisation(organisation: OrganisationRow): string {
  const ended = modulesNow(organisation, new Date()).length < organisation.modules.length;
  const [label, modules] = describeMember('modules', organisation.modules);
  return nameValueLines([
    describeMember('name', organisation.name),
    ['external id', organisation.externalId],
    ['id', organisation.id],
    [label, ended ? `${modules} (none counts as booked: the trial has ended)` : modules],
    describeMember('signals', organisation.signals),
    describeMember('alertTemplates', organisation.alertTemplates),
    describeMember('limits', organisation.limits),
    describeMember('quota', organisation.quota),
    describeMember('trialEndsAt', organisation.trialEndsAt),
    ['made', moment(organisation.createdAt)],
    ['changed', moment(organisation.updatedAt)],
  ]);
}
