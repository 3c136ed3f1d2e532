import { z } from 'zod';
import { refused, usageError } from '../../runtime/command-line/exit.ts';
import { argument, option } from '../../runtime/command-line/parameter.ts';
import { counted } from '../../runtime/counted.ts';
import { type AlertRow, type AlertRules, alertRow, alertsOf } from '../../sql/org/alerts/alerts.ts';
import {
  alertOutcomeRow,
  type EvaluationRow,
  evaluationRow,
  evaluationsByAge,
  outcomesByAge,
} from '../../sql/org/alerts/evaluations.ts';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { savedFilterRow, savedFiltersOf } from '../../sql/org/records/saved-filters.ts';
import type { Session } from '../../sql/org/store.ts';
import { evaluateOnce } from '../alerts/evaluate-once.ts';
import { changeAlert, createAlert, listAlerts, removeAlert } from '../alerts/operations.ts';
import { EVERY_UNIT, rulesWith, type WrittenRules } from '../alerts/rules.ts';
import { listSavedFilters } from '../saved-filters/list.ts';
import { adminCommand } from './common/admin-command.ts';
import { findOrganisation, organisationArgument } from './common/find-organisation.ts';
import { operationCommand, typedBody } from './common/operation-command.ts';
import { withVersions } from './common/register-beside.ts';
import { GRANTS, limitOption } from './common/schemas.ts';
import { listing } from './common/text-table.ts';
import { thingNamed } from './common/thing-named.ts';

/** What an organisation is told of when a new version of the register is published. */

const anyText = () => z.string().min(1, 'must not be empty').optional();

/** The alert of this name or UUID. @throws CommandFailed suggesting the nearest name */
const findAlert = async (session: Session, { id, externalId }: OrganisationRow, reference: string): Promise<AlertRow> =>
  thingNamed(reference, await session.rows(alertRow, alertsOf(id)), {
    ...{ what: 'alert', command: 'alerts list', organisation: externalId },
  });

const savedFilter = { what: 'saved filter', command: 'filters list' };

/** Commands take what an alert asks in this form, in which a saved filter may be named. */
const ALERT_RULES = {
  options: { savedFilterId: 'filter' },
  references: { savedFilterId: { ...savedFilter, list: listSavedFilters } },
  words: { signals: GRANTS.signals },
};

const typedRules = typedBody(changeAlert, { ...ALERT_RULES, leaves: ['name', 'enabled', 'emails'] });

const version = (meaning: string) =>
  option(
    '<version>',
    meaning,
    z.string().min(1, 'must not be empty').max(100, 'must be the id of a version').optional(),
  );

const testAlert = adminCommand({
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
    alert: argument('its name or its UUID', anyText()),
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
    return withVersions(settings, async (versions) => {
      const publications = await versions.publications();
      const trial = { store, versions, publications, settings, organisation, rules, from, to };
      const { fault, ...result } = await evaluateOnce(trial);
      if (fault !== null) throw refused(fault);
      return { organisation: organisation.externalId, alert, template: rules.template, ...result };
    });
  },
  format({ alert, template, from, to, changedUnits, matchCount, matches }) {
    const shown = listing<(typeof matches)[number]>('', {
      ...{ unit: 'mastrNummer', new: ({ isNew }) => (isNew ? 'yes' : 'no') },
      ...(template === 'SIGNAL_CHANGE' && {
        gained: ({ gained }) => gained.join(', ') || null,
        lost: ({ lost }) => lost.join(', ') || null,
      }),
    });
    const more = matchCount - matches.length;
    return [
      `From version ${from} to ${to}: ${counted(changedUnits, 'unit')} with other content, ` +
        `${counted(matchCount, 'match', 'matches')} of ${alert?.name ?? `an alert from ${template}`}.`,
      ...(matches.length === 0 ? [] : [shown(matches)]),
      ...(more > 0 ? [`… and ${more} more`] : []),
    ].join('\n');
  },
});

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

const evaluationTable = listing<EvaluationRow>('No evaluations', {
  ...{
    version: 'version',
    published: 'publishedAt',
    'compared with': 'comparedWith',
    state: stateOf,
    ended: 'endedAt',
  },
  ...{ 'changed units': 'changedUnits', alerts: 'evaluatedAlerts', events: 'events', error: 'error' },
});

