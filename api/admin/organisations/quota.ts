import { argument, command } from '../command.ts';
import { count } from '../shapes.ts';
import { change, recordChange, tellChange } from './change.ts';
import { organisationWord } from './find.ts';

export const setQuota = command({
  name: 'organisations quota',
  summary: 'set how many calls an organisation has in a calendar month',
  examples: ['stadtwerk 250000'],
  words: { organisation: organisationWord, calls: argument('calls per calendar month', count()) },
  run: (store, { organisation, calls }) => change(store, organisation, 'quota', () => calls),
  tell: tellChange,
  record: recordChange,
});
