import { usageError } from '../../../runtime/command-line/exit.ts';
import { option } from '../../../runtime/command-line/parameter.ts';
import { alertName } from '../../alerts/alert.ts';
import { asksTheSame } from '../../alerts/rules.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { changeLogFields, changeNote, changeOneAlert, mustBeFreeName } from './find-alert.ts';
import { alertArgument, ruleOptions } from './options.ts';
import { readRules, rulesOf } from './rules.ts';
import { describeAlert } from './shown.ts';

export const changeAlert = adminCommand({
  name: 'alerts change',
  summary: 'change name, template, signals or criteria of an alert',
  description:
    'Options that are left out leave it as it is. What it asks anew holds for versions that are published from now on.',
  examples: [
    'stadtwerk "Neue Speicher" --criteria criteria.json',
    'stadtwerk Windparks --signals repowering_kandidat,wind_ueber_20_jahre',
    'stadtwerk Windparks --name "Windparks Nord"',
  ],
  parameters: {
    organisation: organisationArgument,
    alert: alertArgument,
    name: option('<name>', 'its new name', alertName().optional()),
    ...ruleOptions,
  },
  run(store, { organisation: reference, alert: named, name: newName, ...typed }, { settings }) {
    if (newName === undefined && Object.keys(typed).length === 0) {
      throw usageError(
        'alerts change needs --name, --template, --signals, --criteria or --filter\nHelp: npm run admin -- alerts change --help',
      );
    }
    const read = readRules(typed);
    return changeOneAlert(store, reference, named, settings, async (present, held, session) => {
      const name = newName ?? present.name;
      if (name !== present.name) mustBeFreeName(held, name);
      if (Object.keys(typed).length === 0) return { ...present, name };
      const asked = { ...present, name, ...(await rulesOf(session, held, read, present)) };
      if (asksTheSame(asked, present)) return asked;
      return { ...asked, enabledAt: new Date().toISOString(), fault: null, faultySince: null };
    });
  },
  format: ({ organisation, alert, changed }) =>
    `${changed ? 'Changed an alert' : 'Nothing was changed about the alert'} of ${organisation}:\n${describeAlert(alert)}`,
  note: changeNote,
  logFields: changeLogFields,
});
