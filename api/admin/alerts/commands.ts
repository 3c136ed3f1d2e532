import { changeAlert, createAlert, listAlerts, removeAlert } from '../../alerts/operations.ts';
import { operationCommand } from '../common/operation-command.ts';
import { listEvaluations } from './evaluations.ts';
import { ALERT_RULES, testAlert } from './test.ts';

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
    flags: { disabled: { meaning: 'it is not evaluated until alerts enable', sends: { enabled: false } } },
    examples: [
      'stadtwerk "Neue Speicher" --template NEW_UNIT --criteria criteria.json',
      'stadtwerk Windparks --template SIGNAL_CHANGE --signals repowering_kandidat --filter "Große Windparks"',
    ],
  }),
  operationCommand(listAlerts, { name: 'alerts list', examples: ['stadtwerk'] }),
  operationCommand(listAlerts, { ...one, name: 'alerts show', summary: 'one alert of an organisation' }),
  operationCommand(changeAlert, {
    ...one,
    ...ALERT_RULES,
    name: 'alerts change',
    summary: 'change name, template, signals or criteria of an alert',
    leaves: ['enabled'],
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
