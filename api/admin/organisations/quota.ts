import { argument } from '../../../runtime/command-line/parameter.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { count } from '../common/schemas.ts';
import { change, changeLogFields, formatChange } from './change.ts';

export const setQuota = adminCommand({
  name: 'organisations quota',
  summary: 'set how many calls an organisation has in a calendar month',
  examples: ['stadtwerk 250000'],
  parameters: { organisation: organisationArgument, calls: argument('calls per calendar month', count()) },
  run: (store, { organisation, calls }) => change(store, organisation, 'quota', () => calls),
  format: formatChange,
  logFields: changeLogFields,
});
