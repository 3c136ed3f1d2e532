import { command } from '../command.ts';
import { findOrganisation, organisationWord } from '../organisations/find.ts';
import { keysWithUse, keyTable } from './keys.ts';

export const listKeys = command({
  name: 'keys list',
  summary: 'the keys of an organisation; never their secrets',
  description: 'When a key was used last is known as far back as the audit log goes.',
  examples: ['stadtwerk'],
  words: { organisation: organisationWord },
  run: (store, { organisation: reference }) =>
    store.asOperator(async (session) => keysWithUse(session, (await findOrganisation(session, reference)).id)),
  tell: (keys) => (keys.length === 0 ? 'No keys' : keyTable(keys)),
});