/** A claim that is over, or was given back, is taken up by the next instance that looks. */
function stateOf({ endedAt, claimedUntil, error }: EvaluationRow): string {
  if (endedAt !== null) return error === null ? 'done' : 'given up';
  if (error !== null) return 'failed, is tried again';
  return claimedUntil !== null && Date.parse(claimedUntil) > Date.now() ? 'under way' : 'broken off, is taken up';
}

const outcomeTable = listing<z.infer<typeof alertOutcomeRow>>('No evaluations', {
  ...{ alert: ({ alert }) => alert.name, version: 'version', evaluated: 'evaluatedAt', outcome: 'outcome' },
  ...{ matches: 'matches', event: 'eventId', fault: 'fault' },
});

const listEvaluations = adminCommand({
  name: 'alerts evaluations',
  summary: 'the newest versions that alerts were evaluated for, or what became of the alerts of an organisation',
  description:
    'Without an organisation: each version with the one that it was compared with, and the reason where an evaluation failed. ' +
    'With one: each of its alerts, or the one that is named, with each version. Both are kept 90 days.',
  examples: ['', 'stadtwerk', 'stadtwerk "Neue Speicher" --limit 100'],
  parameters: {
    organisation: argument('its external id or its UUID', anyText()),
    alert: argument('its name or its UUID', anyText()),
    limit: limitOption('how many', 20),
  },
  run: (store, { organisation: reference, alert: named, limit }) =>
    store.asOperator(async (session) => {
      if (reference === undefined) {
        return { evaluations: await session.rows(evaluationRow, evaluationsByAge(limit)), outcomes: null };
      }
      const organisation = await findOrganisation(session, reference);
      const alertId = named === undefined ? null : (await findAlert(session, organisation, named)).id;
      const outcomes = await session.rows(alertOutcomeRow, outcomesByAge(organisation.id, alertId, limit));
      return { evaluations: null, outcomes };
    }),
  format: ({ evaluations, outcomes }) =>
    outcomes === null ? evaluationTable(evaluations ?? []) : outcomeTable(outcomes),
});

const one = {
  named: { what: 'alert', list: listAlerts, command: 'alerts list' },
  examples: ['stadtwerk "Neue Speicher"'],
};

/** The commands about alerts, in the order of the help. */
export const alertCommands = [
  operationCommand(createAlert, {
    ...ALERT_RULES,
    name: 'alerts create',
    arguments: ['name'],
    leaves: ['emails'],
    flags: { disabled: { meaning: 'it is not evaluated until alerts enable', sends: { enabled: false } } },
    examples: [
      'stadtwerk "Neue Speicher" --template NEW_UNIT --criteria criteria.json',
      'stadtwerk Windparks --template SIGNAL_CHANGE --signals repowering_kandidat --filter "Große Windparks"',
      'stadtwerk Betreiberwechsel --template FIELD_CHANGE --fields betreiberMastrNummer --criteria criteria.json',
    ],
  }),
  operationCommand(listAlerts, { name: 'alerts list', examples: ['stadtwerk'] }),
  operationCommand(listAlerts, { ...one, name: 'alerts show', summary: 'one alert of an organisation' }),
  operationCommand(changeAlert, {
    ...one,
    ...ALERT_RULES,
    name: 'alerts change',
    summary: 'change name, template, signals, fields or criteria of an alert',
    leaves: ['enabled', 'emails'],
    examples: [
      'stadtwerk "Neue Speicher" --criteria criteria.json',
      'stadtwerk Windparks --signals repowering_kandidat,wind_ueber_20_jahre',
      'stadtwerk Windparks --name "Windparks Nord"',
    ],
  }),
  operationCommand(changeAlert, {
    ...one,
    name: 'alerts enable',
    summary: 'have an alert evaluated for versions that are published from now on',
    description: 'Versions that were published while it was disabled are not made up for.',
    sends: { enabled: true },
  }),
  operationCommand(changeAlert, {
    ...one,
    name: 'alerts disable',
    summary: 'have an alert evaluated no longer, and keep it',
    description: 'It still counts towards the limit maxAlerts. Events that it has fired stay.',
    sends: { enabled: false },
  }),
  operationCommand(removeAlert, { ...one, name: 'alerts delete' }),
  testAlert,
  listEvaluations,
];
