import { z } from 'zod';
import { putUsers } from '../../../sql/org/users.ts';
import { argument, command } from '../command.ts';
import { keptKeys, liveKeysBy } from '../keys/keys.ts';
import { lockOrganisation, organisationWord } from '../organisations/find.ts';
import { role } from '../shapes.ts';
import { findUser } from './users.ts';

export const changeRole = command({
  name: 'users role',
  summary: 'give a user another role',
  description: 'Keys that the user has had made go on working, whatever the role.',
  examples: ['stadtwerk anna admin'],
  words: {
    organisation: organisationWord,
    user: argument('the external id of the user', z.string()),
    role: argument('owner, admin or member', role()),
  },
  run: (store, { organisation: reference, user: externalId, role }) =>
    store.asOperator(async (session) => {
      const organisation = await lockOrganisation(session, reference);
      const user = await findUser(session, organisation, externalId);
      const changed = user.role !== role;
      if (changed) {
        const updatedAt = new Date().toISOString();
        await session.run(putUsers(organisation.id, [{ ...user, role, updatedAt }]));
      }
      const liveKeys = role === 'member' ? await liveKeysBy(session, organisation.id, externalId) : [];
      return { organisation: organisation.externalId, user: externalId, before: user.role, role, changed, liveKeys };
    }),
  tell: ({ organisation, user, before, role: after, changed }) =>
    `${user} of ${organisation} is ${after} ${changed ? `(before: ${before})` : 'as before'}.`,
  note: keptKeys,
  record: ({ organisation, user, role: after, changed }) => (changed ? { organisation, user, role: after } : null),
});
