import { modulesNow, type OrganisationRow } from '../../../sql/org/organisations.ts';
import { list, moment } from '../shared/text-table.ts';
import { reading } from './members.ts';

/** What an organisation is and may, for people. */
export function describeOrganisation(organisation: OrganisationRow): string {
  const ended = modulesNow(organisation, new Date()).length < organisation.modules.length;
  const [label, modules] = reading('modules', organisation.modules);
  return list([
    reading('name', organisation.name),
    ['external id', organisation.externalId],
    ['id', organisation.id],
    [label, ended ? `${modules} (none counts as booked: the trial has ended)` : modules],
    reading('signals', organisation.signals),
    reading('alertTemplates', organisation.alertTemplates),
    reading('limits', organisation.limits),
    reading('quota', organisation.quota),
    reading('trialEndsAt', organisation.trialEndsAt),
    ['made', moment(organisation.createdAt)],
    ['changed', moment(organisation.updatedAt)],
  ]);
}
