import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import { GRANTS } from '../common/schemas.ts';
import { joined, moment } from '../common/text-table.ts';

/** Labels and text forms of the members of an organisation that commands change. */

export type OrganisationMember = 'name' | 'modules' | 'signals' | 'alertTemplates' | 'limits' | 'quota' | 'trialEndsAt';

interface MemberFormat<Value> {
  readonly label: string;
  format(value: Value): string;
}

const MEMBERS: { readonly [Name in OrganisationMember]: MemberFormat<OrganisationRow[Name]> } = {
  name: { label: 'name', format: (name) => name },
  modules: { label: 'modules', format: (names) => joined(names, GRANTS.modules) },
  signals: { label: 'signals', format: (names) => joined(names, GRANTS.signals) },
  alertTemplates: { label: 'alert templates', format: (names) => joined(names, GRANTS.alertTemplates) },
  limits: {
    label: 'limits of its own',
    format: (limits) => joined(Object.entries(limits).map(([name, value]) => `${name}=${value}`)),
  },
  quota: { label: 'calls a month', format: String },
  trialEndsAt: { label: 'end of the trial', format: (time) => moment(time) ?? 'none' },
};

/** The label of a member and its value as text. */
export const describeMember = <Name extends OrganisationMember>(
  member: Name,
  value: OrganisationRow[Name],
): [label: string, value: string] => [MEMBERS[member].label, MEMBERS[member].format(value)];
