import { deleteAlert } from '../../../sql/org/alerts/alerts.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { alertNamed, changeLogFields, changeNote, changeOneAlert, lockAlerts } from './find-alert.ts';
import { alertArgument } from './options.ts';
import { mustBeAskable } from './rules.ts';

const parameters = { organisation: organisationArgument, alert: alertArgument };

export const enableAlert = adminCommand({
  name: 'alerts enable',
  summary: 'have an alert evaluated for versions that are published from now on',
  description: 'Versions that were published while it was disabled are not made up for.',
  examples: ['stadtwerk "Neue Speicher"'],
  parameters,
  run: (store, { organisation: reference, alert: named }, { settings }) =>
    changeOneAlert(store, reference, named, settings, async (present, held, session) => {
      if (present.enabled) return present;
      await mustBeAskable(session, held, present);
      return { ...present, enabled: true, enabledAt: new Date().toISOString(), fault: null, faultySince: null };
    }),
  format: ({ organisation, alert, changed }) =>
    changed ? `Enabled the alert ${alert.name} of ${organisation}.` : `The alert ${alert.name} is enabled already.`,
  note: changeNote,
  logFields: changeLogFields,
});

export const disableAlert = adminCommand({
  name: 'alerts disable',
  summary: 'have an alert evaluated no longer, and keep it',
  description: 'It still counts towards the limit maxAlerts. Events that it has fired stay.',
  examples: ['stadtwerk "Neue Speicher"'],
  parameters,
  run: (store, { organisation: reference, alert: named }, { settings }) =>
    changeOneAlert(store, reference, named, settings, (present) =>
      present.enabled ? { ...present, enabled: false } : present,
    ),
  format: ({ organisation, alert, changed }) =>
    changed ? `Disabled the alert ${alert.name} of ${organisation}.` : `The alert ${alert.name} is disabled already.`,
  logFields: changeLogFields,
});

export const deleteAlertCommand = adminCommand({
  name: 'alerts delete',
  summary: 'remove an alert and the record of its evaluations; events that it has fired stay',
  examples: ['stadtwerk "Neue Speicher"'],
  parameters,
  run: (store, { organisation: reference, alert: named }) =>
    store.asOperator(async (session) => {
      const held = await lockAlerts(session, reference);
      const alert = alertNamed(held, named);
      await session.run(deleteAlert(alert.id));
      return { organisation: held.organisation.externalId, alert: { id: alert.id, name: alert.name } };
    }),
  format: ({ organisation, alert }) => `Removed the alert ${alert.name} from ${organisation}.`,
  logFields: ({ organisation, alert }) => ({ organisation, alert: alert.id }),
});
