import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import { GRANTS } from '../shared/schemas.ts';
import { moment, words } from '../shared/text-table.ts';

/** The members of an organisation that commands change: what people call them, and how their values read. */

export type Member = 'name' | 'modules' | 'signals' | 'alertTemplates' | 'limits' | 'quota' | 'trialEndsAt';

interface Reading<Value> {
  readonly label: string;
  shown(value: Value): string;
}

const MEMBERS: { readonly [Name in Member]: Reading<OrganisationRow[Name]> } = {
  name: { label: 'name', shown: (name) => name },
  modules: { label: 'modules', shown: (names) => words(names, GRANTS.modules) },
  signals: { label: 'signals', shown: (names) => words(names, GRANTS.signals) },
  alertTemplates: { label: 'alert templates', shown: (names) => words(names, GRANTS.alertTemplates) },
  limits: {
    label: 'limits of its own',
    shown: (limits) => words(Object.entries(limits).map(([name, value]) => `${name}=${value}`)),
  },
  quota: { label: 'calls a month', shown: String },
  trialEndsAt: { label: 'end of the trial', shown: (time) => moment(time) ?? 'none' },
};

/** A member and its value, as they are told. */
export const reading = <Name extends Member>(
  member: Name,
  value: OrganisationRow[Name],
): [label: string, value: string] => [MEMBERS[member].label, MEMBERS[member].shown(value)];
