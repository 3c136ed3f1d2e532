import { randomUUIDv7 } from 'node:crypto';
import { refused } from '../../../runtime/command-line/exit.ts';
import { argument, flag } from '../../../runtime/command-line/parameter.ts';
import { counted } from '../../../runtime/counted.ts';
import { type AlertRow, putAlerts } from '../../../sql/org/alerts/alerts.ts';
import { limitsOf } from '../../../sql/org/limits.ts';
import { alertName } from '../../alerts/alert.ts';
import { neverToldNote } from '../../alerts/never-told.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { type HeldAlerts, lockAlerts, mustBeFreeName } from './find-alert.ts';
import { ruleOptions } from './options.ts';
import { readRules, rulesOf } from './rules.ts';
import { namedUnits } from './served-numbers.ts';
import { describeAlert, shown } from './shown.ts';

export const createAlert = adminCommand({
  name: 'alerts create',
  summary: 'make an alert, which tells an organisation of units in each new version of the register',
  description:
    'NEW_UNIT tells of units that are new, SIGNAL_CHANGE of units that gained or lost one of its signals; both only of ' +
    'those that meet its criteria, which without --criteria and --filter is every unit. It is evaluated once for each ' +
    'version that is published from now on.',
  examples: [
    'stadtwerk "Neue Speicher" --template NEW_UNIT --criteria criteria.json',
    'stadtwerk Windparks --template SIGNAL_CHANGE --signals repowering_kandidat --filter "Große Windparks"',
  ],
  parameters: {
    organisation: organisationArgument,
    name: argument('its name', alertName()),
    ...ruleOptions,
    template: { ...ruleOptions.template, mandatory: true },
    disabled: flag('it is not evaluated until alerts enable'),
  },
  async run(store, { organisation: reference, name, disabled = false, ...typed }, { settings }) {
    const read = readRules(typed);
    const { held, alert } = await store.asOperator(async (session) => {
      const held = await lockAlerts(session, reference);
      mustBeFreeName(held, name);
      mustHaveRoom(held);
      const now = new Date().toISOString();
      const alert: AlertRow = {
        id: randomUUIDv7(),
        name,
        ...(await rulesOf(session, held, read, null)),
        enabled: !disabled,
        enabledAt: now,
        fault: null,
        faultySince: null,
        createdAt: now,
        updatedAt: now,
      };
      await session.run(putAlerts(held.organisation.id, [alert]));
      return { held, alert };
    });
    const { organisation, holder } = held;
    const units = await namedUnits(alert, holder, settings);
    return { organisation: organisation.externalId, alert: shown(alert, holder), namedUnits: units };
  },
  format: ({ organisation, alert }) => `Made an alert of ${organisation}:\n${describeAlert(alert)}`,
  note: ({ organisation, alert, namedUnits }) =>
    [
      neverToldNote(namedUnits),
      `To see what it would have told of: npm run admin -- alerts test ${organisation} ${alert.id}`,
    ]
      .filter(Boolean)
      .join('\n'),
  logFields: ({ organisation, alert }) => ({ organisation, alert: alert.id }),
});

/** @throws CommandFailed when the organisation has as many alerts as it may have, enabled or not */
function mustHaveRoom({ organisation: { externalId, limits }, alerts }: HeldAlerts): void {
  const { maxAlerts } = limitsOf(limits);
  if (alerts.length < maxAlerts) return;
  throw refused(
    `${externalId} has ${counted(alerts.length, 'alert')}, and its limit maxAlerts is ${maxAlerts}\n` +
      `To raise it: npm run admin -- organisations limits set ${externalId} maxAlerts=${alerts.length + 1}`,
  );
}
