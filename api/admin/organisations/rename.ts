import { argument } from '../../../runtime/command-line/parameter.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { change, changeLogFields, formatChange } from './change.ts';

export const renameOrganisation = adminCommand({
  name: 'organisations rename',
  summary: 'give an organisation another name; its external id stays',
  examples: ['stadtwerk "Stadtwerke Musterstadt"'],
  parameters: { organisation: organisationArgument, name: argument('the new name', line(NAME_LENGTH)) },
  run: (store, { organisation, name }) => change(store, organisation, 'name', () => name),
  format: formatChange,
  logFields: changeLogFields,
});
