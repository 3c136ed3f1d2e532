import { argument } from '../../../runtime/command-line/parameter.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { deadlineOrNone } from '../common/schemas.ts';
import { change, changeLogFields, faultyAlertsNote, formatChange } from './change.ts';

export const setTrialEnd = adminCommand({
  name: 'organisations trial-end',
  summary: 'set when the trial of an organisation ends, or that it has none',
  description: 'From then on no module counts as booked. A calendar day lasts until its end in Germany.',
  examples: ['stadtwerk 2027-01-31', 'stadtwerk 2027-01-31T18:00:00Z', 'stadtwerk none'],
  parameters: {
    organisation: organisationArgument,
    end: argument('a calendar day, an RFC 3339 time, or none', deadlineOrNone()),
  },
  run: (store, { organisation, end }) => change(store, organisation, 'trialEndsAt', () => end),
  format: formatChange,
  note: (result) =>
    [
      ...(result.after !== null && Date.parse(result.after) <= Date.now()
        ? ['That is past: no module counts as booked any more.']
        : []),
      faultyAlertsNote(result),
    ]
      .filter((line) => line !== '')
      .join('\n'),
  logFields: changeLogFields,
});
