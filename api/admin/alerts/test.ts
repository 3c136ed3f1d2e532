import { z } from 'zod';
import { refused, usageError } from '../../../runtime/command-line/exit.ts';
import { argument, option } from '../../../runtime/command-line/parameter.ts';
import { counted } from '../../../runtime/counted.ts';
import { evaluateOnce } from '../../alerts/evaluate-once.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { joined, table } from '../common/text-table.ts';
import { alertNamed, readAlerts } from './find-alert.ts';
import { ruleOptions } from './options.ts';
import { readRules, rulesOf } from './rules.ts';
import { UNMETERED } from './served-numbers.ts';

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
    ...ruleOptions,
    from: version('the earlier version (default: the one that was served before the later one)'),
    to: version('the later version (default: the one that is served now)'),
  },
  async run(store, { organisation: reference, alert: named, from = null, to = null, ...typed }, { settings }) {
    const read = readRules(typed);
    if (named === undefined && read.template === undefined) {
      throw usageError('alerts test needs an alert or --template\nHelp: npm run admin -- alerts test --help');
    }
    const { organisation, alert, rules } = await store.asOperator(async (session) => {
      const held = await readAlerts(session, reference);
      const present = named === undefined ? null : alertNamed(held, named);
      const asked = await rulesOf(session, held, read, present);
      const identity = present === null ? null : { id: present.id, name: present.name };
      return { organisation: held.organisation, alert: identity, rules: asked };
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
