import { adminCommand } from '../common/admin-command.ts';
import { findOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { keysWithUse, keyTable } from '../common/listed-keys.ts';

export const listKeys = adminCommand({
  name: 'keys list',
  summary: 'the keys of an organisation; never their secrets',
  description: 'When a key was used last is known as far back as the audit log goes.',
  examples: ['stadtwerk'],
  parameters: { organisation: organisationArgument },
  run: (store, { organisation: reference }) =>
    store.asOperator(async (session) => keysWithUse(session, (await findOrganisation(session, reference)).id)),
  format: (keys) => (keys.length === 0 ? 'No keys' : keyTable(keys)),
});
