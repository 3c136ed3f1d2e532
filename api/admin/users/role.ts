import { z } from 'zod';
import { argument } from '../../../runtime/command-line/parameter.ts';
import { putUsers } from '../../../sql/org/users.ts';
import { adminCommand } from '../common/admin-command.ts';
import { lockOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { findUser } from '../common/find-user.ts';
import { liveKeysBy, liveKeysNote } from '../common/listed-keys.ts';
import { role } from '../common/schemas.ts';

export const changeRole = adminCommand({
  name: 'users role',
  summary: 'give a user another role',
  description: 'Keys that the user has had made go on working, whatever the role.',
  examples: ['stadtwerk anna admin'],
  parameters: {
    organisation: organisationArgument,
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
  format: ({ organisation, user, before, role: after, changed }) =>
    `${user} of ${organisation} is ${after} ${changed ? `(before: ${before})` : 'as before'}.`,
  note: liveKeysNote,
  logFields: ({ organisation, user, role: after, changed }) => (changed ? { organisation, user, role: after } : null),
});
