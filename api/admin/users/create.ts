import { randomUUIDv7 } from 'node:crypto';
import { putUsers, type UserRow, userRow, usersOf } from '../../../sql/org/users.ts';
import { argument, command, option } from '../command.ts';
import { refused } from '../exit.ts';
import { lockOrganisation, organisationWord } from '../organisations/find.ts';
import { email, externalId, line, NAME_LENGTH, role } from '../shapes.ts';

export const createUser = command({
  name: 'users create',
  summary: 'make a user of an organisation',
  examples: ['stadtwerk anna --name "Anna Muster" --email anna@stadtwerk.example --role owner'],
  words: {
    organisation: organisationWord,
    externalId: argument('the id under which the organisation knows the person', externalId()),
    name: option('<name>', 'the name of the person', line(NAME_LENGTH)),
    email: option('<address>', 'where the person is reached', email().optional()),
    role: option('<role>', 'owner, admin or member; owners and admins may stand behind keys', role()),
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
  tell: ({ organisation, user }) => `Made ${user.name} (${user.externalId}) ${user.role} of ${organisation}.`,
  record: ({ organisation, user }) => ({ organisation, user: user.externalId, role: user.role }),
});
