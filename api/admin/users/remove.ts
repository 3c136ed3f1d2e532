import { z } from 'zod';
import { deleteUser } from '../../../sql/org/users.ts';
import { argument, command } from '../command.ts';
import { keptKeys, liveKeysBy } from '../keys/keys.ts';
import { lockOrganisation, organisationWord } from '../organisations/find.ts';
import { findUser } from './users.ts';

export const removeUser = command({
  name: 'users remove',
  summary: 'remove a user from an organisation',
  description: 'Keys that the user has had made go on working; from then on they count as made by the operator.',
  examples: ['stadtwerk anna'],
  words: { organisation: organisationWord, user: argument('the external id of the user', z.string()) },
  run: (store, { organisation: reference, user: externalId }) =>
    store.asOperator(async (session) => {
      const organisation = await lockOrganisation(session, reference);
      const user = await findUser(session, organisation, externalId);
      const liveKeys = await liveKeysBy(session, organisation.id, externalId);
      await session.run(deleteUser(user.id));
      return { organisation: organisation.externalId, user: externalId, liveKeys };
    }),
  tell: ({ organisation, user }) => `Removed ${user} from ${organisation}.`,
  note: keptKeys,
  record: ({ organisation, user }) => ({ organisation, user }),
});
