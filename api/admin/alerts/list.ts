import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { alertNamed, readAlerts } from './find-alert.ts';
import { alertArgument } from './options.ts';
import { alertTable, describeAlert, faultNote, shown } from './shown.ts';

export const listAlerts = adminCommand({
  name: 'alerts list',
  summary: 'the alerts of an organisation, with those that are faulty',
  examples: ['stadtwerk'],
  parameters: { organisation: organisationArgument },
  run: (store, { organisation: reference }) =>
    store.asOperator(async (session) => {
      const { alerts, holder } = await readAlerts(session, reference);
      return alerts.map((alert) => shown(alert, holder));
    }),
  format: (alerts) => (alerts.length === 0 ? 'No alerts' : alertTable(alerts)),
  note: faultNote,
});

export const showAlert = adminCommand({
  name: 'alerts show',
  summary: 'one alert of an organisation',
  examples: ['stadtwerk "Neue Speicher"'],
  parameters: { organisation: organisationArgument, alert: alertArgument },
  run: (store, { organisation: reference, alert: named }) =>
    store.asOperator(async (session) => {
      const held = await readAlerts(session, reference);
      return shown(alertNamed(held, named), held.holder);
    }),
  format: describeAlert,
});
