import { z } from 'zod';
import { refused, usageError } from '../../../runtime/command-line/exit.ts';
import { argument, option } from '../../../runtime/command-line/parameter.ts';
import { counted } from '../../../runtime/counted.ts';
import type { AlertRow, AlertRules } from '../../../sql/org/alerts/alerts.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import { savedFilterRow, savedFiltersOf } from '../../../sql/org/records/saved-filters.ts';
import type { Session } from '../../../sql/org/store.ts';
import { evaluateOnce } from '../../alerts/evaluate-once.ts';
import { changeAlert } from '../../alerts/operations.ts';
import { EVERY_UNIT, rulesWith, type WrittenRules } from '../../alerts/rules.ts';
import { listSavedFilters } from '../../saved-filters/list.ts';
import { adminCommand } from '../common/admin-command.ts';
import { findOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { typedBody } from '../common/operation-command.ts';
import { UNMETERED } from '../common/register-beside.ts';
import { GRANTS } from '../common/schemas.ts';
import { joined, table } from '../common/text-table.ts';
import { thingNamed } from '../common/thing-named.ts';
import { findAlert } from './find-alert.ts';

const savedFilter = { what: 'saved filter', command: 'filters list' };

/** Commands take what an alert asks in this form, in which a saved filter may be named. */
export const ALERT_RULES = {
  options: { savedFilterId: 'filter' },
  references: { savedFilterId: { ...savedFilter, list: listSavedFilters } },
  words: { signals: GRANTS.signals },
};

const typedRules = typedBody(changeAlert, {
  ...ALERT_RULES,
  leaves: ['name', 'enabled'],
});

const version = (meaning: string) =>
  option(
    '<version>',
    meaning,
    z.string().min(1, 'must not be empty').max(100, 'must be the id of a version').optional(),
  );

export const testAlert = adminCommand({
  name: 'alerts test',
  summary: 'what an alert would have told of between two versions of the register; nothing is stored or sent',
  description:
    'The alert is one of the organisation, one that is typed, or one of the organisation with what is typed in its place. ' +
    'The versions have to be kept still; npm run ingest -- versions lists them.',
  examples: [
    'stadtwerk "Neue Speicher"',
    'stadtwerk --template NEW_UNIT --criteria criteria.json',
    'stadtwerk Windparks --signals wind_ueber_20_jahre --from 20261101-0001 --to 20261122-0004',
  ],
  parameters: {
    organisation: organisationArgument,
    alert: argument('its name or its UUID', z.string().min(1, 'must not be empty').optional()),
    ...typedRules.parameters,
    from: version('the earlier version (default: the one that was served before the later one)'),
    to: version('the later version (default: the one that is served now)'),
  },
  async run(store, { organisation: reference, alert: named, from = null, to = null, ...typed }, { settings }) {
    const written = typedRules.read(typed) as WrittenRules & { readonly template?: AlertRules['template'] };
    if (named === undefined && written.template === undefined) {
      throw usageError('alerts test needs an alert or --template\nHelp: npm run admin -- alerts test --help');
    }
    const { organisation, alert, rules } = await store.asOperator(async (session) => {
      const organisation = await findOrganisation(session, reference);
      const present = named === undefined ? null : await findAlert(session, organisation, named);
      const asked = await rulesOf(session, organisation, written, present);
      const identity = present === null ? null : { id: present.id, name: present.name };
      return { organisation, alert: identity, rules: asked };
    });
    // Commands that do not read the register start without its engine.
    const { publishedVersions } = await import('../../engines/open-warehouse.ts');
    const versions = await publishedVersions(settings, UNMETERED);
    try {
      const publications = await versions.publications();
      const trial = { store, versions, publications, settings, organisation, rules, from, to };
      const { fault, ...result } = await evaluateOnce(trial);
      if (fault !== null) throw refused(fault);
      return { organisation: organisation.externalId, alert, template: rules.template, ...result };
    } finally {
      versions.close();
    }
  },
  format: ({ alert, template, from, to, changedUnits, matchCount, matches }) =>
    [
      `From version ${from} to ${to}: ${counted(changedUnits, 'unit')} with other content, ` +
        `${counted(matchCount, 'match', 'matches')} of ${alert?.name ?? `an alert from ${template}`}.`,
      ...(matches.length === 0
        ? []
        : [
            table(
              ['unit', 'new', ...(template === 'SIGNAL_CHANGE' ? ['gained', 'lost'] : [])],
              matches.map(({ mastrNummer, isNew, gained, lost }) => [
                mastrNummer,
                isNew ? 'yes' : 'no',
                ...(template === 'SIGNAL_CHANGE' ? [listed(gained), listed(lost)] : []),
              ]),
            ),
          ]),
      ...(matchCount > matches.length ? [`… and ${matchCount - matches.length} more`] : []),
    ].join('\n'),
});

const listed = (signals: readonly string[]): string | null => (signals.length === 0 ? null : joined(signals));

/** Rules as they are typed, over those of an alert. @throws CommandFailed for a combination that no alert has */
async function rulesOf(
  session: Session,
  { id, externalId: organisation }: OrganisationRow,
  written: WrittenRules & { readonly template?: AlertRules['template'] },
  present: AlertRow | null,
): Promise<AlertRules> {
  const template = written.template ?? present?.template;
  if (template === undefined) throw usageError('An alert needs --template');
  const named = written.savedFilterId;
  const filters = named === undefined ? [] : await session.rows(savedFilterRow, savedFiltersOf(id));
  const asked =
    named === undefined ? {} : { savedFilterId: thingNamed(named, filters, { ...savedFilter, organisation }).id };
  const { rules, fault } = rulesWith(template, { ...written, ...asked }, present ?? EVERY_UNIT);
  if (fault === null) return rules;
  throw usageError(`--${fault.member === 'savedFilterId' ? 'filter' : fault.member} ${fault.message}`);
}
