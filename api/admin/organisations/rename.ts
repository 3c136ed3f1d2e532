import { argument, command } from '../command.ts';
import { line, NAME_LENGTH } from '../shapes.ts';
import { change, recordChange, tellChange } from './change.ts';
import { organisationWord } from './find.ts';

export const renameOrganisation = command({
  name: 'organisations rename',
  summary: 'give an organisation another name; its external id stays',
  examples: ['stadtwerk "Stadtwerke Musterstadt"'],
  words: { organisation: organisationWord, name: argument('the new name', line(NAME_LENGTH)) },
  run: (store, { organisation, name }) => change(store, organisation, 'name', () => name),
  tell: tellChange,
  record: recordChange,
});
