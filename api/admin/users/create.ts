import { randomUUIDv7 } from 'node:crypto';
import { refused } from '../../../runtime/command-line/exit.ts';
import { argument, option } from '../../../runtime/command-line/parameter.ts';
import { putUsers, type UserRow, userRow, usersOf } from '../../../sql/org/users.ts';
import { email } from '../../wire/email.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { adminCommand } from '../common/admin-command.ts';
import { lockOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { externalId, role } from '../common/schemas.ts';

export const createUser = adminCommand({
  name: 'users create',
  summary: 'make a user of an organisation',
  examples: ['stadtwerk anna --name "Anna Muster" --email anna@stadtwerk.example --role owner'],
  parameters: {
    organisation: organisationArgument,
    externalId: argument('the id under which the organisation knows the person', externalId()),
    name: option('<name>', 'the name of the person', line(NAME_LENGTH)),
    email: option('<address>', 'where the person is reached', email().optional()),
    role: option('<role>', 'owner, admin or member; keys can be made for owners and admins', role()),
  },
  run: (store, { organisation: reference, email: address, ...given }) =>
    store.asOperator(async (session) => {
      const organisation = await lockOrganisation(session, reference);
      const users = await session.rows(userRow, usersOf(organisation.id));
      if (users.some((user) => user.externalId === given.externalId)) {
        throw refused(
          `${organisation.externalId} has a user ${given.externalId} already\n` +
            `To change the role: npm run admin -- users role ${organisation.externalId} ${given.externalId} <role>`,
        );
      }
      const now = new Date().toISOString();
      const user: UserRow = { id: randomUUIDv7(), ...given, email: address ?? null, createdAt: now, updatedAt: now };
      await session.run(putUsers(organisation.id, [user]));
      return { organisation: organisation.externalId, user };
    }),
  format: ({ organisation, user }) => `Made ${user.name} (${user.externalId}) ${user.role} of ${organisation}.`,
  logFields: ({ organisation, user }) => ({ organisation, user: user.externalId, role: user.role }),
});
