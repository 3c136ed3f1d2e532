import { z } from 'zod';
import { argument } from '../../../runtime/command-line/parameter.ts';
import { deleteUser } from '../../../sql/org/users.ts';
import { adminCommand } from '../common/admin-command.ts';
import { lockOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { findUser } from '../common/find-user.ts';
import { liveKeysBy, liveKeysNote } from '../common/listed-keys.ts';

export const removeUser = adminCommand({
  name: 'users remove',
  summary: 'remove a user from an organisation',
  description: 'Keys that the user has had made go on working; from then on they count as made by the operator.',
  examples: ['stadtwerk anna'],
  parameters: { organisation: organisationArgument, user: argument('the external id of the user', z.string()) },
  run: (store, { organisation: reference, user: externalId }) =>
    store.asOperator(async (session) => {
      const organisation = await lockOrganisation(session, reference);
      const user = await findUser(session, organisation, externalId);
      const liveKeys = await liveKeysBy(session, organisation.id, externalId);
      await session.run(deleteUser(user.id));
      return { organisation: organisation.externalId, user: externalId, liveKeys };
    }),
  format: ({ organisation, user }) => `Removed ${user} from ${organisation}.`,
  note: liveKeysNote,
  logFields: ({ organisation, user }) => ({ organisation, user }),
});
